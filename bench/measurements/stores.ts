// The requests that servers answer on each store, on one sandbox and over a thousand, and what each request costs.
import { calm } from '../../tests/support/measuring/machine.js';
import { digits, median, percent, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { sendToAll } from '../harness/load.js';
import { Replicas, type ServedLoad } from '../harness/replicas.js';
import type { Effort } from '../harness/rounds.js';
import { changesIn, looksAt } from '../harness/sandbox-requests.js';
import { openPlace, type StoreKind, storeNames } from '../harness/stores.js';
import { fakeWith } from '../harness/world.js';

const MEMBERS = 1_000;
const SPARES = 3_000;
/** Of each server, before anything is measured: by then its code is compiled. */
const WARM_UP_REQUESTS = 5_000;
/** Of each kind of request, on top of that. */
const WARM_UP_SECONDS = 0.5;
const QUICK_CALM_MS = 1_000;

const contenders: ReadonlyArray<readonly [kind: StoreKind, servers: number]> = [
  ['memory', 1],
  ['file', 1],
  ['fsync', 1],
  ['redis', 1],
  ['redis', 2],
  ['aof', 2],
  ['cluster', 2],
];

export async function stores({ rounds, seconds, isQuick, say }: Effort): Promise<Table> {
  const many = Array.from({ length: 1_000 }, (_, i) => `job-${i}`);
  const loads = [['hot'], many].flatMap(names => [
    { asked: 'changes', sandboxes: names.length, file: changesIn(names) },
    { asked: 'reads', sandboxes: names.length, file: looksAt(names) },
  ]);
  const cases = contenders.flatMap(([kind, servers]) =>
    loads.map(load => ({ ...load, kind, servers, runs: [] as ServedLoad[] })),
  );
  for (let round = 1; round <= rounds; round += 1) {
    for (const [kind, servers] of contenders) {
      const place = await openPlace(kind);
      const replicas = await Replicas.start(place, servers, {
        ...fakeWith(MEMBERS, SPARES, [...place.flags, '--log', 'silent']),
        processor: 'any',
      });
      try {
        await sendToAll(replicas.urls, loads[0]?.file ?? '', { count: servers * WARM_UP_REQUESTS });
        await calm(isQuick ? QUICK_CALM_MS : undefined);
        for (const { file, asked, sandboxes, runs } of cases.filter(
          one => one.kind === kind && one.servers === servers,
        )) {
          await replicas.load(file, WARM_UP_SECONDS);
          const run = await replicas.load(file, seconds);
          runs.push(run);
          say(`${storeNames[kind]}, ${servers}: ${digits(run.rate)} ${asked}/s in ${sandboxes}, ${run.errors} errors`);
        }
      } finally {
        await replicas.stop();
        await place.end();
      }
    }
  }
  return {
    title: 'Stores, over HTTP',
    note: 'A change is of three memberships of a group of 1,000; a read is GET /_fake/v1/sandboxes/{s}. 50 connections, spread over the servers, none of which knows a sandbox better than others. Servers, Redis and load share all processors. CPU: microseconds of processor time for each request, of all servers together and of Redis.',
    columns: ['store', 'servers', 'sandboxes', 'requests', 'a second', 'p99 ms', 'CPU µs', 'CPU µs Redis', 'others'],
    rows: cases.map(({ kind, servers, sandboxes, asked, runs }) => [
      runs.some(({ errors }) => errors > 0) ? `${storeNames[kind]} (**errors**)` : storeNames[kind],
      String(servers),
      digits(sandboxes),
      asked,
      spread(runs.map(({ rate }) => rate)),
      median(runs.map(({ p99 }) => p99)).toFixed(1),
      digits(median(runs.map(run => run.replicas))),
      digits(median(runs.map(run => run.engines))),
      percent(Math.max(...runs.map(({ others }) => others))),
    ]),
  };
}
