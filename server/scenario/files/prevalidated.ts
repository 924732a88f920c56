// Values of shipped files that were validated when the package was built, found by a hash of their text. Compiling schemas and parsing YAML would
// take longer than the rest of the start.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from './folders.js';

/** In the folder of the package; written by the build. Without it each file is checked when it is loaded. */
export const CHECKED_FILE = 'dist/server/checked.json';
/** The suites of rules and gaps. They have a file of their own, since no start reads them. */
export const CHECKED_SUITES_FILE = 'dist/server/checked-suites.json';
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
  const key = textHash(text);
  if (suiteFolders.some(folder => folder === basename(dirname(file)))) {
    suites ??= read(CHECKED_SUITES_FILE) as Record<string, Checked>; // written by shipped.ts
    return Object.hasOwn(suites, key) ? suites[key] : undefined;
  }
  files ??= read(CHECKED_FILE);
  return Object.hasOwn(files, key) ? { value: files[key] } : undefined;
}

/** The key of a text. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function read(name: string): Readonly<Record<string, unknown>> {
  const file = join(packageRoot(), name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}; // written by shipped.ts
}
