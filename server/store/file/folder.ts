// The folder of a store: the database, an index of its sandboxes, and the process that has it.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { StoreError } from '../../engine/store.js';
import { checksum } from './records.js';

export const DATABASE = 'leveldb';
/** An empty database, which one process can open. */
export const LOCK = 'lock';
const INDEX = 'index.json';
const OWNER = 'owner.json';
/** Files that any folder may have, and those of a process that begins here at this moment. */
const HARMLESS = /^(?:\..*|lost\+found|lock|owner\.json)$/;

/** The sandboxes that the database has, at least: a second opinion for the case that a part of it cannot be read. */
export interface Index {
  /** Whether nothing was changed afterwards. */
  readonly isFinal: boolean;
  readonly logs: ReadonlyArray<readonly [sandbox: string, log: string, last: number, id: string]>;
}

/** Creates it if needed. Throws a `StoreError` if it cannot be used or belongs to something else. */
export function prepareFolder(folder: string): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new StoreError('refused', `${folder} is a file: choose a folder`);
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const files = readdirSync(folder);
    if (files.includes(INDEX) || files.includes(DATABASE)) return;
    const other = files.find(file => !HARMLESS.test(file));
    if (other !== undefined)
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

/** Creates a folder and its parents. Node's own recursive mkdir never ends if the system refuses, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was faster
  }
}

/** `undefined`: there is none yet, or it is damaged. */
export function readIndex(folder: string): Index | undefined {
  try {
    const [text = '', crc] = readFileSync(join(folder, INDEX), 'utf8').split('\n');
    return crc === checksum(INDEX, text) ? (JSON.parse(text) as Index) : undefined;
  } catch {
    return undefined;
  }
}

/** Survives a power failure: an older index could otherwise contradict the database. */
export function writeIndex(folder: string, index: Index): void {
  const text = JSON.stringify(index);
  const path = join(folder, INDEX);
  writeFileSync(`${path}.new`, `${text}\n${checksum(INDEX, text)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  if (process.platform === 'win32') return; // it cannot flush a folder
  const renamed = openSync(folder, 'r');
  try {
    fsyncSync(renamed);
  } finally {
    closeSync(renamed);
  }
}

/** The process that has the folder, in words. */
export function ownerOf(folder: string): string {
  try {
    const { pid, host } = JSON.parse(readFileSync(join(folder, OWNER), 'utf8')) as Record<string, unknown>;
    return `process ${pid}${host === hostname() ? '' : ` on ${host}`}`;
  } catch {
    return 'another process';
  }
}

export function own(folder: string): void {
  writeFileSync(join(folder, OWNER), JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
}

export function disown(folder: string): void {
  rmSync(join(folder, OWNER), { force: true });
}

/** Throws the error of the operating system if nothing can be written into a folder. */
export function tryToWrite(folder: string): void {
  const path = join(folder, `${OWNER}.new`);
  try {
    writeFileSync(path, Buffer.alloc(2 ** 16));
  } finally {
    rmSync(path, { force: true });
  }
}
