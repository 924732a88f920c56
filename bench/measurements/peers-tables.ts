// What the tables of the peers say: each server in a row, and the ratios that the design asks for beside their targets.

import { digits, mebibytes, median, percent, shareOf } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import type { Result } from '../harness/rounds.js';

/** `starts`: milliseconds from the start to the first response. */
export type Measured = Result & { readonly starts: readonly number[] };

/** By what they are; the first is what the others are compared to. */
export type Peers = Readonly<Record<string, Measured>>;

/** `skipped`: a line for each server that could not be measured. */
export function peersTable(peers: Peers, skipped: readonly string[]): Table {
  const measured = Object.values(peers);
  return {
    title: 'The same POST to cwx-fake and to what stands in its place elsewhere',
    note: [noteOn(peers), ...skipped].join('\n'),
    columns: [
      ...['server', 'req/s', 'of the first', 'CPU µs a request', 'p50 ms', 'p99 ms'],
      ...['req/s in the first 2 s', 'start to first response, ms', 'RSS after the load', 'others'],
    ],
    rows: measured.map(one => [
      one.errors === 0 ? one.name : `${one.name} (**${one.errors} errors**)`,
      digits(median(one.rates)),
      percent(shareOf(one.rates, measured[0]?.rates)),
      digits(median(one.costs)),
      one.p50.toFixed(2),
      one.p99.toFixed(2),
      digits(median(one.early)),
      digits(median(one.starts)),
      mebibytes(one.rss),
      percent(one.others),
    ]),
  };
}

function noteOn({ wiremock }: Peers): string {
  const note =
    'Three users, Basic credentials; cwx-fake has a group of 100,000 members, and starts with its default scenario. Each server is on one processor, and has answered 10,000 requests or more before it is measured.';
  return wiremock === undefined
    ? note
    : `${note} WireMock is warmed by ${digits(wiremock.warming.requests)} requests in ${digits(wiremock.warming.seconds)} s.`;
}

/** Reported, never asserted. */
export function ratiosTable({ koa, fake, wiremock, wiremockAsOthers }: Peers): Table {
  const times = (ratio: number) => (Number.isNaN(ratio) ? 'not measured' : `${ratio.toFixed(2)} ×`);
  return {
    title: 'The ratios that count',
    note: 'Each is the median of the ratios of the rounds.',
    columns: ['ratio', 'target', 'measured'],
    rows: [
      ['requests a second, of bare Koa', '≥ 0.6 ×', times(shareOf(rates(fake), rates(koa)))],
      ['requests a second, of WireMock with its journal, warm', '≥ 4 ×', times(shareOf(rates(fake), rates(wiremock)))],
      ['the same, after as many requests as the others', '', times(shareOf(rates(fake), rates(wiremockAsOthers)))],
      ['start to the first response, of bare Koa', '≤ 1.75 ×', times(shareOf(fake?.starts ?? [], koa?.starts))],
    ],
  };
}

function rates(measured: Measured | undefined): readonly number[] {
  return measured?.rates ?? [];
}
