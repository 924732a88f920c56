// The requests of loads on named sandboxes, one hot one or many: changes, questions that change nothing, and looks. Writes them as files. Knows no server.
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

/** Nothing changes, and each request is written down in the journal of its sandbox. */
export function questionsIn(sandboxes: readonly string[]): string {
  return write(`questions-${sandboxes.length}`, sandboxes.map(question));
}

/** GET of the description of a sandbox: a look at it, which nothing is written down of. */
export function looksAt(sandboxes: readonly string[]): string {
  const lines = Array.from(
    { length: Math.max(LOOKS, sandboxes.length) },
    (_, i) => `GET\t/_fake/v1/sandboxes/${sandboxes[i % sandboxes.length]}\t`,
  );
  return write(`looks-${sandboxes.length}`, lines);
}

/** So many changes in each of the sandboxes, none of which is taken back: one user after the other leaves. `user`: the name of each. */
export function violations(sandboxes: readonly string[], each: number, user: (i: number) => string): string {
  const lines = Array.from({ length: each }, (_, i) => sandboxes.map(name => change(name, 'remove', [user(i)]))).flat();
  return write(`violations-${sandboxes.length}-${each}`, lines);
}

/** The same, with a question after each change. */
export function departuresAsked(sandboxes: readonly string[], each: number, user: (i: number) => string): string {
  const lines = Array.from({ length: each / 2 }, (_, i) => [
    ...sandboxes.map(name => change(name, 'remove', [user(i)])),
    ...sandboxes.map(question),
  ]).flat();
  return write(`violations-asked-${sandboxes.length}-${each}`, lines);
}

/** So many texts of a page, one after the other in the place of each other. */
export function rewritings(sandbox: string, page: Readonly<Record<string, string>>, texts: readonly string[]): string {
  const where = `POST\t/~${sandbox}${WIKI}/spaces/replaceInPage?${new URLSearchParams(page)}`;
  const lines = texts.map((oldText, i) => {
    const newText = texts[(i + 1) % texts.length] ?? '';
    return `${where}\t${JSON.stringify([{ oldText, newText }])}`;
  });
  return write('rewritings', lines);
}

export function change(sandbox: string, verb: 'add' | 'remove', users: readonly string[]): string {
  return `POST\t/~${sandbox}${WIKI}/groups/${verb}-users\t${JSON.stringify({ group: GROUP, users })}`;
}

function question(sandbox: string): string {
  return `POST\t/~${sandbox}${WIKI}/spaces/isUnique?spaceKey=free&spaceName=Free\t`;
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
