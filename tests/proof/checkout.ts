// A copy of the sources as a fresh clone has them, with the packages that are installed here: for tests that build and pack.
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { built, packageFolder } from '../support/processes/built.js';

const PARTS = [
  'build',
  'contracts',
  'docs',
  'examples',
  'llms.txt',
  'fixtures',
  'scenarios',
  'server',
  'harness',
  'cli',
  'ui',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
];

export function checkOut(folder: string): void {
  for (const part of PARTS) cpSync(join(packageFolder, part), join(folder, part), { recursive: true });
  symlinkSync(join(packageFolder, 'node_modules'), join(folder, 'node_modules'));
}

/** Checks out and builds. */
export async function checkOutBuilt(folder: string): Promise<void> {
  await built();
  checkOut(folder);
  cpSync(join(packageFolder, 'dist'), join(folder, 'dist'), { recursive: true });
}
