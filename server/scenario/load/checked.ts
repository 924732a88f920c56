// Shipped files whose values were read and held against their formats when the package was made: they are known by every byte of their text.
// To compile the schemas and to parse YAML takes a process that starts a fake longer than all the rest. Knows no YAML and no format.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from './folders.js';

/** Below the folder of the package; made by `npm run generate`. */
export const CHECKED_FILE = 'contracts/checked.json';
/** The suites of rules and gaps. They have a file of their own, since no start reads them. */
export const CHECKED_SUITES_FILE = 'contracts/checked-suites.json';
/** The folders of the suites. */
export const suiteFolders = ['rules', 'gaps'] as const;

export interface Checked {
  readonly value: unknown;
  /** The lines on which its steps begin, where those are known. */
  readonly stepLines?: readonly number[];
}

let files: Readonly<Record<string, unknown>> | undefined;
let suites: Readonly<Record<string, Checked>> | undefined;

/** What is known of the text of a file that has been checked; `undefined` where nothing is. */
export function checkedText(file: string, text: string): Checked | undefined {
  const key = keyOf(text);
  if (suiteFolders.some(folder => folder === basename(dirname(file)))) {
    suites ??= read(CHECKED_SUITES_FILE) as Record<string, Checked>; // made by shipped.ts
    return Object.hasOwn(suites, key) ? suites[key] : undefined;
  }
  files ??= read(CHECKED_FILE);
  return Object.hasOwn(files, key) ? { value: files[key] } : undefined;
}

/** What a text is known by. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function read(name: string): Readonly<Record<string, unknown>> {
  const file = join(packageRoot(), name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}; // made by shipped.ts
}
