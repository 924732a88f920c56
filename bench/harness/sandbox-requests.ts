// The requests of loads on named sandboxes, one hot one or many: changes and reads. Writes them as files. Knows no server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './places.js';
import { GROUP, spareName } from './world.js';

const WIKI = '/rest/cwxapiextension/latest';

/** Changes in a row before the first of them is taken back: more than can be under way at once. */
const TRIPLES = 1_000;
const LOOKS = 100;

/** Each request changes three things in one of the sandboxes, by turns: three users join the group, and later leave it again. */
export function changesIn(sandboxes: readonly string[]): string {
  const count = Math.max(TRIPLES, sandboxes.length);
  const lines = (['add', 'remove'] as const).flatMap(verb =>
    Array.from({ length: count }, (_, i) => change(sandboxes[i % sandboxes.length] ?? '', verb, triple(i))),
  );
  return write(`changes-${sandboxes.length}`, lines);
}

/** GET of the description of a sandbox: a look at it, which nothing is written down of. */
export function looksAt(sandboxes: readonly string[]): string {
  const lines = Array.from(
    { length: Math.max(LOOKS, sandboxes.length) },
    (_, i) => `GET\t/_fake/v1/sandboxes/${sandboxes[i % sandboxes.length]}\t`,
  );
  return write(`looks-${sandboxes.length}`, lines);
}

function change(sandbox: string, verb: 'add' | 'remove', users: readonly string[]): string {
  return `POST\t/~${sandbox}${WIKI}/groups/${verb}-users\t${JSON.stringify({ group: GROUP, users })}`;
}

function triple(i: number): string[] {
  const first = (i % TRIPLES) * 3;
  return [first, first + 1, first + 2].map(spareName);
}

function write(name: string, lines: readonly string[]): string {
  const file = join(scratch, `${name}.requests`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
