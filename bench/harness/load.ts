// Puts servers under load from the other processor: with wrk if it is installed, else, and for several servers, with the bench's own generator.
// Knows nothing of what the requests mean.
import { isInstalled, type Processor } from '../../tests/support/measuring/machine.js';
import { run, runCommand } from './child.js';
import { authorization } from './requests.js';

export const connections = 50;

/** What a load counted. Latencies are in milliseconds. */
export interface Totals {
  readonly requests: number;
  readonly seconds: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
}

/** The requests of a file in their order, again and again, for a number of seconds. */
export async function load(url: string, requests: string, seconds: number): Promise<Totals> {
  if (!isInstalled('wrk')) return loadAll([url], requests, seconds, 1);
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', 'bench/load/requests.lua'];
  return totalsIn(await runCommand(['wrk', ...flags, url, '--', requests, authorization], 1));
}

/** To several servers by turns, with as many connections to each. */
export async function loadAll(
  urls: readonly string[],
  requests: string,
  seconds: number,
  processor: Processor | 'any' = 'any',
): Promise<Totals> {
  const args = [urls.join(','), requests, authorization, connections, seconds].map(String);
  return totalsIn(await run({ script: 'bench/load/sockets.js', args }, processor));
}

function totalsIn(said: string): Totals {
  return JSON.parse(said.trimEnd().split('\n').at(-1) ?? '') as Totals; // both print it as their last line
}
