// File stores of plain values for the tests beside it, and their contents.
import { fileStore } from '../../../server/store/file/file-store.js';
import { type Kept, kept, plainFormat } from '../suite.js';

export async function opened(folder: string, { fsync = false } = {}): Promise<Kept> {
  return kept(await fileStore({ folder, format: plainFormat, fsync }));
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
