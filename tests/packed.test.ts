// The package as it is published: packed, installed into an empty folder from the registry, and started there.

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
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
      'contracts/evidence.json',
    ]);
    for (const ending of ['.js', '.d.ts'])
      expect(names).to.include.members(filesIn('server').map(name => `dist/${name.replace(/\.ts$/, ending)}`));
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

    it('is a library: imported, with and without a socket, on the files in the package', async () => {
      folder.write('user/library.mjs', library);
      const { stdout, stderr } = await exec(process.execPath, ['library.mjs'], { cwd: user });
      expect([stdout, stderr]).to.deep.equal(['200 403 small-team unlicensed\n', '']);
    });

    it('does nothing when it is imported', async () => {
      const program = `
        const { length } = Object.keys(globalThis);
        const listeners = process.eventNames().length;
        await import('cwx-fake');
        const open = process.getActiveResourcesInfo().filter(name => /Timeout|Immediate|TCP|Server|FSEvent|Worker/.test(name));
        console.log(open.length, Object.keys(globalThis).length - length, process.eventNames().length - listeners);`;
      const { stdout, stderr } = await exec(process.execPath, ['--input-type=module', '-e', program], { cwd: user });
      expect([stdout, stderr]).to.deep.equal(['0 0 0\n', '']);
    });

    it('has types that stand by themselves: without those of Koa, and checked to the last', async () => {
      folder.write('user/consumer.mts', consumer);
      const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false };
      const typeRoots = [join(user, 'types')]; // those of Node, and no others
      mkdirSync(join(user, 'types'), { recursive: true });
      symlinkSync(join(packageFolder, 'node_modules/@types/node'), join(user, 'types/node'));
      const options = { ...compilerOptions, target: 'es2022', lib: ['es2023'], typeRoots, types: ['node'] };
      folder.write('user/tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['consumer.mts'] }));
      const tsc = join(packageFolder, 'node_modules/typescript/bin/tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', user, '--listFiles'], { encoding: 'utf8' });
      const files = stdout.split('\n');
      expect(
        files.filter(line => line.includes(': error TS')),
        stdout,
      ).to.deep.equal([]);
      expect(status).to.equal(0);
      expect(
        files.filter(file => /node_modules\/(@types\/)?(koa|ajv|yaml|pino|light-my-request)/.test(file)),
      ).to.deep.equal([]);
    });

    it('lets nothing else be imported', async () => {
      const program = "await import('cwx-fake/dist/server/start.js')";
      const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: user,
        encoding: 'utf8',
      });
      expect(status).to.equal(1);
      expect(stderr).to.contain('ERR_PACKAGE_PATH_NOT_EXPORTED');
    });

    function readyUser(): string {
      folder.write('user/readings.yaml', 'ppf-anonymous: 401\n');
      return user;
    }
  });
});

/** A program that uses the library. */
const library = `
import { createFake, startFake } from 'cwx-fake';
const body = { users: ['alice'], filters: [10500] };
const within = await createFake();
const served = await startFake({ scenario: 'unlicensed' });
const statuses = [within, served].map(async fake => (await fake.sandbox().client('admin').ppf.push({ body })).status);
const healths = [within.fetch('/_fake/health'), fetch(served.url + '/_fake/health')];
const scenarios = healths.map(async health => (await (await health).json()).scenario);
console.log(...(await Promise.all([...statuses, ...scenarios])));
await within.stop();
await served.stop();
`;

/** The same with types, one of them wrong on purpose. */
const consumer = `
import { createFake, FakeError, providerStates, type Sandbox, type StateHandlers } from 'cwx-fake';
await using fake = await createFake({ readings: { 'unknown-user': '400' } });
const sandbox: Sandbox = fake.sandbox();
const answer = await sandbox.client('admin').groups.addUsers({ body: { group: 'customers', users: ['alice'] } });
if (answer.ok) console.log(answer.status satisfies 200 | 204);
// @ts-expect-error: there is no such reading
await sandbox.readings.set({ 'unknown-user': '405' });
const world = await sandbox.world();
console.log(world.groups.customers?.length, world.users.alice?.displayName.length);
export const handlers: StateHandlers = providerStates(fake);
export const response: Response = await sandbox.fetch('/rest/cwx-ppf/latest/push', { method: 'POST' });
export const error = new FakeError('a', [{ message: 'b' }]);
`;

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
