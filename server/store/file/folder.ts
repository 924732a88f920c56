// The folder of a store: created or refused before LevelDB opens it, and the errors of LevelDB about it.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../engine/store.js';

export const DATABASE = 'leveldb';
/** The sound part of a damaged database, until it replaces that one. */
export const COPY = 'leveldb-copy';
/** Files that any folder may have. */
const HARMLESS = /^(?:\..*|lost\+found)$/;

const NO_ROOM = /no space left|not enough space|quota exceeded|file too large|ENOSPC|EDQUOT|EFBIG/i;
const DENIED = /permission denied|read-only|too many open/i;

/** Creates it if needed. Throws a `StoreError` if it cannot be used or belongs to something else. */
export function prepareFolder(folder: string): void {
  let files: readonly string[];
  try {
    createFolder(folder);
    files = readdirSync(folder);
  } catch (error) {
    throw new StoreError('refused', `Cannot use the folder ${folder}: ${reasonOf(error).message}`, { cause: error });
  }
  const other = files.find(file => !HARMLESS.test(file));
  if (other !== undefined && !files.includes(DATABASE) && !files.includes(COPY))
    throw new StoreError(
      'refused',
      `The folder ${folder} is not empty and was not created by cwx-fake (it contains ${other}): choose an empty folder`,
    );
}

/** Creates a folder and its parents. Until version 26, Node's own recursive mkdir never ends if the system refuses, as in /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process has just created it, for a folder beside this one
  }
}

export function openingError(folder: string, cause: unknown): StoreError {
  const { code, message } = reasonOf(cause);
  if (cause instanceof StoreError || NO_ROOM.test(message)) return writingError(folder, cause);
  const inUse = `The folder ${folder} is in use by another process: stop that process, or choose another folder`;
  if (code === 'LEVEL_LOCKED') return new StoreError('refused', inUse, { cause });
  const denied = `Cannot use the folder ${folder}: ${message}`;
  if (DENIED.test(message)) return new StoreError('refused', denied, { cause });
  const fix = 'Restore the folder from a backup, or delete it to start without sandboxes';
  return new StoreError('lost', `LevelDB cannot read the sandboxes in ${folder}: ${message}. ${fix}`, { cause });
}

export function writingError(folder: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const { message } = reasonOf(cause);
  return NO_ROOM.test(message)
    ? new StoreError('disk', `The disk of ${folder} is full, so nothing was changed: ${message}`, { cause })
    : new StoreError('away', `The folder ${folder} cannot be written: ${message}`, { cause });
}

/** An error of Node, or of LevelDB, which abstract-level wraps. */
function reasonOf(error: unknown): NodeJS.ErrnoException {
  const { cause = error } = error as Error;
  return cause as Error;
}
