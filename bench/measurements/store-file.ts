// What it costs to keep sandboxes in files: appends beside the store in memory, and the opening of a folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { digits, mebibytes, median, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { run } from '../harness/child.js';
import { scratch } from '../harness/places.js';
import type { Effort } from '../harness/rounds.js';

const STORES: Readonly<Record<string, string>> = {
  memory: 'memory',
  file: '**file**',
  fsync: '**file** with fsync',
};

interface Appends {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

export async function storeFile({ rounds, seconds, say }: Effort): Promise<Table> {
  const cases = [1, 100].flatMap(sandboxes =>
    [1, 32].flatMap(inFlight =>
      Object.keys(STORES).map(store => ({ store, sandboxes, inFlight, runs: [] as Appends[] })),
    ),
  );
  for (let round = 1; round <= rounds; round += 1) {
    for (const { store, sandboxes, inFlight, runs } of cases) {
      const args = [store, String(sandboxes), String(inFlight), String(seconds)];
      const taken = (await inFolder('store-appends', args)) as Appends; // it prints nothing else
      runs.push(taken);
      say(`round ${round}, ${args.slice(0, 3).join(' / ')}: ${digits(taken.rate)} appends/s`);
    }
  }
  const rows = cases.map(({ store, sandboxes, inFlight, runs }) => [
    STORES[store] ?? store,
    String(sandboxes),
    String(inFlight),
    digits(median(runs.map(({ rate }) => rate))),
    digits(median(runs.map(({ p50 }) => p50))),
    digits(median(runs.map(({ p99 }) => p99))),
  ]);
  return {
    title: 'Sandboxes in files',
    note: `Store only: records of 1,190 bytes, of which 1,000 to 1,300 are kept. ${await openings(rounds)}`,
    columns: ['store', 'sandboxes', 'in flight', 'appends/s', 'p50 µs', 'p99 µs'],
    rows,
  };
}

async function openings(rounds: number): Promise<string> {
  const parts: string[] = [];
  for (const [sandboxes, entries] of [
    [1, 1_000_000],
    [10_000, 100],
  ] as const) {
    const times: number[] = [];
    let size = 0;
    for (let round = 0; round < rounds; round += 1) {
      const opening = await inFolder('store-opening', [String(sandboxes), String(entries)]);
      const { milliseconds, bytes } = opening as { milliseconds: number; bytes: number }; // it prints nothing else
      times.push(milliseconds);
      size = bytes;
    }
    parts.push(
      `${sandboxes.toLocaleString('en-US')} × ${entries.toLocaleString('en-US')} (${mebibytes(size)}) ${spread(times)} ms`,
    );
  }
  return `Opening a folder of sandboxes × entries, least / median / greatest: ${parts.join('; ')}.`;
}

async function inFolder(program: string, args: readonly string[]): Promise<unknown> {
  const folder = mkdtempSync(join(scratch, 'store-'));
  const flags = ['--max-old-space-size=8192'];
  try {
    return JSON.parse(await run({ script: `bench/inside/${program}.js`, args: [...args, folder], flags }, 0));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
