// A fake with one text of its source put in the place of another, built and loaded as a whole beside the one that is right.
// Knows no mutant and no rule.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from '../../bench/mutants/bundle.js';
import type { FaultyServer } from '../../bench/mutants/list.js';
import type { Assembled } from '../../server/server.js';
import { packageFolder } from './built.js';

/** What the bundle exports. */
type Subject = typeof import('../../bench/mutants/subject.js');

/** Where bundles lie: below the package, so that they find what it depends on. */
export const bundleFolder = join(packageFolder, 'node_modules', '.cache', `cwx-fake-faulty-servers-${process.pid}`);
let made = 0;

/** Starts it without a socket, as a server that does not say what it is. */
export async function faulty({ file, find, replace, readings = {} }: FaultyServer): Promise<Assembled> {
  const { assemble, settingsFrom, silentLog } = await loaded(join(packageFolder, 'server', file), find, replace);
  const reading = Object.entries(readings).map(([gap, value]) => `${gap}=${value}`);
  const fake = await assemble(settingsFrom(undefined, { reading, control: 'off', 'no-explain': true }), silentLog);
  if ('problems' in fake) throw new Error(JSON.stringify(fake.problems));
  return fake;
}

async function loaded(file: string, find: string, replace: string): Promise<Subject> {
  const source = readFileSync(file, 'utf8');
  const times = source.split(find).length - 1;
  if (times !== 1)
    throw new Error(`${JSON.stringify(find)} stands ${times} times in ${file}, and should stand there once`);
  mkdirSync(bundleFolder, { recursive: true });
  const out = join(bundleFolder, `${made++}.mjs`);
  const entry = join(packageFolder, 'bench', 'mutants', 'subject.ts');
  await bundle(entry, out, new Map([[file, source.replace(find, () => replace)]]));
  return (await import(pathToFileURL(out).href)) as Subject; // the same exports, from one changed source
}
