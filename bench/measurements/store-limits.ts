// What Redis itself does at the most with the same bytes, asked by its own redis-benchmark: the ceiling of every store on it.

import { digits, median, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { runCommand } from '../harness/child.js';
import { connections } from '../harness/load.js';
import type { Effort } from '../harness/rounds.js';
import { engineUse, openPlace } from '../harness/stores.js';
import type { Weights } from './store-rates.js';

/** The least that a compare-and-append has to do, without comparing: counts, pushes both texts, keeps a thousand of each, tells who listens. */
const SCRIPT = `redis.call('HINCRBY', KEYS[1], 'v', 1)
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('RPUSH', KEYS[3], ARGV[2])
if redis.call('LLEN', KEYS[2]) > 1000 then
  redis.call('LTRIM', KEYS[2], 250, -1)
  redis.call('LTRIM', KEYS[3], 250, -1)
end
redis.call('SPUBLISH', ARGV[3], '')
return 1`;

/** Commands asked for in each second that it shall last, about as many as one server does. */
const A_SECOND = 60_000;

interface Limit {
  readonly name: string;
  readonly command: (weights: Weights, sha: string) => readonly string[];
  readonly runs: Array<{ readonly rate: number; readonly p50: number; readonly p99: number; readonly cpu: number }>;
}

export class StoreLimits {
  readonly #limits: readonly Limit[] = [
    {
      name: 'SET of both texts together',
      command: ({ entry, note }) => ['SET', 'limit:both', 'x'.repeat(entry + note)],
      runs: [],
    },
    {
      name: 'EVALSHA that counts, pushes both texts, and publishes',
      command: ({ entry, note }, sha) => {
        const keys = ['{limit}:m', '{limit}:e', '{limit}:n'];
        return ['EVALSHA', sha, '3', ...keys, 'e'.repeat(entry), 'n'.repeat(note), '{limit}:c'];
      },
      runs: [],
    },
  ];

  constructor(private readonly effort: Effort) {}

  /** One round on a fresh server. */
  async round(weights: Weights): Promise<void> {
    const place = await openPlace('redis');
    const [engine] = place.engines;
    try {
      if (engine === undefined) throw new Error('there is no Redis');
      const sha = await engine.cli('script', 'load', SCRIPT);
      for (const limit of this.#limits) {
        const count = this.effort.seconds * A_SECOND;
        const flags = ['-p', String(engine.port), '-c', String(connections), '-n', String(count), '--csv'];
        const before = await engineUse(place.engines);
        const said = await runCommand(['redis-benchmark', ...flags, ...limit.command(weights, sha)], 'any');
        const after = await engineUse(place.engines);
        limit.runs.push({ ...ratesIn(said), cpu: (after.cpu - before.cpu) / count });
        this.effort.say(`${limit.name}: ${digits(limit.runs.at(-1)?.rate ?? 0)} a second`);
      }
    } finally {
      await place.end();
    }
  }

  table({ entry, note }: Weights): Table {
    return {
      title: "Redis's own limit for the same bytes",
      note: `redis-benchmark with ${connections} connections, one command at a time on each, one Redis without persistence. A change of the tables above lies in Redis as an entry of ${digits(entry)} bytes and a note of ${digits(note)}; the texts here are as long.`,
      columns: ['command', 'least / median / greatest a second', 'p50 ms', 'p99 ms', 'CPU µs Redis'],
      rows: this.#limits.map(({ name, runs }) => [
        name,
        spread(runs.map(({ rate }) => rate)),
        median(runs.map(({ p50 }) => p50)).toFixed(2),
        median(runs.map(({ p99 }) => p99)).toFixed(2),
        digits(median(runs.map(({ cpu }) => cpu))),
      ]),
    };
  }
}

/** The last line of its CSV: "test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms" */
function ratesIn(csv: string): { rate: number; p50: number; p99: number } {
  const fields = [...(csv.trimEnd().split('\n').at(-1) ?? '').matchAll(/"([^"]*)"/g)].map(([, field]) => Number(field));
  const [, rate = Number.NaN, , , p50 = Number.NaN, , p99 = Number.NaN] = fields;
  if (Number.isNaN(rate + p50 + p99)) throw new Error(`redis-benchmark said something else: ${csv.slice(0, 500)}`);
  return { rate, p50, p99 };
}
