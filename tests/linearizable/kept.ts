// What is told of a run: what was found wrong, with all that it takes to look again. Keeps histories in files and reads them. Finds nothing itself.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Checked } from './check.js';
import type { SandboxHistory } from './history.js';

/** Findings that are told in full. */
const MAX_REPORTED = 10;

/** What was found wrong, with the seed and the file of the history; empty where nothing was. `odd`: answers that nobody expected. `again`: the command that runs it again. */
export function problemOf(
  { findings, undecided }: Checked,
  histories: readonly SandboxHistory[],
  odd: readonly string[],
  again: string,
): string {
  const all = [...odd, ...findings, ...undecided.map(cell => `the search was given up: ${cell}`)];
  if (all.length === 0) return '';
  const more = all.length > MAX_REPORTED ? [`and ${all.length - MAX_REPORTED} more`] : [];
  const file = keep(histories);
  return [`${all.length} found (${again}); the history is in ${file}`, ...all.slice(0, MAX_REPORTED), ...more].join(
    '\n',
  );
}

/** The file that a history was written to. */
export function keep(histories: readonly SandboxHistory[]): string {
  const folder = join(tmpdir(), 'cwx-fake-linearizable');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${process.pid}.json`);
  writeFileSync(
    file,
    JSON.stringify(histories, (_, value) => (value instanceof Map ? { cells: [...value] } : value)),
  );
  return file;
}

/** A history that was kept. */
export function readKept(file: string): readonly SandboxHistory[] {
  return JSON.parse(readFileSync(file, 'utf8'), (_, value) =>
    isWrittenMap(value) ? new Map(value.cells) : value,
  ) as readonly SandboxHistory[]; // as `keep` wrote it
}

function isWrittenMap(value: unknown): value is { readonly cells: ReadonlyArray<readonly [string, string]> } {
  if (typeof value !== 'object' || value === null || !('cells' in value)) return false;
  return Object.keys(value).length === 1 && Array.isArray(value.cells);
}
