// What users copy, with the packed package: each project of examples/ as they run it, and the action with its shell parts.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { blockWith } from '../../docs/markdown.js';
import { checkOutBuilt } from '../../proof/checkout.js';
import { install, packFrom } from '../../proof/packed-package.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { hasProgram } from '../../support/processes/programs.js';
import { linkPackages } from '../installed.js';

/** The output that shows that its tests have run, by folder. */
const PROOFS: Readonly<Record<string, RegExp>> = {
  ci: /^(?:job [1-4] passed\n){4}$/m,
  demo: /1 scenario, 3 steps (?:held|passed), 0 failed/,
  java: /2 tests successful/,
  jest: /Tests: +2 passed, 2 total/,
  mocha: /3 passing/,
  msw: /Tests +2 passed \(2\)/,
  'node-test': /^[#ℹ] pass 2$/m, // Node 24 prints ℹ, Node 20 #
  onboarding: /^[#ℹ] pass 2$/m,
  pact: /✔ Verification against a fake in this process: 0 passed, 1 warning/,
  playwright: /^ +2 passed/m,
  python: /3 passed in/,
  vitest: /Tests +3 passed \(3\)/,
  'vitest-workers': /Tests +2 passed \(2\)/,
};
/** Cypress downloads its program, and Testcontainers needs Docker: these compile only. */
const NOT_RUN = ['cypress', 'testcontainers'];
/** Packages of this project are not downloaded again. */
const HERE = [
  ...['@pact-foundation', '@playwright/test', '@types/node', 'chai', 'confluence.js', 'cypress', 'jest', 'jira.js'],
  ...['mocha', 'msw', 'playwright', 'testcontainers', 'tsx', 'typescript', 'vitest'],
];
/** The published schemas of compose files and of Kubernetes. */
const SCHEMAS = ['dclint@3.1.0', 'kubernetes-models@5.1.0'];
const JUNIT = '/usr/share/java/junit-jupiter.jar';

let place: Scratch;

describe('what users copy', function () {
  this.timeout(180_000);
  before(async function () {
    place = scratch({ 'package.json': '{ "private": true }\n' });
    const { tarball } = await packFrom(place.path, checkOutBuilt);
    const unanswered = await install(place.path, tarball, ...SCHEMAS);
    if (unanswered !== undefined) {
      if (process.env.CI === 'true') throw new Error(unanswered);
      console.log(`      skipped, the registry does not respond: ${unanswered}`);
      this.skip();
    }
    linkPackages(place.path, HERE);
    cpSync(join(packageFolder, 'examples'), join(place.path, 'examples'), { recursive: true });
  });
  after(() => place.drop());

  describe('the examples', examples);
  describe('the action', action);
  describe('the files for containers', containers);
});

function examples(): void {
  it('are the known ones, each with a README and a test', () => {
    const folders = readdirSync(join(packageFolder, 'examples')).filter(name => name !== 'README.md');
    expect(folders).to.have.members([...Object.keys(PROOFS), ...NOT_RUN]);
    for (const name of folders) {
      const readme = readFileSync(join(packageFolder, 'examples', name, 'README.md'), 'utf8');
      expect(readme.split('\n').length, name).to.be.within(10, 26);
      expect(versionIn(name, 'cwx-fake'), name).to.equal(`^${ownVersion()}`);
    }
  });

  for (const name of ['cypress', 'msw', 'playwright', 'testcontainers', 'vitest', 'vitest-workers'])
    it(`${name} compiles`, () => {
      const cwd = join(place.path, 'examples', name);
      const files = readdirSync(cwd).filter(file => file.endsWith('.ts'));
      expect(compiled(cwd, files)).to.equal('');
    });

  it('cypress has tasks that give each test a sandbox and its world', async () => {
    const program = `
      import config from './cypress.config.ts';
      const found = {};
      await config.e2e.setupNodeEvents((event, given) => Object.assign(found, event === 'task' ? given : { stop: given }));
      const [first, second] = [found.sandbox(), found.sandbox()];
      const body = JSON.stringify({ group: 'customers', users: ['alice'] });
      const headers = { 'Content-Type': 'application/json', Origin: 'http://localhost:3000' };
      await fetch(second + '/rest/cwxapiextension/latest/groups/add-users', { method: 'POST', headers, body });
      console.log(first !== second, (await found.world()).groups.customers);
      await found.stop();`;
    const { code, output } = await running('node', ['--import', 'tsx', '--input-type=module', '-e', program], {
      cwd: join(place.path, 'examples/cypress'),
    });
    expect({ code, output }).to.deep.equal({ code: 0, output: "true [ 'alice' ]\n" });
  });

  for (const [name, proof] of Object.entries(PROOFS))
    it(`${name} passes`, async function () {
      if (name === 'java' && !hasJava()) this.skip();
      if (name === 'python' && !hasPytest()) this.skip();
      if (name === 'playwright' && !hasProgram('chromium', 'chromium')) this.skip();
      const { code, output } = await npmTest(join(place.path, 'examples', name));
      expect(code, output).to.equal(0);
      expect(output).to.match(proof);
    });

  it('fail if the fake answers differently', async () => {
    const client = join(place.path, 'examples/mocha/favourites.js');
    writeFileSync(client, readFileSync(client, 'utf8').replace('isComplete: success', 'isComplete: true'));
    const { code, output } = await npmTest(join(place.path, 'examples/mocha'));
    expect(code).not.to.equal(0);
    expect(output).to.include('tells who is unknown');
  });
}

function action(): void {
  const text = readFileSync(join(packageFolder, 'action.yml'), 'utf8');
  const { runs, inputs, outputs } = parse(text);

  it('starts a fake, outputs its address and token, and saves its journal and requests', async () => {
    const started = await start({
      scenario: 'unlicensed',
      readings: 'unknown-user=400',
      flags: '--reading\nppf-anonymous=401',
    });
    expect(started.code, started.said).to.equal(0);
    expect(Object.keys(started.outputs)).to.have.members(Object.keys(outputs));
    const { url, token, save, reports } = started.outputs as Record<'url' | 'token' | 'save' | 'reports', string>;
    try {
      expect(started.said).to.include(`::add-mask::${token}`);
      expect((await fetch(`${url}/rest/cwx-ppf/latest/push`, { method: 'POST', body: '{}' })).status).to.equal(401);
      expect((await fetch(`${url}/_fake/v1/sandboxes`)).status).to.equal(401);
      await bash(save, { CWX_FAKE_CONTROL_TOKEN: token });
      const journal = readFileSync(join(reports, 'journal.json'), 'utf8');
      expect((JSON.parse(journal) as { entries: unknown[] }).entries).to.have.lengthOf(1);
      expect(readFileSync(join(reports, 'requests.yaml'), 'utf8')).to.include('title: Requests of default');
    } finally {
      process.kill(Number(readFileSync(join(reports, 'fake.pid'), 'utf8')), 'SIGTERM');
    }
  });

  it('fails with the log if the fake does not start', async () => {
    const { code, said } = await start({ scenario: 'nonsuch' });
    expect(code).to.equal(1);
    expect(said).to.include('Unknown scenario "nonsuch"').and.include('::error::cwx-fake did not start');
  });

  /** Runs its step like the runner, with these inputs. */
  async function start(given: Readonly<Record<string, string>>) {
    const [step] = runs.steps;
    const own = mkdtempSync(join(place.path, 'a \\ runner-'));
    const filled = Object.entries<string>(step.env).map(([name, value]) => [
      name,
      value
        .replace(/\$\{\{ inputs\.(\w+) \}\}/, (_, input: string) => given[input] ?? inputs[input]?.default ?? '')
        .replace(/\$\{\{ runner\.temp \}\}/, own),
    ]);
    const files = { GITHUB_OUTPUT: join(own, 'output'), GITHUB_ENV: join(own, 'env') };
    const { code, said } = await bash(step.run, { ...Object.fromEntries(filled), ...files });
    const lines = existsSync(files.GITHUB_OUTPUT) ? readFileSync(files.GITHUB_OUTPUT, 'utf8').trim().split('\n') : [];
    return {
      code,
      said,
      outputs: Object.fromEntries(
        lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ),
    };
  }
}

function containers(): void {
  const block = (first: string) => blockWith('docs/how-to/run-in-a-container.md', 'yml', first);

  it('match the schema of compose files', () => {
    const kept = block('# compose.yml');
    expect(invalid(kept)).to.deep.equal([]);
    expect(invalid(kept.replace('stop_grace_period', 'stop_grace_perod'))).to.have.lengthOf(1);
  });

  it('match the schemas of Kubernetes, and use no unknown field', () => {
    const kept = block('# kubernetes.yml');
    expect(unfit(kept)).to.equal('');
    expect(unfit(kept.replace('periodSeconds', 'periodSecond'))).to.match(/periodSecond.* does not exist/);
    expect(unfit(kept.replace('replicas: 3', 'replicas: three'))).to.include("'string' is not assignable");
  });

  /** The findings of dclint that are not a matter of taste. */
  function invalid(text: string): readonly unknown[] {
    writeFileSync(join(place.path, 'compose.yml'), text);
    const { stdout } = spawnSync('npx', ['--no-install', 'dclint', 'compose.yml', '--formatter', 'json'], {
      cwd: place.path,
      encoding: 'utf8',
    });
    const [{ messages }] = JSON.parse(stdout) as [{ messages: ReadonlyArray<{ rule: string }> }]; // so dclint prints
    return messages.filter(({ rule }) => rule === 'invalid-schema' || rule === 'invalid-yaml');
  }

  /** The errors of the compiler for the manifests as values of the types made from the schemas. */
  function unfit(text: string): string {
    const values = parseAllDocuments(text).map(one => {
      const { apiVersion, kind } = one.toJS() as Record<'apiVersion' | 'kind', string>;
      const name = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`;
      return `${JSON.stringify(one.toJS())} satisfies ${name}`;
    });
    expect(values).to.have.lengthOf(2);
    writeFileSync(join(place.path, 'manifests.mts'), `export default [${values.join(',\n')}];\n`);
    return compiled(place.path, ['manifests.mts']);
  }
}

function compiled(cwd: string, files: readonly string[]): string {
  const tsc = join(packageFolder, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node', '--ignoreConfig'];
  return spawnSync(process.execPath, [tsc, ...flags, ...files], { cwd, encoding: 'utf8' }).stdout;
}

/** Like the runner starts bash; background processes go on. */
async function bash(script: string, env: Readonly<Record<string, string>>) {
  const out = join(mkdtempSync(join(place.path, 'bash-')), 'out');
  const file = openSync(out, 'w');
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: place.path,
    env: { ...process.env, ...env },
    stdio: ['ignore', file, file],
  });
  const [code] = (await once(child, 'exit')) as [number]; // so a process ends
  return { code, said: readFileSync(out, 'utf8') };
}

function versionIn(example: string, name: string): string | undefined {
  const text = readFileSync(join(packageFolder, 'examples', example, 'package.json'), 'utf8');
  return (JSON.parse(text) as { devDependencies: Record<string, string> }).devDependencies[name];
}

function ownVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version;
}

function hasJava(): boolean {
  return hasProgram('javac', 'default-jdk-headless') && has('JUnit', existsSync(JUNIT), 'junit5');
}

function hasPytest(): boolean {
  return has('pytest', spawnSync('python3', ['-m', 'pytest', '--version']).status === 0, 'python3-pytest');
}

/** Whether what a Debian package installs is there; CI has it. */
function has(what: string, isThere: boolean, debian: string): boolean {
  const lacking = `there is no ${what}: install the Debian package ${debian}`;
  if (!isThere && process.env.CI === 'true') throw new Error(lacking);
  if (!isThere) process.stderr.write(`skipped: ${lacking}\n`);
  return isThere;
}

function npmTest(cwd: string) {
  return running('npm', ['test', '--silent'], { cwd });
}

function running(
  program: string,
  args: readonly string[],
  { cwd }: { readonly cwd: string },
): Promise<{ readonly code: number; readonly output: string }> {
  const { NODE_OPTIONS: _, FORCE_COLOR: __, ...inherited } = process.env;
  const further = { NO_COLOR: '1', CI: 'true', PACT_DO_NOT_TRACK: 'true', CHROMIUM: '/usr/bin/chromium' };
  return new Promise(resolve => {
    execFile(program, args, { cwd, env: { ...inherited, ...further }, timeout: 170_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });
}
