// What a sandbox takes of the memory of a Redis: idle, after twenty changes, after a thousand requests, on a world of a hundred thousand pages.

import { digits, mebibytes } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import type { RedisServer } from '../../tests/support/redis/redis-servers.js';
import { type Program, start } from '../harness/child.js';
import { sendToAll } from '../harness/load.js';
import type { Effort } from '../harness/rounds.js';
import { departuresAsked, violations } from '../harness/sandbox-requests.js';
import { openPlace } from '../harness/stores.js';
import { memberName } from '../harness/world.js';

const IDLE = 1_000;
const CHANGES = 20;
const BUSY = 50;
const REQUESTS = [200, 1_000];

/** Redis answers it itself, since thousands of keys are asked for. */
const WEIGH = `local sum = 0
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do sum = sum + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0') end
return sum`;

export interface StoreBytes {
  /** Bytes of the keys of a sandbox by the requests that it was asked. */
  readonly ofRequests: ReadonlyMap<number, number>;
  readonly table: Table;
}

export function largeOn(flags: readonly string[]): Program {
  const args = ['serve', 'large', '--port', '0', '--log', 'silent', ...flags];
  return { script: 'server/cli.js', args, processor: 'any' };
}

export async function storeBytes({ say }: Effort): Promise<StoreBytes> {
  const place = await openPlace('redis');
  const [engine] = place.engines;
  if (engine === undefined) throw new Error('there is no Redis');
  const replica = await start(largeOn(place.flags));
  try {
    const idleNames = Array.from({ length: IDLE }, (_, i) => `idle-${i}`);
    for (const name of idleNames) await make(replica.url, name);
    const idle = (await weigh(engine, 'cwx:{idle-*')) / IDLE;
    const parts = await weigh(engine, 'cwx:{part:*');
    say(`idle: ${idle} bytes`);
    await send(replica.url, violations(idleNames, CHANGES, memberName), IDLE * CHANGES);
    const changed = (await weigh(engine, 'cwx:{idle-*')) / IDLE;
    say(`after ${CHANGES} changes: ${changed} bytes`);
    const busy: number[] = [];
    for (const requests of REQUESTS) busy.push(await afterRequests(replica.url, engine, requests));
    say(`after ${REQUESTS.join(', ')} requests: ${busy.map(Math.round).join(', ')} bytes`);
    const rows = [
      [`idle, of ${digits(IDLE)}`, digits(idle)],
      [`after ${CHANGES} changes of one membership, of ${digits(IDLE)}`, digits(changed)],
      ...busy.map((bytes, i) => [
        `after ${digits(REQUESTS[i] ?? 0)} requests, half of them changes, of ${BUSY}`,
        digits(bytes),
      ]),
      ['the world that all share, once', mebibytes(parts)],
    ];
    return { ofRequests: new Map(busy.map((bytes, i) => [REQUESTS[i] ?? 0, bytes])), table: tableOf(rows) };
  } finally {
    await replica.stop();
    await place.end();
  }
}

async function afterRequests(url: string, engine: RedisServer, requests: number): Promise<number> {
  const names = Array.from({ length: BUSY }, (_, i) => `asked-${requests}-${i}`);
  await send(url, departuresAsked(names, requests, memberName), BUSY * requests);
  return (await weigh(engine, `cwx:{asked-${requests}-*`)) / BUSY;
}

function tableOf(rows: readonly string[][]): Table {
  return {
    title: 'Bytes in Redis for each sandbox',
    note: 'The scenario `large`: 100,000 pages, 100,000 users. MEMORY USAGE of all keys of the sandboxes; the user of each change is another one.',
    columns: ['sandbox', 'bytes'],
    rows,
  };
}

async function make(url: string, name: string): Promise<void> {
  const answered = await fetch(`${url}/_fake/v1/sandboxes/${name}`, { method: 'PUT' });
  await answered.arrayBuffer();
  if (answered.status !== 201) throw new Error(`${name} was not made: ${answered.status}`);
}

async function send(url: string, requests: string, count: number): Promise<void> {
  const { errors } = await sendToAll([url], requests, { count });
  if (errors > 0) throw new Error(`${errors} of ${count} requests failed`);
}

async function weigh(engine: RedisServer, pattern: string): Promise<number> {
  return Number(await engine.cli('eval', WEIGH, '0', pattern));
}
