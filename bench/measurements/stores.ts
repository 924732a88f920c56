// The requests that servers answer on each store, over a thousand sandboxes, and what each request costs. The bench starts Redis and Cluster itself.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { calm } from '../../tests/support/measuring/machine.js';
import { digits, median, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { RedisServer, startCluster } from '../../tests/support/redis/redis-servers.js';
import { type Running, start } from '../harness/child.js';
import type { Effort } from '../harness/compare.js';
import { loadAll, type Totals } from '../harness/load.js';
import { scratch } from '../harness/places.js';
import { changing, reading } from '../harness/requests.js';
import { fakeWith } from '../harness/world.js';

const MEMBERS = 1_000;
const SPARES = 6_000;
/** By then there are all sandboxes, and code is compiled. */
const WARM_UP = 5_000;
const sandboxes = Array.from({ length: 1_000 }, (_, i) => `job-${i}`);

/** What the servers keep their sandboxes in. */
interface Place {
  readonly flags: readonly string[];
  readonly engines: readonly RedisServer[];
  stop(): Promise<unknown>;
}

const folder = (...flags: readonly string[]) => {
  const store = `file:${mkdtempSync(join(scratch, 'store-'))}`;
  return { flags: ['--store', store, ...flags], engines: [], stop: async () => {} };
};
const redis = async (lines: readonly string[]): Promise<Place> => {
  const server = await RedisServer.start({ lines });
  return { flags: ['--store', server.url], engines: [server], stop: () => server.stop() };
};

const contenders: ReadonlyArray<readonly [name: string, servers: number, open: () => Promise<Place>]> = [
  ['memory', 1, async () => ({ flags: [], engines: [], stop: async () => {} })],
  ['folder', 1, async () => folder()],
  ['folder, `--fsync`', 1, async () => folder('--fsync')],
  ['Redis', 1, () => redis([])],
  ['Redis', 2, () => redis([])],
  ['Redis, AOF every second', 2, () => redis(['appendonly yes'])],
  [
    'Cluster of 3 masters',
    2,
    async () => {
      const cluster = await startCluster();
      return { flags: ['--store', cluster.url], engines: cluster.nodes, stop: () => cluster.stop() };
    },
  ],
];

interface Run extends Totals {
  /** Microseconds of processor time of each request: of all servers, and of Redis. */
  readonly cpu: number;
  readonly engines: number;
}

export async function stores(effort: Effort): Promise<readonly Table[]> {
  const loads = { changes: changing(sandboxes), reads: reading(sandboxes) };
  const rows: string[][] = [];
  for (const [name, count, open] of contenders) {
    const runs: Record<string, Run[]> = { changes: [], reads: [] };
    for (let round = 1; round <= effort.rounds; round += 1) {
      const place = await open();
      const fixture = `generate: { users: ${MEMBERS}, groups: 1 }`;
      const flags = [...place.flags, '--log', 'silent'];
      const servers: Running[] = [];
      try {
        // One after the other: the first makes what all of them share.
        while (servers.length < count)
          servers.push(await start({ ...fakeWith(fixture, SPARES, flags), processor: 'any' }));
        for (const [asked, file] of Object.entries(loads)) {
          await warm(servers, file);
          if (!effort.isQuick) await calm();
          const run = await measured(servers, place.engines, file, effort.seconds);
          runs[asked]?.push(run);
          effort.say(`${name}, ${count}: ${digits(run.requests / run.seconds)} ${asked}/s, ${run.errors} errors`);
        }
      } finally {
        await Promise.all(servers.map(server => server.stop()));
        await place.stop();
      }
    }
    for (const [asked, taken] of Object.entries(runs)) rows.push([name, String(count), asked, ...figures(taken)]);
  }
  return [
    {
      title: 'Stores, over HTTP',
      note: 'A change is of three memberships of a group of 1,000; a read is GET /_fake/v1/sandboxes/{s}. A thousand sandboxes, 50 connections spread over the servers. Servers, Redis and load share all processors. CPU: microseconds of processor time for each request.',
      columns: ['store', 'servers', 'requests', 'a second', 'p99 ms', 'errors', 'CPU µs', 'CPU µs of Redis'],
      rows,
    },
  ];
}

async function warm(servers: readonly Running[], file: string): Promise<void> {
  const urls = servers.map(({ url }) => url);
  for (let sent = 0; sent < WARM_UP; ) sent += (await loadAll(urls, file, 1)).requests;
}

function figures(runs: readonly Run[]): string[] {
  return [
    spread(runs.map(({ requests, seconds }) => requests / seconds)),
    median(runs.map(({ p99 }) => p99)).toFixed(1),
    String(runs.reduce((sum, { errors }) => sum + errors, 0)),
    digits(median(runs.map(({ cpu }) => cpu))),
    digits(median(runs.map(({ engines }) => engines))),
  ];
}

async function measured(
  servers: readonly Running[],
  engines: readonly RedisServer[],
  file: string,
  seconds: number,
): Promise<Run> {
  const ofServers = async () => sum(await Promise.all(servers.map(async one => (await one.usage()).cpu)));
  const ofEngines = async () => sum(await Promise.all(engines.map(cpuOf)));
  const [cpu, used] = [await ofServers(), await ofEngines()];
  const urls = servers.map(({ url }) => url);
  const totals = await loadAll(urls, file, seconds);
  const each = (microseconds: number) => microseconds / totals.requests;
  return { ...totals, cpu: each((await ofServers()) - cpu), engines: each((await ofEngines()) - used) };
}

/** Microseconds of processor time that a Redis has used so far. */
async function cpuOf(engine: RedisServer): Promise<number> {
  const text = await engine.cli('info', 'cpu');
  return sum([...text.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, seconds]) => Number(seconds) * 1e6));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
