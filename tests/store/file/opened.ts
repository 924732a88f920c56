// File stores of plain values for the tests beside it, and their contents.
import type { Cut, Head } from '../../../server/engine/store.js';
import { fileStore } from '../../../server/store/file/file-store.js';
import type { StoreLog } from '../../../server/store/refused-changes.js';
import { type Kept, kept, type Plain, plainFormat } from '../suite.js';

export interface Opening {
  readonly fsync?: boolean;
  readonly now?: () => number;
  readonly log?: StoreLog;
}

export async function opened(folder: string, { fsync = false, ...rest }: Opening = {}): Promise<Kept> {
  return kept(await fileStore({ folder, format: plainFormat, fsync, ...rest }));
}

/** The contents of a folder, read by a store that is opened for it alone. */
export async function heldIn(folder: string) {
  const store = await opened(folder);
  try {
    return await heldBy(store);
  } finally {
    await store.close();
  }
}

export async function heldBy(store: Kept) {
  const names = [...(await store.list())].sort();
  return Object.fromEntries(await Promise.all(names.map(async name => [name, await store.since(name)] as const)));
}

export async function created(store: Kept, sandbox: string, base = 'base', ttl?: number): Promise<Head> {
  const head = await store.create(sandbox, base, ttl);
  if (head === undefined) throw new Error(`${sandbox} exists`);
  return head;
}

/** Appends and returns the new head; throws if nothing is appended. */
export async function appended(store: Kept, sandbox: string, after: Head, records: readonly Plain[]): Promise<Head> {
  const outcome = await store.append(sandbox, after, records);
  if (outcome === 'gone' || 'behind' in outcome) throw new Error(JSON.stringify(outcome));
  return outcome.head;
}

/** Compacts and returns the new head; throws if nothing is done. */
export async function compacted(store: Kept, sandbox: string, after: Head, cut: Cut<string>): Promise<Head> {
  const outcome = await store.compact(sandbox, after, cut);
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome;
}

/** The error of a refusal. */
export async function refusalOf(act: Promise<unknown>): Promise<{ failure: unknown; message: string }> {
  try {
    await act;
  } catch (error) {
    if (error instanceof Error)
      return { failure: 'failure' in error ? error.failure : undefined, message: error.message };
  }
  throw new Error('it was not refused');
}
