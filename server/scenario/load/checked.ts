// Shipped files whose values were read and held against their formats when the package was made: they are known by every byte of their text.
// To compile the schemas and to parse YAML takes a process that starts a fake longer than all the rest. Knows no YAML and no format.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './folders.js';

/** Below the folder of the package; made by `npm run generate`. */
export const CHECKED_FILE = 'contracts/checked.json';

let known: Readonly<Record<string, unknown>> | undefined;

/** The value of a text that has been checked; `undefined` where there is none. */
export function checkedValue(text: string): unknown {
  known ??= read(join(packageRoot(), CHECKED_FILE));
  const key = keyOf(text);
  return Object.hasOwn(known, key) ? known[key] : undefined;
}

/** What a text is known by. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function read(file: string): Readonly<Record<string, unknown>> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}; // made by shipped.ts
}
