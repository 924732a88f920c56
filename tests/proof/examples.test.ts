// Each project of examples/ as a user runs it, with the packed package: `npm test` passes, and has run something.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageFolder } from '../support/built.js';
import { install, packFrom } from '../support/packed.js';
import { hasProgram } from '../support/programs.js';
import { type Scratch, scratch } from '../support/scratch.js';

/** What shows that its tests have run, by the folder. */
const PROOFS: Readonly<Record<string, RegExp>> = {
  ci: /^(?:job [1-4] passed\n){4}$/m,
  demo: /1 scenario, 3 steps (?:held|passed), 0 failed/,
  java: /2 tests successful/,
  jest: /Tests: +2 passed, 2 total/,
  mocha: /3 passing/,
  'node-test': /^# pass 2$/m,
  pact: /1 interaction: 1 (?:held|passed)[\s\S]*The contracts hold/,
  python: /^Ran 3 tests[\s\S]*^OK$/m,
  vitest: /Tests +3 passed \(3\)/,
};
/** What this project has itself is not fetched again. */
const HERE = ['@pact-foundation', 'chai', 'mocha', 'vitest'];
const JUNIT = '/usr/share/java/junit-jupiter.jar';

describe('the examples', function () {
  this.timeout(180_000);
  let place: Scratch;
  before(async function () {
    place = scratch({ 'package.json': '{ "private": true }\n' });
    const { tarball } = await packFrom(place.path);
    const unanswered = await install(place.path, tarball, `jest@${versionIn('jest', 'jest')}`);
    if (unanswered !== undefined) {
      if (process.env.CI === 'true') throw new Error(unanswered);
      console.log(`      skipped, the registry does not answer: ${unanswered}`);
      this.skip();
    }
    for (const name of HERE) borrow(name, place.path);
    cpSync(join(packageFolder, 'examples'), join(place.path, 'examples'), { recursive: true });
  });
  after(() => place.drop());

  it('are those that are known, each with a README and a test', () => {
    const folders = readdirSync(join(packageFolder, 'examples')).filter(name => name !== 'README.md');
    expect(folders).to.have.members(Object.keys(PROOFS));
    for (const name of folders) {
      const readme = readFileSync(join(packageFolder, 'examples', name, 'README.md'), 'utf8');
      expect(readme.split('\n').length, name).to.be.within(10, 26);
      expect(versionIn(name, 'cwx-fake'), name).to.equal(`^${ownVersion()}`);
    }
  });

  for (const [name, proof] of Object.entries(PROOFS))
    it(`${name} passes`, async function () {
      if (name === 'java' && !hasJava()) this.skip();
      if (name === 'python' && !hasProgram('python3', 'python3')) this.skip();
      const { code, output } = await npmTest(join(place.path, 'examples', name));
      expect(code, output).to.equal(0);
      expect(output).to.match(proof);
    });

  it('fail where the fake answers otherwise', async () => {
    const client = join(place.path, 'examples/mocha/favourites.js');
    writeFileSync(client, readFileSync(client, 'utf8').replace('isComplete: success', 'isComplete: true'));
    const { code, output } = await npmTest(join(place.path, 'examples/mocha'));
    expect(code).not.to.equal(0);
    expect(output).to.include('tells who is unknown');
  });
});

function versionIn(example: string, name: string): string | undefined {
  const text = readFileSync(join(packageFolder, 'examples', example, 'package.json'), 'utf8');
  return (JSON.parse(text) as { devDependencies: Record<string, string> }).devDependencies[name];
}

function ownVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version;
}

function borrow(name: string, folder: string): void {
  const modules = join(folder, 'node_modules');
  symlinkSync(join(packageFolder, 'node_modules', name), join(modules, name));
  const bin = join(packageFolder, 'node_modules/.bin', name);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  if (existsSync(bin)) symlinkSync(bin, join(modules, '.bin', name));
}

function hasJava(): boolean {
  if (!hasProgram('javac', 'default-jdk-headless')) return false;
  if (existsSync(JUNIT)) return true;
  if (process.env.CI === 'true') throw new Error('there is no JUnit: install the Debian package junit5');
  process.stderr.write('skipped: there is no JUnit: install the Debian package junit5\n');
  return false;
}

function npmTest(cwd: string): Promise<{ readonly code: number; readonly output: string }> {
  const { NODE_OPTIONS: _, FORCE_COLOR: __, ...inherited } = process.env;
  const env = { ...inherited, NO_COLOR: '1', CI: 'true', PACT_DO_NOT_TRACK: 'true' };
  return new Promise(resolve => {
    execFile('npm', ['test', '--silent'], { cwd, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });
}
