// The folder of a store: made or refused before LevelDB opens it.
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../engine/store.js';

export const DATABASE = 'leveldb';
/** The sound part of a damaged database, until it replaces that one. */
export const COPY = 'leveldb-copy';
/** Files that any folder may have. */
const HARMLESS = /^(?:\..*|lost\+found)$/;

/** Creates it if needed. Throws a `StoreError` if it cannot be used or belongs to something else. */
export function prepareFolder(folder: string): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new StoreError('refused', `${folder} is a file: choose a folder`);
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const files = readdirSync(folder);
    const other = files.find(file => !HARMLESS.test(file));
    if (other !== undefined && !files.includes(DATABASE) && !files.includes(COPY))
      throw new StoreError(
        'refused',
        `The folder ${folder} is not empty and was not created by cwx-fake (it contains ${other}): choose an empty folder`,
      );
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { message } = error as Error; // Node's own
    throw new StoreError('refused', `Cannot use the folder ${folder}: ${message}`, { cause: error });
  }
}

/** Creates a folder and its parents. Until version 26, Node's own recursive mkdir never ends if the system refuses, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was faster
  }
}
