// The package as it is published: packed, installed into an empty folder from the registry, and started there.

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { built, packageFolder } from './support/built.js';
import { endAll, launch, run } from './support/command-line.js';
import { type Scratch, scratch } from './support/scratch.js';
import { send, sendJson } from './support/server.js';

const exec = promisify(execFile);

interface Packed {
  readonly filename: string;
  readonly files: ReadonlyArray<{ readonly path: string }>;
}

describe('the package', function () {
  this.timeout(600_000);
  let folder: Scratch;
  let packed: Packed;
  let names: readonly string[];

  before(async () => {
    await built();
    folder = scratch({ 'user/package.json': '{ "private": true }\n' });
    const { stdout } = await exec('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path], {
      cwd: packageFolder,
    });
    packed = (JSON.parse(stdout) as [Packed])[0]; // so npm documents it
    names = packed.files.map(({ path }) => path);
  });
  after(() => {
    endAll();
    folder.drop();
  });

  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
    bin: Record<string, string>;
    scripts: Record<string, string>;
  };
  const filesIn = (kind: string) =>
    readdirSync(join(packageFolder, kind), { recursive: true, encoding: 'utf8' })
      .map(name => join(kind, name))
      .filter(name => statSync(join(packageFolder, name)).isFile());

  for (const kind of ['fixtures', 'scenarios', 'contracts/schemas']) {
    it(`holds every file of ${kind}`, () => {
      expect(filesIn(kind)).not.to.deep.equal([]);
      expect(names).to.include.members(filesIn(kind));
    });
  }

  it('holds its documents and every module', () => {
    expect(names).to.include.members([
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'package.json',
      'contracts/openapi.json',
    ]);
    const modules = filesIn('server').map(name => `dist/${name.replace(/\.ts$/, '.js')}`);
    expect(names).to.include.members(modules);
  });

  it('holds no tests, no measurements, no sources and no source maps', () => {
    const unneeded = names.filter(
      name => /(^|\/)(tests|bench|node_modules)\//.test(name) || /\.map$|(?<!\.d)\.ts$|\.test\./.test(name),
    );
    expect(unneeded).to.deep.equal([]);
  });

  it('runs nothing when it is installed', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'prepublish'];
    expect(Object.keys(manifest.scripts).filter(name => hooks.includes(name))).to.deep.equal([]);
  });

  it('has a command with a shebang', () => {
    const [file = ''] = Object.values(manifest.bin);
    expect(names).to.include(file);
    expect(readFileSync(join(packageFolder, file), 'utf8')).to.match(/^#!\/usr\/bin\/env node\n/);
  });

  describe('installed', () => {
    let user: string;
    before(async function () {
      user = join(folder.path, 'user');
      const unanswered = await install(join(folder.path, packed.filename), user);
      if (unanswered === undefined) return;
      if (process.env.CI === 'true') throw new Error(unanswered);
      console.log(`      skipped, the registry does not answer: ${unanswered}`);
      this.skip();
    });

    const inPackage = (path: string) => join(user, 'node_modules/cwx-fake', path);

    it('runs as npx cwx-fake', async () => {
      const { stdout } = await exec('npx', ['--no-install', 'cwx-fake', '--version'], { cwd: user });
      expect(stdout).to.equal(`${manifest.version}\n`);
    });

    it('has a command that may be executed', function () {
      if (process.platform === 'win32') return this.skip();
      const { status, stdout } = spawnSync(join(user, 'node_modules/.bin/cwx-fake'), ['--version'], {
        encoding: 'utf8',
      });
      expect([status, stdout]).to.deep.equal([0, `${manifest.version}\n`]);
    });

    it('answers an operation, from the files in the package', async () => {
      const server = await launch(['unlicensed', '--readings', 'readings.yaml'], {
        cwd: readyUser(),
        program: inPackage('dist/server/cli.js'),
      });
      const answer = await sendJson(
        `${server.url}/rest/cwx-ppf/latest/push`,
        'POST',
        { users: ['alice'], filters: [10500] },
        'admin',
      );
      expect(answer.status).to.equal(403);
      expect(answer.headers.get('x-fake-rules')).to.contain('ppf.licensed-only');
      const { scenarios } = (await send(`${server.url}/_fake/v1/scenarios`)).json as { scenarios: unknown[] };
      expect(scenarios.length).to.be.above(0);
      const { code, stderr } = await server.signal('SIGTERM');
      expect([code, stderr]).to.deep.equal([0, '']);
    });

    it('prints its documents and checks files', async () => {
      const program = inPackage('dist/server/cli.js');
      for (const name of ['guide', 'ledger', 'openapi'])
        expect((await run([name], { cwd: user, program })).code, name).to.equal(0);
      const fixture = inPackage('fixtures/small-team.yaml');
      expect((await run(['check', fixture], { cwd: user, program })).stdout).to.equal('1 file checked, no problem\n');
    });

    it('has the schemas that its files name for editors', () => {
      for (const name of filesIn('fixtures').concat(filesIn('scenarios'))) {
        const [, schema] =
          /^# yaml-language-server: \$schema=(\S+)$/m.exec(readFileSync(inPackage(name), 'utf8')) ?? [];
        expect(schema, name).to.be.a('string');
        expect(existsSync(join(inPackage(name), '..', schema ?? '')), `${name} names ${schema}`).to.equal(true);
      }
    });

    function readyUser(): string {
      folder.write('user/readings.yaml', 'ppf-anonymous: 401\n');
      return user;
    }
  });
});

/** Installs a package as a user would; gives why the registry cannot be asked, if so. */
async function install(tarball: string, cwd: string): Promise<string | undefined> {
  const flags = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefer-offline',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ];
  try {
    await exec('npm', ['install', ...flags, tarball], { cwd });
    return undefined;
  } catch (error) {
    const { message } = error as Error; // so execFile rejects
    if (!/ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENOTCACHED|ERR_SOCKET_TIMEOUT/.test(message))
      throw error;
    return message.split('\n').find(line => /^npm error (?!code|errno|A complete)/.test(line)) ?? message;
  }
}
