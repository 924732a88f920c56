// The requests of every load: three users join a group, or leave it again, so that each request changes something. Writes them as files of lines
// "METHOD path body" with tabs between, and sends one alone. Knows no server.
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { connections } from './load.js';
import { scratch } from './places.js';
import { GROUP, spareName } from './world.js';

/** Users who are not in the group, three for each request; as many requests later they come round again. */
const TRIPLES = 2_000;
export const SPARE_USERS = TRIPLES * 3;

export const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
const GROUPS = '/rest/cwxapiextension/latest/groups';
export const paths = [`${GROUPS}/add-users`, `${GROUPS}/remove-users`] as const;

/** Users join, and leave once it is sure that they have joined: the group keeps its size. In the sandboxes by turns; without names in `default`. */
export function changing(sandboxes: readonly string[] = []): string {
  const triple = (i: number) => [0, 1, 2].map(k => spareName(((i + TRIPLES) % TRIPLES) * 3 + k));
  const line = (path: string, i: number, users: readonly string[]) => {
    const sandbox = sandboxes.length === 0 ? '' : `/~${sandboxes[(i + TRIPLES) % sandboxes.length]}`;
    return `POST\t${sandbox}${path}\t${JSON.stringify({ group: GROUP, users })}`;
  };
  const lines = Array.from({ length: TRIPLES }, (_, i) => [
    line(paths[0], i, triple(i)),
    line(paths[1], i - connections, triple(i - connections)),
  ]);
  return write(`changing-${sandboxes.length}`, lines.flat());
}

/** GET of the descriptions of sandboxes: nothing is written. */
export function reading(sandboxes: readonly string[]): string {
  return write(
    `reading-${sandboxes.length}`,
    sandboxes.map(name => `GET\t/_fake/v1/sandboxes/${name}\t`),
  );
}

function write(name: string, lines: readonly string[]): string {
  const file = join(scratch, `${name}.requests`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Sends a line on a connection of its own; the status of the whole response. */
export function send(url: string, line: string): Promise<number> {
  const [method = '', path = '', body = ''] = line.split('\t');
  const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sending = request(`${url}${path}`, { method, headers, agent: false }, response => {
      response.once('error', reject).resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    sending.once('error', reject);
    sending.end(body);
  });
}

/** The first request of a file. */
export function firstOf(requests: string): string {
  return readFileSync(requests, 'utf8').split('\n', 1)[0] ?? '';
}
