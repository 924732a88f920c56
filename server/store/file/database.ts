// A LevelDB: loads the package, opens a folder, and writes in order. The only importer of classic-level.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ClassicLevel } from 'classic-level';
import { StoreError } from '../../engine/store.js';
import { DATABASE, disown, LOCK, own, ownerOf, tryToWrite } from './folder.js';
import { checkFiles } from './level-files.js';
import type { Operation } from './records.js';

type Level = ClassicLevel<string, string>;

/** Bytes that an iterator reads at once. */
const READ = 2 ** 20;
const RECORDS = 1_000;

/** Keys from `gte` to before `lt`. */
export interface Range {
  readonly gte?: string;
  readonly lt?: string;
}

/** A change that is to be written. */
interface Job {
  readonly operations: readonly Operation[];
  readonly undo: () => void;
  readonly done: () => void;
  readonly failed: (error: StoreError) => void;
}

export class Database {
  #waiting: Job[] = [];
  #working: Promise<void> | undefined;
  #reopening: Promise<void> | undefined;
  /** Why it is broken since a write failed. LevelDB has to be opened again then. */
  #broken: StoreError | undefined;
  /** What the failed write has to leave as it was, in case that LevelDB finds it in its log. */
  #restoring: readonly Operation[] = [];

  private constructor(
    private readonly folder: string,
    private readonly fsync: boolean,
    private readonly open: () => Promise<Level>,
    private readonly lock: Level,
    private level: Level | undefined,
    /** Called once when writing begins to fail. */
    private readonly broke: (why: StoreError) => void,
    /** The bytes of changes that LevelDB skipped, as the disk has lost them. */
    readonly skipped: readonly Buffer[],
  ) {}

  /** Locks the folder, and repairs what is damaged. Rejects with an error for `openingError`. */
  static async open(folder: string, fsync: boolean, broke: (why: StoreError) => void): Promise<Database> {
    const LevelDb = await loadPackage();
    const openAt = async (place: string): Promise<Level> => {
      const level: Level = new LevelDb(place, { createIfMissing: !hasData(place), compression: false });
      await level.open();
      return level;
    };
    const openOr = (mend: (place: string) => Promise<void>, place: string) =>
      openAt(place).catch(async error => {
        if (!isDamage(error)) throw error;
        await mend(place);
        return openAt(place);
      });
    const lock = await openOr(LevelDb.destroy, join(folder, LOCK));
    try {
      own(folder);
      const place = join(folder, DATABASE);
      const skipped = checkFiles(place);
      const level = await openOr(LevelDb.repair, place);
      return new Database(folder, fsync, () => openAt(place), lock, level, broke, skipped);
    } catch (error) {
      await lock.close();
      throw error;
    }
  }

  /** Throws a `StoreError` while nothing can be written. */
  requireWritable(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /** Writes all operations or none, after all earlier ones. Rejects with a `StoreError` after `undo` was called, for later changes first. */
  write(operations: readonly Operation[], undo: () => void): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ operations, undo, done, failed });
      this.#working ??= this.#work();
    });
  }

  /** All records of ranges at one moment, in the order of the keys of each range. */
  async *records(ranges: readonly Range[] = [{}]): AsyncGenerator<[string, string][], void> {
    const snapshot = this.#open.snapshot();
    try {
      for (const range of ranges) {
        const iterator = this.#open.iterator({ ...range, snapshot, highWaterMarkBytes: READ });
        for (let records = await iterator.nextv(RECORDS); records.length > 0; records = await iterator.nextv(RECORDS))
          yield records;
        await iterator.close();
      }
    } finally {
      await snapshot.close();
    }
  }

  get(key: string): Promise<string | undefined> {
    return this.#open.get(key);
  }

  /** Tries to become writable again. Rejects with a `StoreError` while that is impossible. */
  async reopen(): Promise<void> {
    const reopening = this.#reopen();
    this.#reopening = reopening.catch(() => {});
    await reopening;
  }

  async #reopen(): Promise<void> {
    try {
      tryToWrite(this.folder);
      await this.level?.close();
      this.level = undefined;
      this.level = await this.open();
      await this.level.batch([...this.#restoring], { sync: this.fsync });
    } catch (error) {
      throw writingError(this.folder, error);
    }
    this.#restoring = [];
    this.#broken = undefined;
  }

  /** Moves everything from the log into tables, whose truncation is noticed. Returns whether that was possible. */
  async settle(): Promise<boolean> {
    await this.#working;
    if (this.#broken !== undefined || this.level === undefined) return false;
    return this.level.compactRange('!', '!').then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    await this.#working;
    await this.#reopening;
    await this.level?.close();
    this.level = undefined;
    disown(this.folder);
    await this.lock.close();
  }

  get #open(): Level {
    if (this.level === undefined) throw this.#broken ?? new Error('the database is closed');
    return this.level;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0);
      try {
        await this.#open.batch(
          jobs.flatMap(({ operations }) => operations),
          { sync: this.fsync },
        );
        for (const { done } of jobs) done();
      } catch (error) {
        await this.#fail(jobs, error);
      }
    }
    this.#working = undefined;
  }

  /** Later changes may build on failed ones, so they fail too. */
  async #fail(failed: readonly Job[], error: unknown): Promise<void> {
    const why = writingError(this.folder, error);
    this.#broken = why;
    const jobs = [...failed, ...this.#waiting.splice(0)];
    for (const { undo } of jobs.toReversed()) undo();
    const keys = [...new Set(failed.flatMap(({ operations }) => operations.map(({ key }) => key)))];
    const values = (await this.level?.getMany(keys).catch(() => undefined)) ?? [];
    this.#restoring = values.map((value, i): Operation => {
      const key = keys[i] ?? '';
      return value === undefined ? { type: 'del', key } : { type: 'put', key, value };
    });
    this.broke(why);
    for (const job of jobs) job.failed(why);
  }
}

type Package = typeof ClassicLevel;

async function loadPackage(): Promise<Package> {
  try {
    return (await import('classic-level')).ClassicLevel;
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code))) throw error; // import() rejects with Node's errors
    const message = 'Sandboxes in a folder need the package classic-level: run npm install classic-level@3';
    throw new StoreError('refused', message, { cause: error });
  }
}

/** Without data, LevelDB would begin anew where only the name of its manifest is missing. */
function hasData(place: string): boolean {
  return existsSync(place) && readdirSync(place).some(file => /\.(?:ldb|log)$/.test(file));
}

/** The error of LevelDB, which abstract-level wraps. */
function causeOf(error: unknown): { readonly code: string | undefined; readonly message: string } {
  const { cause = error } = error as Error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return { code, message };
}

const NO_ROOM = /no space left|not enough space|quota exceeded|file too large|ENOSPC|EDQUOT|EFBIG/i;

function isDamage(error: unknown): boolean {
  const { code, message } = causeOf(error);
  return (
    code !== 'LEVEL_LOCKED' && !NO_ROOM.test(message) && !/permission denied|read-only|too many open/i.test(message)
  );
}

export function openingError(folder: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code, message } = causeOf(error);
  if (code === 'LEVEL_LOCKED') {
    const text = `The folder ${folder} is in use by ${ownerOf(folder)}: stop that process, or choose another folder`;
    return new StoreError('refused', text, { cause: error });
  }
  if (NO_ROOM.test(message)) return writingError(folder, error);
  return new StoreError('lost', `The sandboxes in ${folder} cannot be read: ${message}`, { cause: error });
}

function writingError(folder: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { message } = causeOf(error);
  if (NO_ROOM.test(message))
    return new StoreError('disk', `The disk of ${folder} is full, so nothing was changed: ${message}`, {
      cause: error,
    });
  return new StoreError('away', `The folder ${folder} cannot be written: ${message}`, { cause: error });
}
