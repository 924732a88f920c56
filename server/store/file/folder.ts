// Reads the whole folder of a store before anything is changed. Incomplete files are repaired only if no file is damaged. Foreign files are left
// alone.
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Format, StoreError } from '../../engine/store.js';
import { type Disk, TRIAL } from './disk/disk.js';
import { failureOf } from './disk/file-error.js';
import { finish, syncUnfinished, writeUnfinished } from './disk/whole.js';
import { finished, sandboxOf } from './file-names.js';
import { FoundParts } from './found-parts.js';
import { Damage, type ReadLog, readLog } from './log/log-reader.js';
import { readTexts } from './log/log-texts.js';
import { Seals } from './log/seals.js';
import { Waste } from './log/waste.js';
import { linesOfLog } from './log/written-log.js';
import type { Part } from './part-files.js';

const MAX_REPORTED = 10;

/** Creates it if needed. Throws a `StoreError` if it cannot be used. */
export function makeFolder(folder: string, disk: Disk): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new StoreError('refused', `the store needs a folder, and ${folder} is a file: name another place`);
    disk.makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { message } = failureOf(`the store cannot use the folder ${folder}`, error);
    throw new StoreError('refused', `${message}; name a folder that this user may write`, { cause: error });
  }
}

export interface ReadFolder<Base, Entry, Note> {
  readonly logs: readonly ReadLog<Base, Entry, Note>[];
  /** The parts of the logs, by name. */
  readonly parts: ReadonlyMap<string, Part>;
  /** Deletes unfinished files of a process that ended, upgrades files of the previous version, and returns the logs. Rejects with a `StoreError`. */
  mend(disk: Disk): Promise<readonly ReadLog<Base, Entry, Note>[]>;
}

/** Rejects with a `StoreError` that names each damaged file; then nothing was changed. */
export async function readFolder<Base, Entry, Note>(
  folder: string,
  format: Format<Base, Entry, Note>,
): Promise<ReadFolder<Base, Entry, Note>> {
  const logs: ReadLog<Base, Entry, Note>[] = [];
  const damages: Damage[] = [];
  const leftovers: string[] = [];
  const parts = new FoundParts(folder);
  for (const file of filesIn(folder)) {
    const path = join(folder, file);
    const sandbox = sandboxOf(file);
    if (sandbox === undefined) {
      if (file === TRIAL || sandboxOf(finished(file) ?? '') !== undefined) leftovers.push(path);
      continue;
    }
    try {
      const read = await readLog(path, sandbox, format, parts.text);
      if (read === undefined) leftovers.push(path);
      else logs.push(read);
    } catch (error) {
      if (!(error instanceof Damage)) throw failureOf(`${path} could not be read`, error);
      damages.push(error);
    }
  }
  if (damages.length > 0) throw refusal(folder, damages);
  const useless = [...leftovers, ...parts.unused()];
  return { logs, parts: parts.found, mend: disk => mend(disk, format, logs, useless) };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isFile() ? [entry.name] : []));
}

async function mend<Base, Entry, Note>(
  disk: Disk,
  format: Format<Base, Entry, Note>,
  logs: readonly ReadLog<Base, Entry, Note>[],
  useless: readonly string[],
): Promise<readonly ReadLog<Base, Entry, Note>[]> {
  try {
    for (const { path, length } of logs) if (statSync(path).size > length) cut(disk, path, length);
    for (const path of useless) disk.remove(path);
    const mended: ReadLog<Base, Entry, Note>[] = [];
    for (const log of logs) mended.push(log.seal === undefined ? await sealed(disk, format, log) : log);
    return mended;
  } catch (error) {
    throw failureOf('what a process left in the folder of the store could not be put in order', error);
  }
}

/** Adds checksums to a file without them. */
async function sealed<Base, Entry, Note>(
  disk: Disk,
  format: Format<Base, Entry, Note>,
  log: ReadLog<Base, Entry, Note>,
): Promise<ReadLog<Base, Entry, Note>> {
  const { path, birth } = log;
  const [waste, seals] = [new Waste(), new Seals()];
  const texts = readTexts(path, birth.sandbox, format, log.length);
  const whole = { waste, seals, held: [], parts: { bytesOf: () => 0, hold: () => {} } }; // only its base refers to parts
  const length = writeUnfinished(disk, path, linesOfLog(texts, birth, format.version, whole));
  await syncUnfinished(disk, path);
  finish(disk, path);
  return { ...log, length, waste, seal: seals.last };
}

function cut(disk: Disk, path: string, length: number): void {
  const file = disk.open(path, 'change');
  try {
    disk.cut(file, length);
  } finally {
    disk.close(file);
  }
}

function refusal(folder: string, damages: readonly Damage[]): StoreError {
  const reported = damages.slice(0, MAX_REPORTED).map(({ message }) => message);
  const more = damages.length > MAX_REPORTED ? [`and ${damages.length - MAX_REPORTED} more files`] : [];
  const advice = `Nothing has been changed. Move ${damages.length === 1 ? 'this file' : 'these files'} out of ${folder} to start without ${damages.length === 1 ? 'its sandbox' : 'their sandboxes'}.`;
  const isOther = damages.some(({ reason }) => reason.failure === 'format');
  return new StoreError(isOther ? 'format' : 'lost', [...reported, ...more, advice].join('\n'));
}
