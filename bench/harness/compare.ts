// Servers compared fairly: a fresh process for each in several rounds, a second of load for each in turn, the median of all. Knows nothing of what they do.
import { calm } from '../../tests/support/measuring/machine.js';
import { digits, median } from '../../tests/support/measuring/statistics.js';
import type { Program, Server } from './child.js';
import { load, type Totals } from './load.js';
import { type OtherProgram, startAnswering } from './other-program.js';
import { firstOf } from './requests.js';

export interface Effort {
  readonly rounds: number;
  /** Of load on each server in a round. */
  readonly seconds: number;
  /** Whether figures are wanted soon rather than steady. */
  readonly isQuick: boolean;
  say(line: string): void;
}

export interface Contender {
  readonly name: string;
  readonly program: Program | OtherProgram;
  /** The file of the requests it is asked. */
  readonly requests: string;
  /** What its start is measured by. Default: the same program and its first request. */
  readonly starting?: { readonly program: Program | OtherProgram; readonly request: string };
}

/** Figures of a contender. Those of one index were taken one right after the other. */
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
/** Short, because a shared machine is slow for ten seconds or more, and fast again. */
const SLICE_SECONDS = 1;

interface Slice extends Totals {
  /** Processor time of a request in microseconds. */
  readonly cost: number;
  /** Bytes. */
  readonly rss: number;
}

interface Taken {
  readonly contender: Contender;
  readonly starts: number[];
  readonly slices: Slice[];
}

export async function compare(contenders: readonly Contender[], effort: Effort): Promise<Result[]> {
  const all = contenders.map((contender): Taken => ({ contender, starts: [], slices: [] }));
  const count = effort.seconds / SLICE_SECONDS;
  for (let round = 1; round <= effort.rounds; round += 1) {
    if (!effort.isQuick) await calm();
    for (const { contender, starts } of all) starts.push(await startOf(contender));
    await measureSlices(all, count);
    for (const { contender, slices } of all) {
      const { rates, costs } = resultOf({ contender, starts: [], slices: slices.slice(-count) });
      effort.say(`round ${round}, ${contender.name}: ${digits(median(rates))} req/s, ${digits(median(costs))} µs`);
    }
  }
  return all.map(resultOf);
}

async function measureSlices(all: readonly Taken[], count: number): Promise<void> {
  const servers = new Map<Taken, Server>();
  try {
    for (const taken of all) servers.set(taken, await warm(taken.contender));
    for (let slice = 0; slice < count; slice += 1)
      for (const [{ contender, slices }, server] of servers) slices.push(await measured(server, contender.requests));
  } finally {
    for (const server of servers.values()) {
      server.continue();
      await server.stop();
    }
  }
}

function resultOf({ starts, slices }: Taken): Result {
  return {
    rates: slices.map(({ requests, seconds }) => requests / seconds),
    costs: slices.map(({ cost }) => cost),
    p50: median(slices.map(({ p50 }) => p50)),
    p99: median(slices.map(({ p99 }) => p99)),
    errors: slices.reduce((sum, { errors }) => sum + errors, 0),
    starts,
    rss: median(slices.map(({ rss }) => rss)),
  };
}

async function warm({ program, requests }: Contender): Promise<Server> {
  const server = await startAnswering(program, firstOf(requests));
  let answered = 0;
  for (let step = 0; answered < WARM_UP && step < WARM_UP_STEPS; step += 1)
    answered += (await load(server.url, requests, WARM_UP_STEP_SECONDS)).requests;
  server.halt();
  return server;
}

async function measured(server: Server, requests: string): Promise<Slice> {
  server.continue();
  const before = await server.usage();
  const totals = await load(server.url, requests, SLICE_SECONDS);
  const { cpu, rss } = await server.usage();
  server.halt(); // some go on collecting garbage, compiling, or answering
  return { ...totals, cost: (cpu - before.cpu) / totals.requests, rss };
}

/** Without its gauge a process starts as a user's does. */
async function startOf({ program, requests, starting }: Contender): Promise<number> {
  const { program: started, request } = starting ?? { program, request: firstOf(requests) };
  const began = performance.now();
  const server = await startAnswering('script' in started ? { ...started, gauge: false } : started, request);
  const time = performance.now() - began;
  await server.stop();
  return time;
}
