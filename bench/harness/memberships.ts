// The requests of every load: three users join a group, or leave it again, so that there is always something to change. Writes them as files.
// Knows no server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connections } from './load.js';
import { scratch } from './places.js';
import { GROUP, memberName, spareName } from './world.js';

/** Users who are not in the group, three for each request; as many requests later they come round again. */
export const TRIPLES = 2_000;
export const SPARE_USERS = TRIPLES * 3;

/** What is asked for. */
export const paths = {
  add: '/rest/cwxapiextension/latest/groups/add-users',
  remove: '/rest/cwxapiextension/latest/groups/remove-users',
};

/** Each request changes three things: three users join, and leave once it is sure that they have joined. The group keeps its size. */
export function changing(): string {
  const triple = (i: number) => [0, 1, 2].map(k => spareName(((i + TRIPLES) % TRIPLES) * 3 + k));
  const lines = Array.from({ length: TRIPLES }, (_, i) => [
    addition(GROUP, triple(i)),
    line(paths.remove, GROUP, triple(i - connections)),
  ]).flat();
  return write('changing', lines);
}

/** No request changes anything: the three who are named are members already. */
export function unchanging(members: number): string {
  const step = Math.max(1, Math.floor(members / TRIPLES));
  const triple = (i: number) => [0, 1, 2].map(k => memberName((i * step + k) % members));
  return write(
    `unchanging-${members}`,
    Array.from({ length: TRIPLES }, (_, i) => addition(GROUP, triple(i))),
  );
}

/** The request that lets users join a group. */
export function addition(group: string, users: readonly string[]): string {
  return line(paths.add, group, users);
}

function line(path: string, group: string, users: readonly string[]): string {
  return `POST\t${path}\t${JSON.stringify({ group, users })}`;
}

function write(name: string, lines: readonly string[]): string {
  const file = join(scratch, `${name}.requests`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
