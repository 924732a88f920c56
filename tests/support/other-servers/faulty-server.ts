// A fake with one text of its source put in the place of another, built and loaded as a whole beside the one that is right.
// Knows no mutant and no rule.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reloading } from '../../../bench/mutants/bundle.js';
import type { FaultyServer } from '../../../bench/mutants/list.js';
import type { Assembled } from '../../../server/server.js';
import { packageFolder } from '../processes/built.js';

/** What the bundle exports. */
type Subject = typeof import('../../../bench/mutants/subject.js');

let load: ReturnType<typeof reloading<Subject>> | undefined;

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
  load ??= reloading<Subject>(join(packageFolder, 'bench', 'mutants', 'subject.ts'));
  return (await load)(new Map([[file, source.replace(find, () => replace)]]));
}
