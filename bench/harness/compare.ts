// Servers compared fairly: a fresh process for each, taken in turn, several rounds, the median of each. Knows nothing of what they do.
import { calm } from '../../tests/support/measuring/machine.js';
import { digits, median } from '../../tests/support/measuring/statistics.js';
import type { Program } from './child.js';
import { load, type Totals } from './load.js';
import { type OtherProgram, startAnswering } from './other-program.js';
import { firstOf } from './requests.js';

export interface Effort {
  readonly rounds: number;
  /** Of each load. */
  readonly seconds: number;
  /** Whether figures are wanted soon rather than steady. */
  readonly isQuick: boolean;
  say(line: string): void;
}

interface Starting {
  readonly program: Program | OtherProgram;
  readonly request: string;
}

export interface Contender {
  readonly name: string;
  readonly program: Program | OtherProgram;
  /** The file of the requests it is asked. */
  readonly requests: string;
  /** What its start is measured by. Default: the same program and its first request. */
  readonly starting?: Starting;
}

/** Figures of each round. */
export interface Result {
  /** Requests a second, and processor time of each in microseconds. */
  readonly rates: readonly number[];
  readonly costs: readonly number[];
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  /** Milliseconds from the start of the process to its first response. */
  readonly starts: readonly number[];
  /** Bytes of memory after the load. */
  readonly rss: number;
}

/** Requests of the same load that each answers before it is measured: until the compilers are done, and a journal is full. */
const WARM_UP = 50_000;
const WARM_UP_STEP_SECONDS = 2;
const WARM_UP_STEPS = 60;

interface Run extends Totals {
  readonly cost: number;
  readonly start: number;
  readonly rss: number;
}

export async function compare(contenders: readonly Contender[], effort: Effort): Promise<Result[]> {
  const runs = contenders.map(() => [] as Run[]);
  for (let round = 1; round <= effort.rounds; round += 1) {
    for (const [i, contender] of contenders.entries()) {
      if (!effort.isQuick) await calm();
      const run = await measured(contender, effort.seconds);
      runs[i]?.push(run);
      effort.say(
        `round ${round}, ${contender.name}: ${digits(run.requests / run.seconds)} req/s, ${digits(run.cost)} µs`,
      );
    }
  }
  return runs.map(taken => ({
    rates: taken.map(({ requests, seconds }) => requests / seconds),
    costs: taken.map(({ cost }) => cost),
    p50: median(taken.map(({ p50 }) => p50)),
    p99: median(taken.map(({ p99 }) => p99)),
    errors: taken.reduce((sum, { errors }) => sum + errors, 0),
    starts: taken.map(({ start }) => start),
    rss: median(taken.map(({ rss }) => rss)),
  }));
}

async function measured({ program, requests, starting }: Contender, seconds: number): Promise<Run> {
  const start = await startOf(starting ?? { program, request: firstOf(requests) });
  const server = await startAnswering(program, firstOf(requests));
  try {
    let warm = 0;
    for (let step = 0; warm < WARM_UP && step < WARM_UP_STEPS; step += 1)
      warm += (await load(server.url, requests, WARM_UP_STEP_SECONDS)).requests;
    const before = await server.usage();
    const totals = await load(server.url, requests, seconds);
    const { cpu, rss } = await server.usage();
    return { ...totals, cost: (cpu - before.cpu) / totals.requests, start, rss };
  } finally {
    await server.stop();
  }
}

/** Without its gauge a process starts as a user's does. */
async function startOf({ program, request }: Starting): Promise<number> {
  const began = performance.now();
  const server = await startAnswering('script' in program ? { ...program, gauge: false } : program, request);
  const time = performance.now() - began;
  await server.stop();
  return time;
}
