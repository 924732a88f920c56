// How long after the response to a change the event of it is there, at the server that made the change and at another.

import { median } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { run } from '../harness/child.js';
import { authorization } from '../harness/load.js';
import { Replicas } from '../harness/replicas.js';
import type { Effort } from '../harness/rounds.js';
import { changesIn } from '../harness/sandbox-requests.js';
import { openPlace, type StoreKind, storeNames } from '../harness/stores.js';
import { fakeWith } from '../harness/world.js';

/** In each second that it shall last. */
const CHANGES = 500;

const courses: ReadonlyArray<readonly [kind: StoreKind, reader: 'the same server' | 'another replica']> = [
  ['memory', 'the same server'],
  ['redis', 'the same server'],
  ['redis', 'another replica'],
  ['cluster', 'another replica'],
];

interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

interface Heard {
  readonly responses: Quantiles;
  readonly delays: Quantiles;
}

export class StoreEvents {
  readonly #runs = courses.map(() => [] as Heard[]);

  constructor(private readonly effort: Effort) {}

  async round(): Promise<void> {
    for (const [i, [kind, reader]] of courses.entries()) {
      const heard = await this.#listen(kind, reader === 'another replica');
      this.#runs[i]?.push(heard);
      this.effort.say(`events, ${storeNames[kind]}, ${reader}: ${heard.delays.p50.toFixed(3)} ms`);
    }
  }

  async #listen(kind: StoreKind, isAnother: boolean): Promise<Heard> {
    const place = await openPlace(kind);
    try {
      const program = fakeWith(1_000, 3_000, [...place.flags, '--log', 'silent']);
      const replicas = await Replicas.start(place, isAnother ? 2 : 1, { ...program, processor: 'any' });
      try {
        const [asked = '', heard = asked] = replicas.urls;
        const count = String(this.effort.seconds * CHANGES);
        const args = [asked, heard, 'hot', changesIn(['hot']), authorization, count];
        return JSON.parse(await run({ script: 'bench/load/events.js', args }, 'any')) as Heard; // it prints nothing else
      } finally {
        await replicas.stop();
      }
    } finally {
      await place.end();
    }
  }

  table(): Table {
    const middle = (i: number, of: (heard: Heard) => number) => median((this.#runs[i] ?? []).map(of)).toFixed(2);
    return {
      title: 'From a response to its event',
      note: 'One change at a time, one reader. Milliseconds from the whole response to the event; less than nothing: the event came before it.',
      columns: ['store', 'the reader is at', 'p50 ms', 'p99 ms', 'response p50 ms', 'response p99 ms'],
      rows: courses.map(([kind, reader], i) => [
        storeNames[kind],
        reader,
        middle(i, ({ delays }) => delays.p50),
        middle(i, ({ delays }) => delays.p99),
        middle(i, ({ responses }) => responses.p50),
        middle(i, ({ responses }) => responses.p99),
      ]),
    };
  }
}
