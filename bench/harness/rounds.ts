// Servers compared fairly: a fresh process for each, taken in turn, several rounds, the median of each. Knows nothing of what they do.
import { type Program, start } from './child.js';
import type { Load, Tally } from './load.js';
import { digits, median, percent } from './statistics.js';

export interface Contender {
  readonly name: string;
  readonly program: Program;
  /** The file of the requests it is asked. */
  readonly requests: string;
}

export interface Result {
  readonly name: string;
  /** Requests a second, and server processor time of each in microseconds. */
  readonly rates: readonly number[];
  readonly costs: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

/** A process is measured after this many seconds of the same load: by then its code is compiled. */
const WARM_UP_SECONDS = 2;

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly load: Load;
  say(line: string): void;
}

export async function compare(contenders: readonly Contender[], effort: Effort): Promise<Result[]> {
  const runs = new Map<Contender, Run[]>(contenders.map(contender => [contender, []]));
  for (let round = 1; round <= effort.rounds; round += 1) {
    for (const [contender, taken] of runs) {
      const run = await measure(contender, effort);
      taken.push(run);
      const { requests, seconds } = run.tally;
      effort.say(`round ${round}, ${contender.name}: ${digits(requests / seconds)} req/s, ${digits(run.cost)} µs`);
    }
  }
  return [...runs].map(([{ name }, taken]) => ({
    name,
    rates: taken.map(({ tally }) => tally.requests / tally.seconds),
    costs: taken.map(({ cost }) => cost),
    p50: median(taken.map(({ tally }) => tally.p50)),
    p99: median(taken.map(({ tally }) => tally.p99)),
    errors: taken.reduce((sum, { tally }) => sum + tally.errors, 0),
  }));
}

interface Run {
  readonly tally: Tally;
  readonly cost: number;
}

async function measure({ program, requests }: Contender, { seconds, load }: Effort): Promise<Run> {
  const server = await start(program);
  try {
    await load.during(WARM_UP_SECONDS, server.url, requests);
    const before = await server.ask({ ask: 'usage' });
    const tally = await load.during(seconds, server.url, requests);
    const after = await server.ask({ ask: 'usage' });
    return { tally, cost: (after.cpu - before.cpu) / tally.requests };
  } finally {
    await server.stop();
  }
}

export const resultColumns = ['req/s', 'of the first', 'CPU µs a request', 'CPU of the first', 'p50 ms', 'p99 ms'];

/** One row for each result. Its share of the first is that of each round, the median of them: what slows the machine slows neighbours alike. */
export function resultRows(results: readonly Result[]): string[][] {
  const [first] = results;
  return results.map(({ name, rates, costs, p50, p99, errors }) => [
    errors === 0 ? name : `${name} (**${errors} errors**)`,
    digits(median(rates)),
    percent(shareOf(rates, first?.rates)),
    digits(median(costs)),
    `${shareOf(costs, first?.costs).toFixed(2)} ×`,
    p50.toFixed(2),
    p99.toFixed(2),
  ]);
}

function shareOf(values: readonly number[], first: readonly number[] = []): number {
  return median(values.map((value, i) => value / (first[i] ?? Number.NaN)));
}
