// The built command line, built anew where the code has changed: what the tests of commands start as a user would.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const packageFolder = fileURLToPath(new URL('../../..', import.meta.url));
export const cli = join(packageFolder, 'dist/server/cli.js');

let building: Promise<void> | undefined;

/** To be awaited before the command line is started; builds once at most. `npm test` has built already. */
export function built(): Promise<void> {
  building ??= build();
  return building;
}

async function build(): Promise<void> {
  await promisify(execFile)(process.execPath, ['build/build.mjs', '--if-stale'], { cwd: packageFolder });
}
