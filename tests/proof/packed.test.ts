// The published package: packed from a fresh clone, installed into an empty folder, and started there.

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { packageFolder } from '../support/processes/built.js';
import { endAll, LENIENT, launch } from '../support/processes/command-line.js';
import { send, sendJson } from '../support/wire/server.js';
import { image } from './image.js';
import { install, type Packed, packFrom } from './packed-package.js';

const exec = promisify(execFile);

describe('the package', function () {
  this.timeout(600_000);
  let folder: Scratch;
  let packed: Packed;
  let names: readonly string[];

  before(async () => {
    folder = scratch({ 'user/package.json': '{ "private": true }\n' });
    packed = await packFrom(folder.path);
    names = packed.files;
  });
  after(() => {
    endAll();
    folder.drop();
  });

  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const filesIn = (kind: string) =>
    readdirSync(join(packageFolder, kind), { recursive: true, encoding: 'utf8' })
      .map(name => join(kind, name))
      .filter(name => statSync(join(packageFolder, name)).isFile());

  it('contains exactly what is intended: the program, its types, worlds, stories, documents and examples', () => {
    const wholly = ['fixtures', 'scenarios', 'dist/contracts', 'docs', 'examples'].flatMap(filesIn);
    const single = [
      'cli/bin.cjs',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'llms.txt',
      'package.json',
      'contracts/openapi.json',
    ];
    const made = ['cli.js', 'cwx-fake.cjs', 'index.js', 'index.mjs', 'index.d.ts', 'index.d.mts', 'process.js'];
    const built = [...made, 'package.json', 'LICENSES.txt', 'sbom.cdx.json', 'checked.json', 'checked-suites.json'].map(
      name => `dist/server/${name}`,
    );
    const dashboard = ['dashboard.css', 'dashboard.js', 'icon.svg', 'index.html'].map(name => `dist/ui/${name}`);
    const all = [...wholly, ...single, ...built, ...dashboard];
    expect(names).to.include.members(all);
    const known = new Set(all);
    const others = names.filter(name => !known.has(name));
    const isPart = (name: string) => /^dist\/server\/(?:packages\/[\w-]+\.js|[\w/-]+\.d\.ts)$/.test(name);
    expect(others.filter(name => !isPart(name))).to.deep.equal([]);
  });

  it('has no errors by publint, and by attw for its types', async () => {
    const tarball = packed.tarball;
    for (const [tool, ...args] of [
      ['publint', 'run', tarball, '--strict'],
      ['attw', tarball],
    ] as const) {
      const { stdout } = await exec(join(packageFolder, 'tests/tools/node_modules/.bin', tool), args, {
        cwd: packageFolder,
      });
      expect(stdout).to.match(/All good!|No problems found/);
    }
  });

  it('runs nothing on installation, and leaves the clone unchanged', () => {
    const inTarball = ['-xOf', packed.tarball, 'package/package.json'];
    const published = JSON.parse(spawnSync('tar', inTarball, { encoding: 'utf8' }).stdout) as typeof manifest;
    expect(published).not.to.have.any.keys('scripts', 'devDependencies');
    expect(published.version).to.equal(manifest.version);
    expect(readFileSync(join(folder.path, 'clone/package.json'), 'utf8')).to.equal(
      readFileSync(join(packageFolder, 'package.json'), 'utf8'),
    );
  });

  it('has a bill of materials of the bundle, and nothing else', () => {
    const bill = readFileSync(join(folder.path, 'clone/dist/server/sbom.cdx.json'), 'utf8');
    const { bomFormat, components } = JSON.parse(bill) as {
      bomFormat: string;
      components: Array<{ name: string; version: string; group?: string }>;
    };
    const licences = readFileSync(join(packageFolder, 'dist/server/LICENSES.txt'), 'utf8');
    const bundled = [...licences.matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(([, name, version]) => `${name}@${version}`);
    const listed = components.map(
      ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`,
    );
    expect(bomFormat).to.equal('CycloneDX');
    expect(new Set(listed)).to.deep.equal(new Set(bundled));
  });

  describe('as a container image', () => image(() => packed.tarball));

  describe('installed', () => {
    let user: string;
    before(async function () {
      user = join(folder.path, 'user');
      const unanswered = await install(user, packed.tarball);
      if (unanswered === undefined) return;
      if (process.env.CI === 'true') throw new Error(unanswered);
      console.log(`      skipped, the registry does not respond: ${unanswered}`);
      this.skip();
    });

    const inPackage = (path: string) => join(user, 'node_modules/cwx-fake', path);

    it('is one package, as large as the README says, with the licence of each bundled one', () => {
      const installed = readdirSync(join(user, 'node_modules')).filter(name => !name.startsWith('.'));
      expect(installed).to.deep.equal(['cwx-fake']);
      const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
      const [, megabytes] = /a single ([\d.]+) MB package/.exec(readme) ?? [];
      const files = readdirSync(inPackage('.'), { recursive: true, encoding: 'utf8' }).map(inPackage);
      const bytes = files.map(file => statSync(file)).filter(stats => stats.isFile());
      expect(bytes.reduce((sum, { size }) => sum + size, 0) / 1e6).to.be.closeTo(Number(megabytes), 0.5);
      const sources = files.filter(file => /\.c?js$/.test(file)).map(file => readFileSync(file, 'utf8'));
      const origin = /^ *\/\/ (?:.*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm; // as the bundler reports
      const bundled = sources.flatMap(text => [...text.matchAll(origin)].map(([, name]) => name));
      const licences = readFileSync(inPackage('dist/server/LICENSES.txt'), 'utf8');
      expect(bundled).to.include.members(['koa', 'ajv', 'yaml', 'immutable', 're2js', 'iconv-lite']);
      expect(bundled.filter(name => !new RegExp(`^${name} \\S+ \\(`, 'm').test(licences))).to.deep.equal([]);
    });

    it('has an executable command', function () {
      if (process.platform === 'win32') return this.skip();
      const { status, stdout } = spawnSync(join(user, 'node_modules/.bin/cwx-fake'), ['--version'], {
        encoding: 'utf8',
      });
      expect({ status, stdout }).to.deep.equal({ status: 0, stdout: `${manifest.version}\n` });
    });

    it('answers an operation, from the files in the package', async () => {
      const server = await launch(['unlicensed', '--readings', 'readings.yaml'], {
        cwd: readyUser(),
        program: inPackage('dist/server/cli.js'),
      });
      const response = await sendJson(
        `${server.url}/rest/cwx-ppf/latest/push`,
        'POST',
        { users: ['alice'], filters: [10500] },
        'admin',
      );
      expect(response.status).to.equal(403);
      expect(response.headers.get('x-fake-rules')).to.contain('ppf.licensed-only');
      const { scenarios } = (await send(`${server.url}/_fake/v1/scenarios`)).json as { scenarios: unknown[] };
      expect(scenarios.length).to.be.above(0);
      const { code, stderr } = await server.signal('SIGTERM');
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: LENIENT });
    });

    it('is a library: imported, with and without a socket, on the files in the package', async () => {
      folder.write('user/library.mjs', library);
      const { stdout, stderr } = await exec(process.execPath, ['library.mjs'], { cwd: user });
      expect({ stdout, stderr }).to.deep.equal({ stdout: '200 403 small-team unlicensed\n', stderr: '' });
    });

    it('is the same library in CommonJS, even in a module registry without import(), with the globals of a browser, as in Jest with jsdom', async () => {
      folder.write('user/registry.cjs', registry);
      const { stdout, stderr } = await exec(process.execPath, ['registry.cjs'], { cwd: user });
      expect(stdout).to.equal('200 403 small-team unlicensed true\n');
      expect(JSON.parse(stderr)).to.include({ msg: 'request', status: 403, operation: 'ppf.push' }); // one line, by the logger
      const both = "import('cwx-fake').then(esm => console.log(esm.FakeError === require('cwx-fake').FakeError))";
      expect((await exec(process.execPath, ['-e', both], { cwd: user })).stdout).to.equal('true\n');
    });

    it('does nothing when it is imported', async () => {
      const program = `
        const { length } = Object.keys(globalThis);
        const listeners = process.eventNames().length;
        await import('cwx-fake');
        const open = process.getActiveResourcesInfo().filter(name => /Timeout|Immediate|TCP|Server|FSEvent|Worker/.test(name));
        console.log(open.length, Object.keys(globalThis).length - length, process.eventNames().length - listeners);`;
      const { stdout, stderr } = await exec(process.execPath, ['--input-type=module', '-e', program], { cwd: user });
      expect({ stdout, stderr }).to.deep.equal({ stdout: '0 0 0\n', stderr: '' });
    });

    for (const [version, tsc] of [
      ['the newest', join(packageFolder, 'node_modules/typescript/bin/tsc')],
      ['5.4', join(packageFolder, 'tests/tools/node_modules/typescript-5.4/bin/tsc')],
    ] as const)
      it(`has self-contained types for TypeScript ${version}: without those of Koa, and fully checked`, () => {
        hasTypesFor(tsc);
      });

    function hasTypesFor(tsc: string): void {
      folder.write('user/consumer.mts', consumer);
      folder.write('user/consumer.cts', consumer.replace(/^await using.*$/m, inFunction).concat('}\n'));
      const compilerOptions = { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false };
      const typeRoots = [join(user, 'types')]; // those of Node, and no others
      mkdirSync(join(user, 'types'), { recursive: true });
      const types = join(user, 'types/node');
      if (!existsSync(types)) symlinkSync(join(packageFolder, 'node_modules/@types/node'), types);
      const options = { ...compilerOptions, target: 'es2022', lib: ['es2023'], typeRoots, types: ['node'] };
      folder.write(
        'user/tsconfig.json',
        JSON.stringify({ compilerOptions: options, include: ['consumer.mts', 'consumer.cts'] }),
      );
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', user, '--listFiles'], { encoding: 'utf8' });
      const files = stdout.split('\n');
      expect(
        files.filter(line => line.includes(': error TS')),
        stdout,
      ).to.deep.equal([]);
      expect(status).to.equal(0);
      expect(
        files.filter(file => /node_modules\/(@types\/)?(koa|ajv|yaml|pino|light-my-request|immutable)/.test(file)),
      ).to.deep.equal([]);
    }

    it('exports nothing else', async () => {
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

/** Starts fakes in a module registry and a context of its own, as test runners do, in which a dynamic import is refused, and most globals of Node are missing. */
const registry = `
const { readFileSync } = require('node:fs');
const { createRequire, isBuiltin } = require('node:module');
const { dirname } = require('node:path');
const { compileFunction, createContext } = require('node:vm');
const numbered = start => (...given) => Number(start(...given));
const [later, again] = [setTimeout, setInterval].map(numbered);
const timers = { setTimeout: later, setInterval: again, clearTimeout, clearInterval, queueMicrotask };
const parsingContext = createContext({ Buffer, console, process, ...timers, URL: class {}, AbortController: class {} });
parsingContext.global = parsingContext;
const loaded = new Map();
function load(file) {
  if (loaded.has(file)) return loaded.get(file).exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const resolve = createRequire(file).resolve;
  const inner = path => (isBuiltin(path) ? require(path) : load(resolve(path)));
  const names = ['module', 'exports', 'require', '__filename', '__dirname'];
  compileFunction(readFileSync(file, 'utf8'), names, { filename: file, parsingContext })(module, module.exports, inner, file, dirname(file));
  return module.exports;
}
const { createFake, startFake, FakeError } = load(require.resolve('cwx-fake'));
void (async () => {
  const body = { users: ['alice'], filters: [10500] };
  const within = await createFake();
  const served = await startFake({ scenario: 'unlicensed', log: 'json' });
  const statuses = [within, served].map(async fake => (await fake.sandbox().client('admin').ppf.push({ body })).status);
  const healths = [within.fetch('/_fake/health'), fetch(served.url + '/_fake/health')];
  const scenarios = healths.map(async health => (await (await health).json()).scenario);
  const refused = await createFake({ store: 'redis://127.0.0.1:1' }).catch(error => error);
  const absent = await createFake({ scenario: './absent.yaml' }).catch(error => error);
  await within.guide();
  const isRefused = refused instanceof FakeError && refused.message.includes('npm install @redis/client') && absent.message.includes('No such file');
  console.log(...(await Promise.all([...statuses, ...scenarios])), isRefused);
  await within.stop();
  await served.stop();
})();
`;

/** Uses of the types, one of them wrong on purpose. */
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
const handlers: StateHandlers = providerStates(fake);
const response: Response = await sandbox.fetch('/rest/cwx-ppf/latest/push', { method: 'POST' });
const error = new FakeError('a', [{ message: 'b' }]);
console.log(handlers, response, error);
`;

/** CommonJS has no `await` outside a function. */
const inFunction = `export async function use(): Promise<void> {
await using fake = await createFake({ readings: { 'unknown-user': '400' } });`;
