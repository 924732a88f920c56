// How long a user waits from the command to the first response of an operation, whole process, and how much memory that takes.

import { mebibytes, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { type Program, start } from '../harness/child.js';
import { addition } from '../harness/memberships.js';
import type { Effort } from '../harness/rounds.js';
import { type Starting, startsOf } from '../harness/starts.js';

const MIN_ROUNDS = 7;
const serve = (...scenario: string[]): Program => ({
  script: 'server/cli.js',
  args: ['serve', ...scenario, '--port', '0'],
});

/** cwx-fake as it is by default, and an operation of its scenario that changes something. */
export const defaultStart = { program: serve(), request: addition('team-members', ['alice', 'demouser2']) };

const { request } = defaultStart;
const startings: ReadonlyArray<Starting & { readonly program: Program }> = [
  { name: 'bare Koa', program: { script: 'bench/peers/bare-koa.js' }, request },
  { name: 'koa-bodyparser, @koa/router, ajv', program: { script: 'bench/peers/plain-koa.js' }, request },
  { name: '**cwx-fake serve** (small-team)', ...defaultStart },
  { name: 'cwx-fake serve large', program: serve('large'), request: addition('all-users', ['alice', 'user1']) },
];

export async function firstResponse({ rounds, say }: Effort): Promise<Table> {
  const taken = await startsOf(startings, Math.max(rounds, MIN_ROUNDS), say);
  const rows: string[][] = [];
  for (const [i, { name, program }] of startings.entries()) {
    rows.push([name, spread(taken[i] ?? []), ...(await memory(program))]);
  }
  return {
    title: 'From start to first response',
    note: 'Until a POST to groups/add-users is answered. Whole process, built, one processor, files in the cache of the system. Memory in a run of its own, right after the ready line.',
    columns: ['program', 'least / median / greatest ms', 'RSS when ready', 'peak RSS'],
    rows,
  };
}

async function memory(program: Program): Promise<[string, string]> {
  const server = await start(program);
  const { rss, peakRss } = await server.ask({ ask: 'usage' });
  await server.stop();
  return [mebibytes(rss), mebibytes(peakRss)];
}
