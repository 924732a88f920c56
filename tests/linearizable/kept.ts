// The report of a run: the errors, with everything needed to look at them again. Writes histories to files and reads them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Checked } from './checking/check.js';
import type { SandboxHistory } from './checking/history.js';

/** Errors that are shown in full. */
const MAX_REPORTED = 10;

/** The errors, with the seed and the file of the history; empty without any. `odd`: unexpected responses. `again`: the command that runs it again. */
export function problemOf(
  { findings }: Checked,
  histories: readonly SandboxHistory[],
  odd: readonly string[],
  again: string,
): string {
  const all = [...odd, ...findings];
  if (all.length === 0) return '';
  const more = all.length > MAX_REPORTED ? [`and ${all.length - MAX_REPORTED} more`] : [];
  const file = keep(histories);
  return [`${all.length} found (${again}); the history is in ${file}`, ...all.slice(0, MAX_REPORTED), ...more].join(
    '\n',
  );
}

/** The file of the written history. */
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

/** A history read from its file. */
export function readKept(file: string): readonly SandboxHistory[] {
  return JSON.parse(readFileSync(file, 'utf8'), (_, value) =>
    isWrittenMap(value) ? new Map(value.cells) : value,
  ) as readonly SandboxHistory[]; // as `keep` wrote it
}

function isWrittenMap(value: unknown): value is { readonly cells: ReadonlyArray<readonly [string, string]> } {
  if (typeof value !== 'object' || value === null || !('cells' in value)) return false;
  return Object.keys(value).length === 1 && Array.isArray(value.cells);
}
