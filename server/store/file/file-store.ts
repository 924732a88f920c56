// The store for one machine that keeps its sandboxes over restarts: each log is a file in one folder.
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import {
  type Appended,
  type Batch,
  type Format,
  type Head,
  type OrLater,
  requireTtl,
  type Store,
  StoreError,
  type Tail,
} from '../../engine/store.js';
import { Listeners } from '../listeners.js';
import { deafLog, Refusals, type StoreLog } from '../refused-changes.js';
import { Descriptors } from './disk/descriptors.js';
import { type Disk, realDisk, tryDisk } from './disk/disk.js';
import { type Release, Taken, takeFolder } from './disk/lock.js';
import { Mutex } from './disk/mutex.js';
import { fileOf } from './file-names.js';
import { makeFolder, type ReadFolder, readFolder } from './folder.js';
import { KeptLog } from './log/kept-log.js';
import { LogFile } from './log/log-file.js';
import { Parts } from './part-files.js';
import type { Setup } from './setup.js';

interface FileStoreOptions<Base, Entry, Note> {
  /** Created if it does not exist. */
  readonly folder: string;
  readonly format: Format<Base, Entry, Note>;
  /** Whether acknowledged data survives a power failure. It always survives the end of the process. */
  readonly fsync: boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly disk?: Disk;
  /** Called when the disk refuses changes, and when it accepts them again. */
  readonly log?: StoreLog;
}

/**
 * Reads the folder and locks it until it is closed. Rejects with a `StoreError`: `refused` if it cannot be used or another process has it, `lost` or
 * `format` if a file cannot be read; the message names file and line.
 */
export async function fileStore<Base, Entry, Note>(
  options: FileStoreOptions<Base, Entry, Note>,
): Promise<Store<Base, Entry, Note>> {
  const { folder, format, disk = realDisk } = options;
  makeFolder(folder, disk);
  const lock = { isLost: false };
  const release = await take(folder, lock);
  try {
    const found = await readFolder(folder, format);
    return new FileStore(options, { ...found, logs: await found.mend(disk) }, lock, release);
  } catch (error) {
    await release();
    throw error;
  }
}

interface Lock {
  /** The lock is lost, so another process may use the folder. */
  isLost: boolean;
}

async function take(folder: string, lock: Lock): Promise<Release> {
  const lost = () => {
    lock.isLost = true;
  };
  try {
    return await takeFolder(folder, { lost });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = error instanceof Taken ? ': end it, or give each its own folder' : '';
    throw new StoreError('refused', `the store cannot have the folder ${folder}: ${reason}${advice}`, { cause: error });
  }
}

const LOST = 'the lock of the folder is gone, so that another process may have it: start this program anew';

class FileStore<Base, Entry, Note> implements Store<Base, Entry, Note> {
  readonly name: string;
  readonly isShared = false;
  readonly isImmediate: boolean;
  readonly #logs = new Map<string, KeptLog<Base, Entry, Note>>();
  readonly #listeners = new Listeners();
  readonly #mutex = new Mutex();
  readonly #setup: Setup<Base, Entry, Note>;
  readonly #now: () => number;
  readonly #refusals: Refusals;
  #isClosed = false;

  constructor(
    { folder, format, fsync, now = Date.now, disk = realDisk, log = deafLog }: FileStoreOptions<Base, Entry, Note>,
    { logs, parts: found }: ReadFolder<Base, Entry, Note>,
    private readonly lock: Lock,
    private readonly release: Release,
  ) {
    this.name = `file:${folder}${fsync ? ' (fsync)' : ''}`;
    this.#refusals = new Refusals(this.name, log);
    this.isImmediate = !fsync;
    this.#now = now;
    const parts = new Parts(folder, disk, found);
    this.#setup = { folder, format, fsync, disk, parts, descriptors: new Descriptors(disk), newId: idsOfOneProcess() };
    for (const read of logs)
      this.#logs.set(read.birth.sandbox, KeptLog.of(this.#setup, this.#file(basename(read.path), read.length), read));
  }

  get trouble(): string | undefined {
    return this.lock.isLost ? LOST : this.#refusals.trouble;
  }

  async ready(): Promise<void> {
    this.#refuseClosed();
  }

  now(): number {
    return this.#now();
  }

  async create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined> {
    this.#refuseClosed();
    requireTtl(ttl);
    const file = fileOf(sandbox);
    if (file === undefined) throw new StoreError('refused', `no file can be named after the sandbox ${sandbox}`);
    return this.#inTurn(sandbox, async () => {
      if (this.#logs.has(sandbox)) return undefined;
      const { newId } = this.#setup;
      const head = { version: 0, id: newId(), log: newId(), from: 0 };
      const birth = { sandbox, created: new Date(this.#now()).toISOString() };
      this.#logs.set(sandbox, await KeptLog.create(this.#setup, this.#file(file, 0), birth, head, base, ttl));
      this.#listeners.tell(sandbox);
      return head;
    });
  }

  append(sandbox: string, head: Head, batch: Batch<Entry, Note>): OrLater<Appended<Base, Entry, Note>> {
    this.#refuseClosed();
    return this.#inTurn(sandbox, () => {
      const appended = this.#logs.get(sandbox)?.append(head, batch) ?? 'gone';
      if (!(appended instanceof Promise)) return this.#announced(sandbox, appended);
      return appended.then(later => this.#announced(sandbox, later));
    });
  }

  async since(sandbox: string): Promise<Tail<Base, Entry, Note> | undefined> {
    this.#refuseClosed();
    const kept = this.#logs.get(sandbox);
    return kept?.tail();
  }

  compact(sandbox: string, head: Head, version: number, base: Base): OrLater<Head | 'gone'> {
    this.#refuseClosed();
    return this.#inTurn(sandbox, () => this.#logs.get(sandbox)?.compact(head, version, base) ?? 'gone');
  }

  async drop(sandbox: string): Promise<boolean> {
    this.#refuseClosed();
    return this.#inTurn(sandbox, async () => {
      const kept = this.#logs.get(sandbox);
      await kept?.drop(() => {
        this.#logs.delete(sandbox);
        this.#listeners.tell(sandbox);
      });
      return kept !== undefined;
    });
  }

  async list(): Promise<readonly string[]> {
    this.#refuseClosed();
    return [...this.#logs.keys()];
  }

  watch(sandbox: string, listener: () => void): () => void {
    return this.#listeners.watch(sandbox, listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#refusals.end();
    await this.#mutex.ended();
    this.#setup.descriptors.closeAll();
    await this.release();
  }

  #file(name: string, length: number): LogFile {
    const { folder, disk, descriptors } = this.#setup;
    return new LogFile(join(folder, name), disk, descriptors, length);
  }

  #announced(sandbox: string, appended: Appended<Base, Entry, Note>): Appended<Base, Entry, Note> {
    if (appended !== 'gone' && 'head' in appended) this.#listeners.tell(sandbox);
    return appended;
  }

  /** Without fsync, every verb is synchronous. */
  #inTurn<T>(sandbox: string, work: () => OrLater<T>): OrLater<T> {
    if (this.#setup.fsync) return this.#mutex.take(sandbox, work).catch(this.#heed);
    try {
      const done = work();
      return done instanceof Promise ? done.catch(this.#heed) : done;
    } catch (error) {
      return this.#heed(error);
    }
  }

  readonly #heed = (error: unknown): never => {
    if (error instanceof StoreError && (error.failure === 'full' || error.failure === 'away'))
      this.#refusals.refused(error.message, () => tryDisk(this.#setup));
    throw error;
  };

  #refuseClosed(): void {
    if (this.lock.isLost) throw new StoreError('away', LOST);
    if (this.#isClosed) throw new StoreError('away', `the store ${this.name} is closed`);
  }
}

function idsOfOneProcess(): () => string {
  const own = randomBytes(8).toString('hex');
  let ids = 0;
  return () => {
    ids += 1;
    return `${own}-${ids}`;
  };
}
