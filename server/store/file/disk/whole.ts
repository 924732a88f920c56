// Writes a file as a whole, so that there is either what was before or all of it: under another name first, which is then changed.
// Knows nothing of what is in it.

import { unfinished } from '../file-names.js';
import { type Disk, writeAll } from './disk.js';
import { codeOf } from './file-error.js';

const CHUNK = 2 ** 20;

/** Writes it under its unfinished name, and gives its length in bytes. Nothing is left where that fails. */
export function writeUnfinished(disk: Disk, path: string, pieces: Iterable<Uint8Array>): number {
  const name = unfinished(path);
  const file = disk.open(name, 'make');
  let length = 0;
  try {
    for (const bytes of chunksOf(pieces)) {
      writeAll(disk, file, bytes, length);
      length += bytes.length;
    }
  } catch (error) {
    disk.close(file);
    removeUnfinished(disk, path);
    throw error;
  }
  disk.close(file);
  return length;
}

/** Gives what was written its name, in the place of what had it before. */
export function finish(disk: Disk, path: string): void {
  try {
    disk.rename(unfinished(path), path);
  } catch (error) {
    removeUnfinished(disk, path);
    throw error;
  }
}

export async function syncUnfinished(disk: Disk, path: string): Promise<void> {
  try {
    await syncFile(disk, unfinished(path));
  } catch (error) {
    removeUnfinished(disk, path);
    throw error;
  }
}

/** Makes the contents of a file outlive a loss of power. */
export async function syncFile(disk: Disk, path: string): Promise<void> {
  const file = disk.open(path, 'change');
  try {
    await disk.sync(file);
  } finally {
    disk.close(file);
  }
}

/** What cannot be taken away now is taken away when the folder is opened. */
function removeUnfinished(disk: Disk, path: string): void {
  try {
    disk.remove(unfinished(path));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

/** Few large pieces instead of many small ones. */
function* chunksOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let chunk: Uint8Array[] = [];
  let length = 0;
  for (const bytes of pieces) {
    chunk.push(bytes);
    length += bytes.length;
    if (length < CHUNK) continue;
    yield Buffer.concat(chunk);
    chunk = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(chunk);
}
