// A LevelDB: opens a folder, and writes in order. The only importer of classic-level.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ClassicLevel } from 'classic-level';
import { StoreError } from '../../engine/store.js';
import { COPY, DATABASE, writingError } from './folder.js';
import type { DatabaseOperation, Range } from './records.js';

type Level = ClassicLevel<string, string>;

interface Job {
  readonly operations: readonly DatabaseOperation[];
  readonly done: () => void;
  readonly failed: (error: StoreError) => void;
}

export class Database {
  #waiting: Job[] = [];
  #working: Promise<void> | undefined;
  /** Why it is broken since a write failed. LevelDB has to be opened again then. */
  #broken: StoreError | undefined;
  /** The write that failed. */
  #failed: readonly DatabaseOperation[] = [];
  /** What it has to leave as it was, in case that LevelDB finds it in its log. */
  #restoring: readonly DatabaseOperation[] | undefined;

  private constructor(
    private readonly folder: string,
    private readonly fsync: boolean,
    private readonly open: (name: string, createIfMissing: boolean) => Promise<Level>,
    private level: Level,
    /** LevelDB's log, if LevelDB has skipped a damaged part of it. */
    readonly skippedLog: string,
    /** Whether nothing was ever written to it. */
    readonly isNew: boolean,
    /** Called once when writing begins to fail. */
    private readonly broke: (why: StoreError) => void,
  ) {}

  /** Opens the folder, and locks it by that. Rejects with an error for `openingError`. */
  static async open(folder: string, fsync: boolean, broke: (why: StoreError) => void): Promise<Database> {
    const LevelDb = await loadPackage();
    const open = async (name: string, createIfMissing: boolean): Promise<Level> => {
      const level: Level = new LevelDb(join(folder, name), { createIfMissing, compression: false });
      await level.open();
      return level;
    };
    const [place, copy] = [join(folder, DATABASE), join(folder, COPY)];
    if (existsSync(copy) && !existsSync(place)) renameSync(copy, place);
    const log = logIn(place);
    const isNew = log === '' && !filesIn(place).some(file => file.endsWith('.ldb'));
    const level = await open(DATABASE, isNew); // else LevelDB would begin anew if the name of its list of tables were missing
    rmSync(copy, { recursive: true, force: true });
    const hasSkipped = readFileSync(join(place, 'LOG'), 'latin1').includes(': dropping '); // it says so nowhere else
    return new Database(folder, fsync, open, level, hasSkipped ? log : '', isNew, broke);
  }

  /** Throws a `StoreError` while nothing can be written. */
  requireWritable(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /** Writes all operations or none, after all earlier ones. Rejects with a `StoreError`: later changes first, which may build on earlier ones. */
  write(operations: readonly DatabaseOperation[]): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ operations, done, failed });
      this.#working ??= this.#work();
    });
  }

  /** All records of ranges at one moment, in the order of keys. */
  async *records(ranges: readonly Range[] = [{}]): AsyncGenerator<[key: string, value: string][], void> {
    const snapshot = this.level.snapshot();
    try {
      for (const range of ranges) {
        const iterator = this.level.iterator({ ...range, snapshot, highWaterMarkBytes: 2 ** 20 });
        for (let some = await iterator.nextv(1_000); some.length > 0; some = await iterator.nextv(1_000)) yield some;
        await iterator.close();
      }
    } finally {
      await snapshot.close();
    }
  }

  get(key: string): Promise<string | undefined> {
    return this.level.get(key);
  }

  /** Whether LevelDB finds keys by its indexes too. These can be damaged, which does not matter to `records` of the whole database. */
  async hasAll(keys: readonly string[]): Promise<boolean> {
    return (await this.level.hasMany([...keys])).every(Boolean);
  }

  /** Keeps only some records, and adds others, in a new database: LevelDB ends the process when it merges certain damaged files. */
  async replace(isKept: (key: string, value: string) => boolean, added: readonly DatabaseOperation[]): Promise<void> {
    const copy = await this.open(COPY, true);
    for await (const records of this.records()) {
      const kept = records.filter(([key, value]) => isKept(key, value));
      await copy.batch(kept.map(([key, value]) => ({ type: 'put', key, value })));
    }
    await copy.batch([...added], { sync: true });
    await copy.close();
    await this.level.close();
    rmSync(join(this.folder, DATABASE), { recursive: true });
    renameSync(join(this.folder, COPY), join(this.folder, DATABASE));
    this.level = await this.open(DATABASE, false);
  }

  /** Tries to become writable again. Rejects with a `StoreError` while that is impossible. */
  reopen(): Promise<void> {
    const reopening = this.#reopen();
    this.#working = reopening.catch(() => {}).then(() => this.#work()); // the caller handles the error
    return reopening;
  }

  async close(): Promise<void> {
    await this.#working;
    try {
      await this.level.close();
      if (this.#broken !== undefined) return;
      this.level = await this.open(DATABASE, false); // it moves its log into a table, where it notices missing ends
      await this.level.close();
    } catch (error) {
      throw writingError(this.folder, error);
    }
  }

  async #reopen(): Promise<void> {
    try {
      this.#restoring ??= await this.#stored(this.#failed);
      await this.level.close();
      this.level = await this.open(DATABASE, false);
      await this.level.batch([...this.#restoring], { sync: this.fsync });
    } catch (error) {
      throw writingError(this.folder, error);
    }
    this.#restoring = undefined;
    this.#broken = undefined;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0);
      const operations = jobs.flatMap(job => job.operations);
      try {
        await this.level.batch(operations, { sync: this.fsync });
        for (const { done } of jobs) done();
      } catch (error) {
        this.#broken = writingError(this.folder, error);
        this.#failed = operations;
        this.broke(this.#broken);
        for (const job of [...jobs, ...this.#waiting.splice(0)].toReversed()) job.failed(this.#broken);
      }
    }
    this.#working = undefined;
  }

  /** Operations that write what is stored now under the keys of others. */
  async #stored(operations: readonly DatabaseOperation[]): Promise<DatabaseOperation[]> {
    const keys = [...new Set(operations.map(({ key }) => key))];
    const values = await this.level.getMany(keys);
    return keys.map((key, i) => {
      const value = values[i];
      return value === undefined ? { type: 'del', key } : { type: 'put', key, value };
    });
  }
}

async function loadPackage(): Promise<typeof ClassicLevel> {
  try {
    return (await import('classic-level')).ClassicLevel;
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code))) throw error; // import() rejects with Node's errors
    const message = 'Sandboxes in a folder need the package classic-level: run npm install classic-level@3';
    throw new StoreError('refused', message, { cause: error });
  }
}

/** The changes that LevelDB has not moved into tables yet. */
function logIn(place: string): string {
  const files = filesIn(place).filter(file => file.endsWith('.log'));
  return files.map(file => readFileSync(join(place, file), 'latin1')).join('');
}

function filesIn(place: string): string[] {
  return existsSync(place) ? readdirSync(place) : [];
}
