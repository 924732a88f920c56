// How many requests servers answer on each store, from one, two and four of them, on one hot sandbox and over a thousand, and what each costs.

import { calm } from '../../tests/support/measuring/machine.js';
import { digits, median, percent, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import type { RedisServer } from '../../tests/support/redis/redis-servers.js';
import { sendToAll } from '../harness/load.js';
import { Replicas, type ServedLoad } from '../harness/replicas.js';
import type { Effort } from '../harness/rounds.js';
import { changesIn, looksAt, questionsIn } from '../harness/sandbox-requests.js';
import { openPlace, type StoreKind, storeNames } from '../harness/stores.js';
import { fakeWith } from '../harness/world.js';

const MEMBERS = 1_000;
const SPARES = 3_000;
const SANDBOXES = 1_000;
/** Of each replica, before anything is measured: by then its code is compiled. */
const WARM_UP_REQUESTS = 5_000;
/** Of each kind of request, on top of that. */
const WARM_UP_SECONDS = 0.5;
const QUICK_CALM_MS = 1_000;

const contenders: ReadonlyArray<readonly [kind: StoreKind, replicas: number]> = [
  ['memory', 1],
  ['file', 1],
  ['fsync', 1],
  ['redis', 1],
  ['redis', 2],
  ['redis', 4],
  ['aof', 2],
  ['cluster', 2],
];

type Asked = 'changes' | 'questions' | 'looks';

type Load = readonly [asked: Asked, sandboxes: number, file: string];

export interface Course {
  readonly kind: StoreKind;
  readonly replicas: number;
  readonly asked: Asked;
  readonly sandboxes: number;
  readonly runs: ServedLoad[];
}

/** A change of the hot sandbox as it lies in Redis, in bytes: its entry and its note. */
export interface Weights {
  readonly entry: number;
  readonly note: number;
}

export class StoreRates {
  readonly courses: readonly Course[];
  #weights: Weights = { entry: 0, note: 0 };
  readonly #files: readonly [Load, ...Load[]];

  constructor(private readonly effort: Effort) {
    const many = Array.from({ length: SANDBOXES }, (_, i) => `job-${i}`);
    this.#files = [
      ['changes', 1, changesIn(['hot'])],
      ['changes', SANDBOXES, changesIn(many)],
      ['questions', 1, questionsIn(['hot'])],
      ['questions', SANDBOXES, questionsIn(many)],
      ['looks', 1, looksAt(['hot'])],
    ];
    this.courses = contenders.flatMap(([kind, replicas]) =>
      this.#files.map(([asked, sandboxes]) => ({ kind, replicas, asked, sandboxes, runs: [] })),
    );
  }

  /** Of the last round. */
  get weights(): Weights {
    return this.#weights;
  }

  /** One round: every store with fresh servers on it, one after the other. */
  async round(): Promise<void> {
    for (const [kind, replicas] of contenders) await this.#contend(kind, replicas);
  }

  async #contend(kind: StoreKind, count: number): Promise<void> {
    const { seconds, isQuick, say } = this.effort;
    const place = await openPlace(kind);
    try {
      const program = fakeWith(MEMBERS, SPARES, [...place.flags, '--log', 'silent']);
      const replicas = await Replicas.start(place, count, { ...program, processor: 'any' });
      try {
        await sendToAll(replicas.urls, this.#files[0][2], { count: count * WARM_UP_REQUESTS });
        await calm(isQuick ? QUICK_CALM_MS : undefined);
        for (const [asked, sandboxes, file] of this.#files) {
          await replicas.load(file, WARM_UP_SECONDS);
          const run = await replicas.load(file, seconds);
          this.#courseOf(kind, count, asked, sandboxes).runs.push(run);
          if (kind === 'redis' && asked === 'changes') await this.#weigh(place.engines);
          say(`${storeNames[kind]}, ${count}: ${digits(run.rate)} ${asked}/s in ${sandboxes}, ${run.errors} errors`);
        }
      } finally {
        await replicas.stop();
      }
    } finally {
      await place.end();
    }
  }

  async #weigh([engine]: readonly RedisServer[]): Promise<void> {
    const last = async (list: string) => (await engine?.cli('lindex', `cwx:{hot}:${list}`, '-1'))?.length ?? 0;
    this.#weights = { entry: await last('e'), note: await last('n') };
  }

  #courseOf(kind: StoreKind, replicas: number, asked: Asked, sandboxes: number): Course {
    const found = this.courses.find(
      one => one.kind === kind && one.replicas === replicas && one.asked === asked && one.sandboxes === sandboxes,
    );
    if (found === undefined) throw new Error(`${asked} in ${sandboxes} sandboxes are not measured on ${kind}`);
    return found;
  }

  tables(): Table[] {
    return [
      this.#table('changes', 'Changes, over HTTP', 'Each request changes three memberships of a group of 1,000.'),
      this.#table(
        'questions',
        'Questions, over HTTP',
        '`isUnique`, which changes nothing: the document has no GET. What is asked of an operation is written down in the journal, so that each is an append of a note.',
      ),
      this.#table(
        'looks',
        'Looks, over HTTP',
        '`GET /_fake/v1/sandboxes/{s}`: nothing is written down; where the store is shared, the replica asks it first whether there is anything new.',
      ),
    ];
  }

  #table(asked: Asked, title: string, about: string): Table {
    return {
      title,
      note: `${about} 50 connections, spread over the replicas, none of which knows a sandbox better than others. Nothing is held to a processor: replicas, engine and load share both. CPU: microseconds of processor time for each request, of all replicas together and of all servers of Redis. Scripts: run by Redis for each request; fewer than one where several requests are appended together.`,
      columns: [
        'store',
        'replicas',
        'sandboxes',
        'least / median / greatest a second',
        'p50 ms',
        'p99 ms',
        'CPU µs replicas',
        'CPU µs Redis',
        'scripts',
        'others',
      ],
      rows: this.courses.filter(course => course.asked === asked && course.runs.length > 0).map(row),
    };
  }
}

function row({ kind, replicas, sandboxes, runs }: Course): string[] {
  const errors = runs.reduce((sum, run) => sum + run.errors, 0);
  const isEngine = median(runs.map(run => run.engines)) > 0;
  return [
    errors === 0 ? storeNames[kind] : `${storeNames[kind]} (**${errors} errors**)`,
    String(replicas),
    digits(sandboxes),
    spread(runs.map(run => run.rate)),
    median(runs.map(run => run.p50)).toFixed(2),
    median(runs.map(run => run.p99)).toFixed(2),
    digits(median(runs.map(run => run.replicas))),
    isEngine ? digits(median(runs.map(run => run.engines))) : '–',
    isEngine ? median(runs.map(run => run.scripts)).toFixed(2) : '–',
    percent(Math.max(...runs.map(run => run.others))),
  ];
}
