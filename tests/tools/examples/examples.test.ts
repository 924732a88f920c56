// The documentation's examples for test runners: each passes and compiles as it stands, and fails with another expectation.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { blocks, pages } from '../../docs/markdown.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { built, packageFolder } from '../../support/processes/built.js';
import { linkPackages } from '../installed.js';

/** The expectation of an example of each runner, and a wrong one, by its file. */
const otherwise: Record<string, readonly [expected: string, other: string]> = {
  'onboard.test.ts': ["['alice', 'demouser1']", "['demouser1']"],
  'first.test.mjs': ['filters, [10500]', 'filters, [10600]'],
  'onboarding.test.ts': ["toEqual(['demouser1', 'dora'])", "toEqual(['demouser1'])"],
};

interface Example {
  readonly file: string;
  /** The words of the command in its first line. */
  readonly command: readonly string[];
  readonly text: string;
}

const examples: readonly Example[] = pages
  .flatMap(({ text }) => [...blocks(text, 'ts'), ...blocks(text, 'js')])
  .flatMap(text => {
    const [, file, command] = /^\/\/ (\S+\.test\.m?[tj]s): (.+)\n/.exec(text) ?? [];
    return file === undefined || command === undefined ? [] : [{ file, command: command.split(' '), text }];
  });

describe('the examples of the documentation for test runners', () => {
  let project: Scratch;

  before(async () => {
    await built();
    project = exampleProject();
  });
  after(() => project.drop());

  it('exist for mocha, vitest and node:test', () => {
    const programs = examples.map(({ command }) => command.filter(word => /^(mocha|vitest|--test)$/.test(word)).join());
    expect(examples.length).to.be.above(7);
    expect(new Set(programs)).to.deep.equal(new Set(['mocha', '--test', 'vitest']));
  });

  for (const { command } of examples) {
    it(`${command.join(' ')} passes`, async () => {
      const { code, output } = await runExample(command, project.path);
      expect(code, output).to.equal(0);
      expect(output).to.match(/\b[1-9] pass(ed|ing)|# pass [1-9]|pass [1-9]/);
    });
  }

  for (const [file, [expected, other]] of Object.entries(otherwise)) {
    it(`${file} fails with a wrong expectation`, async () => {
      const { command, text } = examples.find(one => one.file === file) ?? expect.fail(file);
      expect(text.split(expected)).to.have.lengthOf(2);
      const changed = file.replace('.test.', '-changed.test.');
      project.write(changed, text.replace(expected, other));
      const { code, output } = await runExample(
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
    const { code, output } = await runExample(['node', tsc, '-p', '.'], project.path);
    expect({ code, output }).to.deep.equal({ code: 0, output: '' });
  });
});

function exampleProject(): Scratch {
  const project = scratch({ 'package.json': '{ "private": true, "type": "module" }\n' });
  const modules = join(project.path, 'node_modules');
  mkdirSync(modules);
  symlinkSync(packageFolder, join(modules, 'cwx-fake'));
  linkPackages(project.path, ['@types/chai', '@types/mocha', '@types/node', 'chai', 'mocha', 'tsx', 'vitest']);
  for (const { file, text } of examples) project.write(file, text);
  return project;
}

function runExample(
  command: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const [program = '', ...args] = command[0] === 'npx' ? ['npx', '--no-install', ...command.slice(1)] : command;
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise(resolve => {
    execFile(program, args, { cwd, env: { ...env, NO_COLOR: '1', CI: 'true' } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });
}
