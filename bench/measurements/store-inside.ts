// What a store costs a change, without HTTP: sessions in one process, on every store, in turns.

import { digits, median, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { run } from '../harness/child.js';
import type { Effort } from '../harness/rounds.js';
import { engineUse, openPlace, type StoreKind, storeNames } from '../harness/stores.js';

const kinds: readonly StoreKind[] = ['memory', 'file', 'fsync', 'redis', 'aof', 'cluster'];
const shapes: ReadonlyArray<readonly [sandboxes: number, underWay: number]> = [
  [1, 1],
  [1, 32],
  [100, 32],
];

interface Performed {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
}

interface Course {
  readonly kind: StoreKind;
  readonly sandboxes: number;
  readonly underWay: number;
  readonly runs: Array<Performed & { readonly engines: number }>;
}

export class StoreInside {
  readonly #courses: readonly Course[] = kinds.flatMap(kind =>
    shapes.map(([sandboxes, underWay]) => ({ kind, sandboxes, underWay, runs: [] })),
  );

  constructor(private readonly effort: Effort) {}

  async round(): Promise<void> {
    for (const { kind, sandboxes, underWay, runs } of this.#courses) {
      const place = await openPlace(kind);
      try {
        const before = await engineUse(place.engines);
        const asked = [sandboxes, underWay, this.effort.seconds].map(String);
        const args = [place.store, kind === 'fsync' ? 'fsync' : '-', ...asked];
        const performed = JSON.parse(await run({ script: 'bench/inside/store-session.js', args }, 1)) as Performed; // it prints nothing else
        const after = await engineUse(place.engines);
        const share = (after.cpu - before.cpu) / after.scripts;
        runs.push({ ...performed, engines: place.engines.length === 0 ? 0 : share });
        this.effort.say(
          `in process, ${storeNames[kind]}, ${sandboxes}/${underWay}: ${digits(performed.rate)} changes/s`,
        );
      } finally {
        await place.end();
      }
    }
  }

  table(): Table {
    return {
      title: 'Changes, in process',
      note: 'Sessions in one process on one processor, no HTTP: `Session.perform` from the request as a value to the entry that is kept. Under way: how many at a time. CPU of Redis for each script, start and creation of the sandboxes included.',
      columns: [
        'store',
        'sandboxes / under way',
        'least / median / greatest a second',
        'p50 ms',
        'p99 ms',
        'CPU µs',
        'CPU µs Redis a script',
      ],
      rows: this.#courses.map(({ kind, sandboxes, underWay, runs }) => [
        storeNames[kind],
        `${sandboxes} / ${underWay}`,
        spread(runs.map(({ rate }) => rate)),
        median(runs.map(({ p50 }) => p50)).toFixed(3),
        median(runs.map(({ p99 }) => p99)).toFixed(3),
        digits(median(runs.map(({ cpu }) => cpu))),
        runs.some(({ engines }) => engines > 0) ? digits(median(runs.map(({ engines }) => engines))) : '–',
      ]),
    };
  }
}
