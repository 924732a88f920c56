// Values of shipped files that were validated when the package was built, found by a hash of their text. Compiling schemas and parsing YAML would
// take longer than the rest of the start.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './folders.js';

/** In the folder of the package; written by `npm run generate`. */
export const CHECKED_FILE = 'contracts/checked.json';

let known: Readonly<Record<string, unknown>> | undefined;

/** The value of a validated text; otherwise `undefined`. */
export function checkedValue(text: string): unknown {
  known ??= read(join(packageRoot(), CHECKED_FILE));
  const key = keyOf(text);
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

/** The key of a text. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function read(file: string): Readonly<Record<string, unknown>> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}; // written by shipped.ts
}
