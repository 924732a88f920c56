// A user's program that a bundler has packed, with the package left out of the bundle, as docs/platforms.md says.
import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import { built, packageFolder } from '../../support/processes/built.js';
import { installed, linkPackages } from '../installed.js';

const exec = promisify(execFile);

const PROGRAM = `
import { createFake } from 'cwx-fake';
createFake().then(async fake => {
  console.log((await fake.fetch('/_fake/health')).status);
  await fake.stop();
});
`;

const WEBPACK = `
const webpack = require('webpack');
const config = {
  mode: 'production',
  target: 'node',
  entry: './program.js',
  output: { path: __dirname, filename: 'bundle.cjs' },
  externals: { 'cwx-fake': 'commonjs cwx-fake' },
};
webpack(config, (error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
});
`;

const bundlers: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  esbuild: [
    installed('esbuild/bin/esbuild'),
    ...['program.js', '--bundle', '--platform=node', '--external:cwx-fake', '--outfile=bundle.cjs'],
  ],
  webpack: [process.execPath, 'webpack.cjs'],
};

describe('a program that is bundled', () => {
  const project = useScratch({ 'program.js': PROGRAM, 'webpack.cjs': WEBPACK });
  before(() => built());

  for (const [name, [bundler, ...args]] of Object.entries(bundlers))
    it(`by ${name} runs with the package beside it`, async () => {
      linkPackages(project.path, ['webpack']);
      symlinkSync(packageFolder, join(project.path, 'node_modules/cwx-fake'));
      await exec(bundler, args, { cwd: project.path });
      const { stdout } = await exec(process.execPath, ['bundle.cjs'], { cwd: project.path });
      expect(stdout).to.equal('200\n');
    });
});
