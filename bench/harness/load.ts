// Puts a server under load from the other processor, with wrk or with the bench's own generator, never with both in one run.
// Knows nothing of what the requests mean.

import { isInstalled, type Processor } from '../../tests/support/measuring/machine.js';
import { run, runCommand } from './child.js';
import type { Options } from './options.js';

export const connections = 50;

/** What a load counted. Latencies are in milliseconds. */
export interface Totals {
  readonly requests: number;
  readonly seconds: number;
  readonly errors: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time that the load itself took, where it tells. */
  readonly cpu?: number;
}

export interface Load {
  readonly name: 'wrk' | 'sockets';
  /** For a number of seconds the requests of a file, in their order, again and again. */
  during(seconds: number, url: string, requests: string): Promise<Totals>;
}

/** Who asks, in every request of every load. */
export const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;

export function chooseLoad(wanted: Options['load']): Load {
  if (wanted === 'wrk' && !isInstalled('wrk')) throw new Error('--load wrk: there is no wrk on PATH');
  return wanted === 'sockets' || !isInstalled('wrk') ? { name: 'sockets', during: socketsDuring } : byWrk;
}

const byWrk: Load = {
  name: 'wrk',
  async during(seconds, url, requests) {
    const script = 'bench/load/requests.lua';
    const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url, '--', requests, authorization];
    return tallyIn(await runCommand(['wrk', ...flags], 1));
  },
};

async function socketsDuring(seconds: number, url: string, requests: string): Promise<Totals> {
  return sockets(url, requests, { seconds });
}

/** Exactly so many requests. */
export async function sendExactly(count: number, url: string, requests: string): Promise<Totals> {
  return sockets(url, requests, { count });
}

/** To several servers, with as many connections to each, and all of them together by turns; held to no processor. For so many seconds, or exactly so many requests. */
export async function sendToAll(
  urls: readonly string[],
  requests: string,
  amount: { readonly seconds: number } | { readonly count: number },
): Promise<Required<Totals>> {
  const tally = await sockets(urls.join(','), requests, amount, 'any');
  return { cpu: 0, ...tally };
}

async function sockets(
  urls: string,
  requests: string,
  { seconds = 0, count = 0 }: { readonly seconds?: number; readonly count?: number },
  processor: Processor | 'any' = 1,
): Promise<Totals> {
  const args = [urls, requests, authorization, connections, seconds, count].map(String);
  return tallyIn(await run({ script: 'bench/load/sockets.js', args }, processor));
}

function tallyIn(said: string): Totals {
  return JSON.parse(said.trimEnd().split('\n').at(-1) ?? '') as Totals; // both print it as their last line
}
