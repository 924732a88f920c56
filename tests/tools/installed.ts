// The packages that are installed here or in the root, linked into a project that a test makes.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFolder } from '../support/processes/built.js';

const FOLDERS = [join(packageFolder, 'node_modules'), join(import.meta.dirname, 'node_modules')];

/** The path of an installed file, such as `vitest/vitest.mjs`. */
export function installed(path: string): string {
  const found = FOLDERS.map(folder => join(folder, path)).find(existsSync);
  if (found === undefined) throw new Error(`${path} is not installed: npm run tools`);
  return found;
}

/** Links packages and their programs into a project. */
export function linkPackages(project: string, names: readonly string[]): void {
  const modules = join(project, 'node_modules');
  for (const name of names) {
    const target = join(modules, name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(installed(name), target);
    const program = FOLDERS.map(folder => join(folder, '.bin', name)).find(existsSync);
    if (program === undefined) continue;
    mkdirSync(join(modules, '.bin'), { recursive: true });
    symlinkSync(program, join(modules, '.bin', name));
  }
}
