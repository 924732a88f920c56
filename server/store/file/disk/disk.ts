// What the file store asks of the operating system, in one place, so that a test can let any of it go wrong.
// Knows nothing of logs.
import {
  closeSync,
  existsSync,
  fdatasync,
  fsync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface Disk {
  /** `make`: a new and empty file; `change`: one that is there. */
  open(path: string, how: 'make' | 'change'): number;
  close(file: number): void;
  /** May write less than asked; gives how much. */
  write(file: number, bytes: Uint8Array, from: number, position: number): number;
  cut(file: number, length: number): void;
  /** Resolves when what has been written outlives a loss of power. */
  sync(file: number): Promise<void>;
  /** The same for names that have come, changed or gone. */
  syncFolder(path: string): Promise<void>;
  makeFolder(path: string): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
}

const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

export const realDisk: Disk = {
  open: (path, how) => openSync(path, how === 'make' ? 'w' : 'r+', 0o600),
  close: closeSync,
  write: (file, bytes, from, position) => writeSync(file, bytes, from, bytes.length - from, position),
  cut: ftruncateSync,
  sync: syncData,
  syncFolder: async path => {
    if (process.platform === 'win32') return; // it has no such thing
    const folder = openSync(path, 'r');
    try {
      await syncAll(folder);
    } finally {
      closeSync(folder);
    }
  },
  makeFolder,
  rename: renameSync,
  remove: unlinkSync,
};

/** With the folders above it. Node's own way to make these does not end where the system says that there can be none, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was faster
  }
}

/** Writes all of it, in as many steps as it takes. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = disk.write(file, bytes, done, position + done);
    if (count === 0) throw Object.assign(new Error('nothing could be written'), { code: 'ENOSPC' });
    done += count;
  }
}

/** Of the file that is written to see whether there is room; no log has this name. */
export const TRIAL = '.trial';
const TRIAL_BYTES = Buffer.alloc(2 ** 16);

/** Throws an error of the operating system where nothing can be written into a folder. */
export function tryDisk({ disk, folder }: { readonly disk: Disk; readonly folder: string }): void {
  const path = join(folder, TRIAL);
  const file = disk.open(path, 'make');
  try {
    writeAll(disk, file, TRIAL_BYTES, 0);
  } finally {
    disk.close(file);
    disk.remove(path);
  }
}
