// `npm run update -- --check`, which generates every file anew.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageFolder } from '../../support/processes/built.js';

describe('the generated files', () => {
  it('can be compared from the command line', () => {
    const script = join(packageFolder, 'contracts/update.ts');
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, '--check'], {
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
  });
});
