// The documentation's examples for test runners: each passes and compiles as it stands. tests/proof shows that each can fail.
import { join } from 'node:path';
import { expect } from 'chai';
import type { Scratch } from '../../support/files/scratch.js';
import { built, packageFolder } from '../../support/processes/built.js';
import { exampleProject, examples, runExample } from './example-project.js';

describe('the examples of the documentation for test runners', function () {
  this.timeout(120_000);
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
    expect([code, output]).to.deep.equal([0, '']);
  });
});
