// The built command line, built anew where the code is younger: what the tests of commands start as a user would.
import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const packageFolder = fileURLToPath(new URL('../..', import.meta.url));
export const cli = join(packageFolder, 'dist/server/cli.js');

let building: Promise<void> | undefined;

/** To be awaited before the command line is started; builds once at most. `npm test` has built already. */
export function built(): Promise<void> {
  building ??= build();
  return building;
}

async function build(): Promise<void> {
  const made = await changedAt(cli);
  if (made > (await newestIn(join(packageFolder, 'server')))) return;
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: packageFolder });
}

async function newestIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true });
  return Math.max(...(await Promise.all(files.map(file => changedAt(join(folder, file))))));
}

async function changedAt(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined);
  return stats?.mtimeMs ?? 0;
}
