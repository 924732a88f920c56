// The file system calls of the file store, in one place, so that tests can make them fail.
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
  /** `make`: a new and empty file; `change`: an existing one. */
  open(path: string, how: 'make' | 'change'): number;
  close(file: number): void;
  /** May write fewer bytes; returns their number. */
  write(file: number, bytes: Uint8Array, from: number, position: number): number;
  cut(file: number, length: number): void;
  /** Resolves when written data survives a power failure. */
  sync(file: number): Promise<void>;
  /** The same for names that were created, changed or deleted. */
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
    if (process.platform === 'win32') return; // the platform has no such call
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

/** Creates a folder and its parents. Node's own recursive mkdir never ends if the system refuses, as in /proc. */
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

/** Writes all bytes, in as many calls as needed. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const count = disk.write(file, bytes, done, position + done);
    if (count === 0) throw Object.assign(new Error('nothing could be written'), { code: 'ENOSPC' });
    done += count;
  }
}

/** The file that is written to test for space; no log has this name. */
export const TRIAL = '.trial';
const TRIAL_BYTES = Buffer.alloc(2 ** 16);

/** Throws the error of the operating system if nothing can be written into a folder. */
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
