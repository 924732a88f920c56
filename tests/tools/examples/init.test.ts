// The test that `cwx-fake init` writes, under Vitest.
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { scratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { run } from '../../support/processes/command-line.js';
import { installed, linkPackages } from '../installed.js';

describe('the test that cwx-fake init writes', () => {
  it('passes with Vitest', async () => {
    const place = scratch({ 'package.json': JSON.stringify({ devDependencies: { vitest: '4', 'cwx-fake': '0' } }) });
    after(() => place.drop());
    linkPackages(place.path, ['vitest']);
    symlinkSync(packageFolder, join(place.path, 'node_modules/cwx-fake'));
    await run(['init'], { cwd: place.path });
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [installed('vitest/vitest.mjs'), 'run', 'test/cwx-fake.test.mjs'],
      { cwd: place.path, encoding: 'utf8' },
    );
    expect(status, stdout + stderr).to.equal(0);
    expect(stdout).to.match(/1 passed/);
  });
});
