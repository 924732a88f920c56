// The container image, built by buildah from the Dockerfile, and run: on all interfaces, with a token, not as root, until it is stopped.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { cli, packageFolder } from '../support/processes/built.js';
import { endsWithTest } from '../support/processes/left-behind.js';
import { hasProgram } from '../support/processes/programs.js';
import { freePort } from '../support/wire/ports.js';
import { until } from '../support/worlds/until.js';
import { buildahIn, makeBaseImage, storageIn } from './base-image.js';

const BASE = 'docker.io/library/node:24-slim';

interface Image {
  readonly OCIv1: { readonly config: { readonly User: string; readonly Entrypoint: string[]; readonly Cmd: string[] } };
  readonly Docker: {
    readonly config: { readonly Healthcheck: { readonly Test: string[] }; readonly ExposedPorts: object };
  };
}

/** The tests of the image that the Dockerfile makes of a packed package. */
export function image(tarball: () => string): void {
  let folder: Scratch;
  let buildah: ReturnType<typeof buildahIn>;
  let container: string;
  let built: Image;
  before(function () {
    if (!hasProgram('buildah', 'buildah')) return this.skip();
    folder = scratch();
    buildah = buildahIn(folder.path);
    makeBaseImage(buildah, BASE);
    const context = join(folder.path, 'context');
    mkdirSync(context);
    copyFileSync(tarball(), join(context, basename(tarball())));
    for (const name of ['Dockerfile', '.dockerignore']) copyFileSync(join(packageFolder, name), join(context, name));
    const flags = ['--isolation', 'chroot', '--pull=never', '--format', 'docker', '--quiet', '--layers=false'];
    buildah('build', ...flags, '--build-arg', 'EXTRA_PACKAGES=--offline', '--tag', 'cwx-fake', context);
    container = buildah('from', '--pull-never', 'cwx-fake');
    built = JSON.parse(buildah('inspect', '--type', 'image', 'cwx-fake')) as Image;
  });
  after(() => folder?.drop());

  const config = () => built.Docker.config as Image['Docker']['config'] & Image['OCIv1']['config'];
  /** The command that the image runs, with additional arguments. */
  const command = (...more: string[]) => [...config().Entrypoint, ...config().Cmd, ...more];

  it('uses the base image of the Dockerfile, in both stages', () => {
    const bases = [...readFileSync(join(packageFolder, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)];
    expect(bases.map(([, name]) => `docker.io/library/${name}`)).to.deep.equal([BASE, BASE]);
  });

  it('has an unprivileged user, a port, a command and a health check', () => {
    const { User, ExposedPorts, Healthcheck } = config();
    expect(User).to.equal('node');
    expect(ExposedPorts).to.deep.equal({ '8080/tcp': {} });
    expect(command()).to.deep.equal(['cwx-fake', 'serve']);
    expect(Healthcheck.Test).to.deep.equal(['CMD', 'cwx-fake', 'health']);
    expect(buildah('run', '--isolation', 'chroot', container, '--', 'id', '-u')).to.equal('1000');
  });

  it('answers on every interface, requires its token, and stops on a signal', async () => {
    const port = String(await freePort());
    const ran = run(command('--port', port));
    await until(() => ran.stdout().includes('listening on'));
    const token = /control token: (\S+)/.exec(ran.stderr())?.[1] ?? '';
    expect(token, ran.stderr()).to.have.length.above(15);
    const own = Object.values(networkInterfaces()).flatMap(faces => faces ?? []);
    const external = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
    expect((await fetch(`http://${external}:${port}/_fake/health`)).status).to.equal(200);
    const control = `http://127.0.0.1:${port}/_fake/v1/sandboxes`;
    expect((await fetch(control)).status).to.equal(401);
    expect((await fetch(control, { headers: { Authorization: `Bearer ${token}` } })).status).to.equal(200);
    expect(healthIn(port)).to.equal(0);
    process.kill(ran.pid(), 'SIGTERM');
    expect(await ran.ended()).to.equal(0);
    expect(healthIn(port)).to.equal(4);
  });

  it('stops on a signal as process 1, as in a container', async () => {
    const child = spawn('unshare', ['--pid', '--fork', '--kill-child', process.execPath, cli, '--port', '0']);
    if (child.pid !== undefined) endsWithTest('process', child.pid);
    const ended = once(child, 'exit');
    for await (const chunk of child.stdout) if (String(chunk).includes('listening on')) break;
    const pid = innermost(child);
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).to.match(/^NSpid:.*\t1$/m);
    process.kill(pid, 'SIGTERM');
    expect((await ended)[0]).to.equal(0);
  });

  /** The exit code of the health check of the image, for another port. */
  function healthIn(port: string): number {
    const [, ...check] = config().Healthcheck.Test;
    try {
      buildah('run', '--isolation', 'chroot', container, '--', ...check, '--port', port);
      return 0;
    } catch (error) {
      return (error as { status: number }).status; // so execFileSync throws
    }
  }

  function run(words: readonly string[]) {
    const running = ['run', '--isolation', 'chroot', container, '--', ...words];
    const child = spawn('buildah', [...storageIn(folder.path), ...running]);
    if (child.pid !== undefined) endsWithTest('process', child.pid);
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', chunk => (texts.stdout += String(chunk)));
    child.stderr.on('data', chunk => (texts.stderr += String(chunk)));
    const ended = once(child, 'exit').then(([code]) => code as number);
    return {
      stdout: () => texts.stdout,
      stderr: () => texts.stderr,
      pid: () => innermost(child),
      ended: () => ended,
    };
  }
}

/** The process of the image: the last in the chain of children, whichever thread has started them. */
function innermost(child: ChildProcess): number {
  let pid = child.pid ?? 0;
  for (;;) {
    const started = readdirSync(`/proc/${pid}/task`).map(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim(),
    );
    const [next] = started.filter(text => text !== '').flatMap(text => text.split(' '));
    if (next === undefined) return pid;
    pid = Number(next);
  }
}
