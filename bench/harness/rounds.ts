// Servers compared fairly: a fresh process for each, taken in turn, several rounds, the median of each. Knows nothing of what they do.
import { type Program, start } from './child.js';
import type { Load, Tally } from './load.js';
import { calm, watchOthers } from './machine.js';
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
  /** The greatest share of the server's processor that others took in a round. */
  readonly others: number;
}

/** A process is measured after this many seconds of the same load: by then its code is compiled. */
const WARM_UP_SECONDS = 2;

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  /** Whether figures are wanted soon rather than steady. */
  readonly isQuick: boolean;
  readonly load: Load;
  say(line: string): void;
}

export async function compare(contenders: readonly Contender[], effort: Effort): Promise<Result[]> {
  const runs = new Map<Contender, Run[]>(contenders.map(contender => [contender, []]));
  for (let round = 1; round <= effort.rounds; round += 1) {
    for (const [contender, taken] of runs) {
      const run = await calmest(contender, effort);
      taken.push(run);
      effort.say(`round ${round}, ${contender.name}: ${shown(run)}`);
    }
  }
  return [...runs].map(([{ name }, taken]) => ({
    name,
    rates: taken.map(({ tally }) => tally.requests / tally.seconds),
    costs: taken.map(({ cost }) => cost),
    p50: median(taken.map(({ tally }) => tally.p50)),
    p99: median(taken.map(({ tally }) => tally.p99)),
    errors: taken.reduce((sum, { tally }) => sum + tally.errors, 0),
    others: Math.max(...taken.map(({ others }) => others)),
  }));
}

interface Run {
  readonly tally: Tally;
  readonly cost: number;
  readonly others: number;
}

/** A run in which others took more of the server's processor than this is taken again, so often at most. */
const DISTURBED = 0.1;
const TRIES = 4;

async function calmest(contender: Contender, effort: Effort): Promise<Run> {
  let best: Run | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    await calm();
    const run = await measure(contender, effort);
    if (best === undefined || run.others < best.others) best = run;
    if (best.others <= DISTURBED) break;
    effort.say(`again: others took ${percent(run.others)} of the server's processor (${shown(run)})`);
  }
  return best as Run; // there was at least one
}

function shown({ tally, cost, others }: Run): string {
  return `${digits(tally.requests / tally.seconds)} req/s, ${digits(cost)} µs, others ${percent(others)}`;
}

async function measure({ program, requests }: Contender, { seconds, load }: Effort): Promise<Run> {
  const server = await start(program);
  try {
    await load.during(WARM_UP_SECONDS, server.url, requests);
    const before = await server.ask({ ask: 'usage' });
    const othersSince = watchOthers();
    const tally = await load.during(seconds, server.url, requests);
    const { cpu } = await server.ask({ ask: 'usage' });
    const used = cpu - before.cpu;
    return { tally, cost: used / tally.requests, others: othersSince(used) };
  } finally {
    await server.stop();
  }
}

export const resultColumns = [
  'req/s',
  'of the first',
  'CPU µs a request',
  'CPU of the first',
  'p50 ms',
  'p99 ms',
  'others',
];

/** One row for each result. Its share of the first is that of each round, the median of them: what slows the machine slows neighbours alike. */
export function resultRows(results: readonly Result[]): string[][] {
  const [first] = results;
  return results.map(({ name, rates, costs, p50, p99, errors, others }) => [
    errors === 0 ? name : `${name} (**${errors} errors**)`,
    digits(median(rates)),
    percent(shareOf(rates, first?.rates)),
    digits(median(costs)),
    `${shareOf(costs, first?.costs).toFixed(2)} ×`,
    p50.toFixed(2),
    p99.toFixed(2),
    percent(others),
  ]);
}

function shareOf(values: readonly number[], first: readonly number[] = []): number {
  return median(values.map((value, i) => value / (first[i] ?? Number.NaN)));
}
