// The documentation of more than one process: its shell version runs as it stands, except for the ports; its files for containers are
// read, and compared with the flags.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { readArguments } from '../../cli/command/command.js';
import { serve } from '../../cli/serve-command.js';
import { serveFlags } from '../../server/settings/serve-flags.js';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { built, cli, packageFolder } from '../support/processes/built.js';
import { endAll, launch } from '../support/processes/command-line.js';
import { endsWithTest } from '../support/processes/left-behind.js';
import { hasProgram } from '../support/processes/programs.js';
import { hasRedis } from '../support/redis/redis-servers.js';
import { ADD } from '../support/redis/replicas.js';
import { freePort } from '../support/wire/ports.js';
import { until } from '../support/worlds/until.js';
import { blockWith, commandsIn, lines, pageAt } from './markdown.js';
import { shell } from './page-commands.js';

const REPLICAS = 'docs/how-to/keep-sandboxes.md';
const CONTAINERS = 'docs/how-to/run-in-a-container.md';

/** Those on the page. */
const PORTS = ['6390', '8081', '8082', '8090'];

describe('the documentation of more than one process', () => {
  let folder: Scratch;
  before(async () => {
    await built();
    folder = scratch({
      'bin/cwx-fake': `#!/bin/sh\nexec node '${cli}' "$@"\n`,
      'bin/npx': '#!/bin/sh\nexec "$@"\n', // as if it were installed here
    });
    for (const name of ['cwx-fake', 'npx']) execFileSync('chmod', ['+x', join(folder.path, 'bin', name)]);
  });
  after(() => {
    endAll();
    folder.drop();
  });

  it('keeps sandboxes in a folder over a restart', async () => {
    const [, , ...args] = blockWith('docs/how-to/keep-sandboxes.md', 'sh', 'cwx-fake --store file:').trim().split(' ');
    const first = await launch(args, { cwd: folder.path });
    const body = JSON.stringify({ group: 'customers', users: ['alice'] });
    await fetch(`${first.url}/~job-7${ADD}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await first.signal('SIGKILL');
    const second = await launch(args, { cwd: folder.path });
    const world = await fetch(`${second.url}/_fake/v1/sandboxes/job-7/world`);
    expect(await world.json())
      .to.have.nested.property('groups.customers')
      .that.deep.equals(['alice']);
  });

  if (hasRedis() && hasProgram('haproxy', 'haproxy'))
    it('serves one world from two replicas behind a load balancer', async () => {
      const free = new Map<string, string>();
      for (const port of PORTS) free.set(port, String(await freePort()));
      const moved = (text: string) => text.replace(new RegExp(PORTS.join('|'), 'g'), port => free.get(port) ?? port);
      const place = join(folder.path, 'replicas');
      mkdirSync(place);
      writeFileSync(join(place, 'haproxy.cfg'), moved(blockWith(REPLICAS, 'cfg', '# haproxy.cfg')));
      writeFileSync(join(place, 'replicas.sh'), moved(blockWith(REPLICAS, 'sh', '# replicas.sh')));
      const env = { ...process.env, PATH: `${folder.path}/bin:${process.env.PATH}` };
      const script = spawn('sh', ['replicas.sh'], {
        cwd: place,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (script.pid !== undefined) endsWithTest('process', -script.pid);
      try {
        await serving(script);
        await until(() =>
          fetch(`http://127.0.0.1:${free.get('8090')}/_fake/health`).then(
            ({ ok }) => ok,
            () => false,
          ),
        );
        const shown = commandsIn(pageAt(REPLICAS).text, 'shell-session');
        expect(shown.length).to.be.at.least(4);
        for (const { command, output } of shown) {
          const printed = await shell(moved(command), place);
          expect(lines(printed), command).to.equal(output);
        }
      } finally {
        script.kill('SIGTERM');
        await once(script, 'exit');
      }
      for (const port of free.values())
        expect(
          await fetch(`http://127.0.0.1:${port}/`).then(
            () => 'answered',
            () => 'gone',
          ),
        ).to.equal('gone');
      if (script.pid !== undefined) endsWithTest('ended', -script.pid);
    });

  it('describes a consistent Kubernetes setup', () => {
    const documents = parseAllDocuments(blockWith(CONTAINERS, 'yml', '# kubernetes.yml'));
    expect(documents.flatMap(({ errors }) => errors)).to.deep.equal([]);
    const [deployment, service] = documents.map(one => one.toJS());
    expect(deployment).to.include({ apiVersion: 'apps/v1', kind: 'Deployment' });
    expect(service).to.include({ apiVersion: 'v1', kind: 'Service' });
    const { spec } = deployment;
    expect(spec.replicas).to.equal(3);
    expect(spec.selector.matchLabels).to.deep.equal(spec.template.metadata.labels);
    expect(service.spec.selector).to.deep.equal(spec.template.metadata.labels);
    const [container] = spec.template.spec.containers;
    const [port] = container.ports;
    expect(service.spec.ports[0].targetPort).to.equal(port.name);
    expect(container.readinessProbe.httpGet).to.include({ path: '/_fake/health', port: port.name });
    expect(container.livenessProbe).to.have.nested.property('tcpSocket.port', port.name);
    const values = taken(container.args);
    expect(Number(values.port)).to.equal(port.containerPort);
    expect(service.metadata.name).to.match(/^[a-z-]+$/); // without a dot: answered without --allow-host
    const variables: string[] = container.env.map((one: { name: string }) => one.name);
    expect(variables).to.deep.equal(['CWX_FAKE_STORE', 'CWX_FAKE_CONTROL_TOKEN']);
    expect(serveFlags.map(flag => `CWX_FAKE_${flag.name.toUpperCase().replaceAll('-', '_')}`)).to.include.members(
      variables,
    );
  });

  it('describes a consistent docker compose setup', () => {
    const text = blockWith(CONTAINERS, 'yml', '# compose.yml');
    const { services, configs } = parse(text);
    expect(Object.keys(services)).to.deep.equal(['redis', 'fake', 'balancer']);
    const values = taken(services.fake.command);
    expect(values).to.include({ store: 'redis://redis:6379' });
    expect(services.redis.command.join(' ')).to.include('--maxmemory-policy noeviction');
    const config = configs.haproxy.content;
    expect(config).to.include(' fake:8080 ').and.include('/_fake/health');
    if (hasRedis() && hasProgram('haproxy', 'haproxy')) {
      writeFileSync(join(folder.path, 'compose.cfg'), config);
      const checked = spawnSync('haproxy', ['-c', '-f', join(folder.path, 'compose.cfg')], { encoding: 'utf8' });
      expect(checked.status, checked.stderr).to.equal(0);
    }
    if (spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status !== 0) return;
    writeFileSync(join(folder.path, 'compose.yml'), text);
    const env = { ...process.env, CWX_FAKE_CONTROL_TOKEN: 'token' };
    const read = spawnSync('docker', ['compose', '-f', 'compose.yml', 'config', '-q'], {
      cwd: folder.path,
      env,
      encoding: 'utf8',
    });
    expect(read.status, read.stderr).to.equal(0);
  });

  it('has a Dockerfile whose command exists', () => {
    const file = blockWith(CONTAINERS, 'dockerfile', 'FROM ');
    const [, command = '[]'] = /^CMD (\[.*\])$/m.exec(file) ?? [];
    taken(JSON.parse(command) as string[]);
    expect(file).to.match(/^ENV (?:.* )?CWX_FAKE_HOST=0\.0\.0\.0(?: |$)/m);
    expect(file).to.equal(readFileSync(join(packageFolder, 'Dockerfile'), 'utf8'));
    expect(file)
      .to.match(/^FROM node:24-slim AS installed$/m)
      .and.match(/^ENTRYPOINT \["cwx-fake"\]$/m);
    const { devDependencies } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
    const tested = ['@redis/client', 'classic-level'].map(name => `${name}@${devDependencies[name]}`);
    expect(file).to.include(`ARG EXTRA_PACKAGES="${tested.join(' ')}"\n`);
  });
});

/** The values of a command line as the program parses them. */
function taken([command, ...args]: readonly string[]) {
  expect(command).to.equal('serve');
  const read = readArguments(serve, args, {});
  if ('errors' in read) throw new Error(read.errors.join('\n'));
  return read.values;
}

/** Resolves when both replicas have printed that they listen. */
async function serving(script: ChildProcess): Promise<void> {
  let said = '';
  script.stdout?.on('data', chunk => {
    said += String(chunk);
  });
  await until(() => said.split('cwx-fake listening on ').length === 3 || script.exitCode !== null);
  if (script.exitCode !== null) throw new Error(`the script ended: ${said}`);
}
