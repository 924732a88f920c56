// The examples of the README for test runners, each run as it stands in a project of its own, where the package is this one.
// Each must pass, compile, and fail once what it expects is another thing.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { built, packageFolder } from '../support/built.js';
import { blocks } from '../support/readme.js';
import { type Scratch, scratch } from '../support/scratch.js';

interface Example {
  readonly file: string;
  /** The words of the command that its first line tells. */
  readonly command: readonly string[];
  readonly text: string;
}

const examples: readonly Example[] = blocks(readFileSync(join(packageFolder, 'README.md'), 'utf8'), 'ts').flatMap(
  text => {
    const [, file, command] = /^\/\/ (\S+\.test\.ts): (.+)\n/.exec(text) ?? [];
    return file === undefined || command === undefined ? [] : [{ file, command: command.split(' '), text }];
  },
);

/** What an example expects, and something else, by its file. */
const otherwise: Record<string, readonly [expected: string, other: string]> = {
  'back.test.ts': ["'<p>Hello, wiki.</p>'", "'<p>Goodbye, wiki.</p>'"],
  'push.test.ts': ['to.deep.equal([10500])', 'to.deep.equal([10600])'],
  'onboarding.test.ts': ["toEqual(['demouser1', 'dora'])", "toEqual(['demouser1'])"],
  'licence.test.ts': ["['ppf.licensed-only']", "['ppf.admin-only']"],
  'watching.test.ts': ["'ppf.success-flag'", "'ppf.failure-flag'"],
};

describe('the examples of the README for test runners', function () {
  this.timeout(120_000);
  let project: Scratch;

  before(async () => {
    await built();
    project = scratch({ 'package.json': '{ "private": true, "type": "module" }\n' });
    const modules = join(project.path, 'node_modules');
    mkdirSync(modules);
    symlinkSync(packageFolder, join(modules, 'cwx-fake'));
    for (const name of readdirSync(join(packageFolder, 'node_modules')))
      symlinkSync(join(packageFolder, 'node_modules', name), join(modules, name));
    for (const { file, text } of examples) project.write(file, text);
  });
  after(() => project.drop());

  it('are there for mocha, vitest and node:test', () => {
    expect(examples.map(({ file }) => file)).to.deep.equal(Object.keys(otherwise));
    const programs = examples.map(({ command }) =>
      command.filter(word => /^(npx|mocha|vitest|node|--test)$/.test(word)),
    );
    expect(programs).to.deep.equal([
      ['node', '--test'],
      ['npx', 'mocha'],
      ['npx', 'vitest'],
      ['node', '--test'],
      ['node', '--test'],
    ]);
  });

  for (const { file, command, text } of examples) {
    it(`${command.join(' ')} passes`, async () => {
      const { code, output } = await run(command, project.path);
      expect(code, output).to.equal(0);
      expect(output).to.match(/\b[1-9] pass(ed|ing)|# pass [1-9]|pass [1-9]/);
    });

    it(`${command.join(' ')} fails where something else is expected`, async () => {
      const [expected, other] = otherwise[file] ?? ['', ''];
      expect(text.split(expected)).to.have.lengthOf(2);
      const changed = file.replace('.test.ts', '-changed.test.ts');
      project.write(changed, text.replace(expected, other));
      const { code, output } = await run(
        command.map(word => (word === file ? changed : word)),
        project.path,
      );
      project.remove(changed);
      expect(code, output).not.to.equal(0);
      expect(output).to.match(/AssertionError|ERR_ASSERTION/);
    });
  }

  it('compile', async () => {
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
    };
    const config = {
      compilerOptions: { ...compilerOptions, skipLibCheck: true, types: ['node', 'mocha'] },
      include: ['*.ts'],
    };
    project.write('tsconfig.json', JSON.stringify(config));
    const tsc = join(packageFolder, 'node_modules/typescript/bin/tsc');
    const { code, output } = await run(['node', tsc, '-p', '.'], project.path);
    expect([code, output]).to.deep.equal([0, '']);
  });
});

/** Runs a command as a user would, who has installed everything. */
function run(command: readonly string[], cwd: string): Promise<{ readonly code: number; readonly output: string }> {
  const [program = '', ...args] = command[0] === 'npx' ? ['npx', '--no-install', ...command.slice(1)] : command;
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise(resolve => {
    execFile(program, args, { cwd, env: { ...env, NO_COLOR: '1', CI: 'true' } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });
}
