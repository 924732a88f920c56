// Servers compared fairly: a fresh process for each, taken in turn, several rounds, the median of each. Knows nothing of what they do.

import { calm, watchOthers } from '../../tests/support/measuring/machine.js';
import { digits, median, percent, shareOf } from '../../tests/support/measuring/statistics.js';
import type { Program } from './child.js';
import type { Load, Totals } from './load.js';
import { type OtherProgram, startAnswering } from './other-program.js';
import { firstOf } from './single-request.js';

export interface Contender {
  readonly name: string;
  readonly program: Program | OtherProgram;
  /** The file of the requests it is asked. */
  readonly requests: string;
  /** Requests of the same load that it answers, at the least, before it is measured. Default: those of two seconds. */
  readonly warmUp?: number;
}

export interface Result {
  readonly name: string;
  /** Requests a second, and server processor time of each in microseconds. */
  readonly rates: readonly number[];
  readonly costs: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  /** Requests a second in the first two seconds after the start. */
  readonly early: readonly number[];
  /** What it answered before it was measured. */
  readonly warming: { readonly requests: number; readonly seconds: number };
  /** Bytes of memory after the load. */
  readonly rss: number;
  /** The greatest share of the server's processor that others took in a round. */
  readonly others: number;
}

/** A Node process is measured after this many seconds of the same load: by then its code is compiled. */
const WARM_UP_SECONDS = 2;

/** One that wants more gets it in loads of so many seconds, and not for ever. */
const WARM_UP_STEP = 5;
const LONGEST_WARM_UP = 120;

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  /** Whether figures are wanted soon rather than steady. */
  readonly isQuick: boolean;
  /** Of `stalls`, only the rows with this text in their names. */
  readonly rows: string;
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
    rates: taken.map(({ tally }) => rateOf(tally)),
    costs: taken.map(({ cost }) => cost),
    p50: median(taken.map(({ tally }) => tally.p50)),
    p99: median(taken.map(({ tally }) => tally.p99)),
    errors: taken.reduce((sum, { tally }) => sum + tally.errors, 0),
    early: taken.map(({ warming }) => rateOf(warming[0])),
    warming: {
      requests: median(taken.map(({ warming }) => sumOf(warming, 'requests'))),
      seconds: median(taken.map(({ warming }) => sumOf(warming, 'seconds'))),
    },
    rss: median(taken.map(({ rss }) => rss)),
    others: Math.max(...taken.map(({ others }) => others)),
  }));
}

interface Run {
  readonly tally: Totals;
  readonly cost: number;
  /** The loads before it was measured. */
  readonly warming: readonly [Totals, ...Totals[]];
  readonly rss: number;
  readonly others: number;
}

/** A run in which others took more of the server's processor than this is taken again, so often at most. */
const DISTURBED = 0.1;
const TRIES = 4;

async function calmest(contender: Contender, effort: Effort): Promise<Run> {
  if (effort.isQuick) return measure(contender, effort);
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
  return `${digits(rateOf(tally))} req/s, ${digits(cost)} µs, others ${percent(others)}`;
}

async function measure({ program, requests, warmUp = 0 }: Contender, effort: Effort): Promise<Run> {
  const server = await startAnswering(program, firstOf(requests));
  const during = (seconds: number) => effort.load.during(seconds, server.url, requests);
  try {
    const warming: [Totals, ...Totals[]] = [await during(WARM_UP_SECONDS)];
    while (sumOf(warming, 'requests') < warmUp && sumOf(warming, 'seconds') < LONGEST_WARM_UP) {
      warming.push(await during(WARM_UP_STEP));
    }
    const before = await server.usage();
    const othersSince = watchOthers();
    const tally = await during(effort.seconds);
    const { cpu, rss } = await server.usage();
    const used = cpu - before.cpu;
    return { warming, tally, cost: used / tally.requests, rss, others: othersSince(used) };
  } finally {
    await server.stop();
  }
}

function rateOf({ requests, seconds }: Totals): number {
  return requests / seconds;
}

function sumOf(tallies: readonly Totals[], what: 'requests' | 'seconds'): number {
  return tallies.reduce((sum, tally) => sum + tally[what], 0);
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
