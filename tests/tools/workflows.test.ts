// The workflow files for a forge and the action, by a linter: they cannot run here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageFolder } from '../support/processes/built.js';

interface Validation {
  readonly errors: readonly object[];
}

describe('the files for a forge', () => {
  const folder = join(packageFolder, '.github/workflows');
  let validate: { workflow(text: string): Validation; action(text: string): Validation };
  before(async () => {
    const { validateWorkflow, validateAction } = await import('@action-validator/core');
    validate = { workflow: validateWorkflow, action: validateAction };
  });

  for (const name of readdirSync(folder))
    it(`are valid: ${name}`, () => {
      expect(validate.workflow(readFileSync(join(folder, name), 'utf8')).errors).to.deep.equal([]);
    });

  it('are valid: action.yml', () => {
    expect(validate.action(readFileSync(join(packageFolder, 'action.yml'), 'utf8')).errors).to.deep.equal([]);
  });

  it('are refused if a job has nowhere to run', () => {
    const [name = ''] = readdirSync(folder);
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('runs-on', 'run-on');
    expect(validate.workflow(text).errors).to.not.deep.equal([]);
  });
});
