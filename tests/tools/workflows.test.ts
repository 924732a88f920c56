// The workflow files for a forge, those that users copy, and the action, by a linter: they cannot run here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { expect } from 'chai';
import { blockWith } from '../docs/markdown.js';
import { packageFolder } from '../support/processes/built.js';

const read = (path: string) => readFileSync(join(packageFolder, path), 'utf8');
const own = readdirSync(join(packageFolder, '.github/workflows')).map(name => `.github/workflows/${name}`);

describe('the files for a forge', () => {
  it('are valid', () => {
    expect(validateAction(read('action.yml')).errors).to.deep.equal([]);
    const workflows = [
      ...[...own, 'examples/ci/.github/workflows/tests.yml'].map(read),
      blockWith('docs/how-to/run-in-ci.md', 'yml', 'Verify the contracts'),
      blockWith('docs/how-to/run-in-ci.md', 'yml', 'cwx-fake@main'),
    ];
    for (const workflow of workflows) expect(validateWorkflow(workflow).errors, workflow).to.deep.equal([]);
  });

  it('are refused if a job has nowhere to run', () => {
    const text = read(own[0] ?? '').replaceAll('runs-on', 'run-on');
    expect(validateWorkflow(text).errors).to.not.deep.equal([]);
  });
});
