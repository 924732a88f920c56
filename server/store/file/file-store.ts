// The store for one machine that keeps its sandboxes over restarts: a LevelDB in a folder.
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import {
  type Appended,
  type Batch,
  type Format,
  type Head,
  type PartText,
  type PutPart,
  requireTtl,
  type Store,
  StoreError,
  type Tail,
} from '../../engine/store.js';
import { Listeners } from '../listeners.js';
import { deafLog, Refusals, type StoreLog } from '../refused-changes.js';
import { Database, openingError } from './database.js';
import { prepareFolder, readIndex, writeIndex } from './folder.js';
import { type Damage, type Found, FoundLogs } from './found-logs.js';
import { countsAfter, headAfter, NO_NOTES } from './note-counts.js';
import {
  baseKey,
  entryKey,
  keyOf,
  type LogEnd,
  noteKey,
  partKey,
  rangesOf,
  type Sealed,
  type StoredEnd,
  unseal,
} from './records.js';
import { Change, type References } from './references.js';

const MAX_REPORTED = 10;

interface FileStoreOptions<Base, Entry, Note> {
  /** Created if it does not exist. */
  readonly folder: string;
  readonly format: Format<Base, Entry, Note>;
  /** Whether acknowledged data survives a power failure. It always survives the end of the process. */
  readonly fsync: boolean;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called for damage, when the disk refuses changes, and when it accepts them again. */
  readonly log?: StoreLog;
}

/**
 * Reads the folder and locks it until it is closed. Damaged sandboxes are reported to the log; their verbs fail, except `drop`. Rejects with a
 * `StoreError` if the folder cannot be used or another process has it.
 */
export async function fileStore<Base, Entry, Note>(
  options: FileStoreOptions<Base, Entry, Note>,
): Promise<Store<Base, Entry, Note>> {
  const { folder, fsync, log = deafLog } = options;
  prepareFolder(folder);
  const name = `file:${folder}${fsync ? ' (fsync)' : ''}`;
  const refusals = new Refusals(name, log);
  const database = await Database.open(realpathSync(folder), fsync, why =>
    refusals.refused(why.message, () => database.reopen()),
  ).catch(error => {
    throw openingError(folder, error);
  });
  try {
    const found = await read(database, options);
    report(found.damages, log);
    return new FileStore(name, options, database, refusals, found);
  } catch (error) {
    await database.close();
    throw openingError(folder, error);
  }
}

interface FoundSandboxes {
  readonly found: ReadonlyMap<string, Found>;
  readonly damages: ReadonlyMap<string, Damage>;
  readonly foreign: ReadonlyMap<string, LogEnd>;
  readonly references: References;
}

async function read<Base, Entry, Note>(
  database: Database,
  { folder, format }: FileStoreOptions<Base, Entry, Note>,
): Promise<FoundSandboxes> {
  const all = new FoundLogs(format);
  for await (const records of database.records()) for (const [key, value] of records) all.add(key, value);
  const found = all.settle(readIndex(folder), database.skipped);
  await database.write(all.cleaning, () => {});
  const { damages, foreign, references } = all;
  writeIndex(folder, indexOf([...endsOf(found), ...foreign], false));
  return { found, damages, foreign, references };
}

function endsOf(found: ReadonlyMap<string, Found>): Map<string, LogEnd> {
  return new Map([...found].map(([sandbox, { end }]) => [sandbox, end]));
}

function indexOf(ends: ReadonlyArray<readonly [sandbox: string, end: LogEnd]>, isFinal: boolean) {
  return { isFinal, logs: ends.map(([name, { head }]) => [name, head.log, head.version, head.id] as const) };
}

function report(damages: ReadonlyMap<string, Damage>, log: StoreLog): void {
  for (const [sandbox, damage] of [...damages].slice(0, MAX_REPORTED))
    log.warn(`${unusable(sandbox, damage).message}.`);
  if (damages.size > MAX_REPORTED) log.warn(`${damages.size - MAX_REPORTED} more sandboxes are damaged.`);
}

function unusable(sandbox: string, { failure, reason }: Damage): StoreError {
  const words = failure === 'lost' ? `is damaged: ${reason}` : `cannot be read: ${reason}`;
  return new StoreError(failure, `Sandbox ${sandbox} ${words}. To use the name again, delete the sandbox`);
}

class FileStore<Base, Entry, Note> implements Store<Base, Entry, Note> {
  readonly isShared = false;
  readonly isImmediate = false;
  readonly #ends: Map<string, LogEnd>;
  /** What was read at the opening, until its first use. */
  readonly #found: Map<string, Found>;
  readonly #damages: Map<string, Damage>;
  readonly #foreign: ReadonlyMap<string, LogEnd>;
  readonly #references: References;
  readonly #listeners = new Listeners();
  readonly #newId = idsOfOneProcess();
  readonly #now: () => number;
  #isClosed = false;

  constructor(
    readonly name: string,
    private readonly options: FileStoreOptions<Base, Entry, Note>,
    private readonly database: Database,
    private readonly refusals: Refusals,
    { found, damages, foreign, references }: FoundSandboxes,
  ) {
    this.#now = options.now ?? Date.now;
    this.#ends = endsOf(found);
    this.#found = new Map(found);
    this.#damages = new Map(damages);
    this.#foreign = foreign;
    this.#references = references;
  }

  get trouble(): string | undefined {
    return this.refusals.trouble;
  }

  async ready(): Promise<void> {
    this.#requireOpen();
  }

  now(): number {
    return this.#now();
  }

  async create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined> {
    this.#requireUsable(sandbox);
    requireTtl(ttl);
    if (this.#ends.has(sandbox)) return undefined;
    const head = { version: 0, id: this.#newId(), log: this.#newId(), from: 0 };
    const change = this.#change();
    this.#putBase(change, sandbox, 0, base);
    await this.#commit(sandbox, change, { head, notes: NO_NOTES, ...(ttl !== undefined && { ttl }) });
    return head;
  }

  async append(sandbox: string, head: Head, batch: Batch<Entry, Note>): Promise<Appended<Base, Entry, Note>> {
    this.#requireUsable(sandbox);
    const end = this.#endOf(sandbox, head);
    if (end === undefined) return 'gone';
    const { notes: before } = end;
    const next = { ...end, head: headAfter(head, batch, this.#newId), notes: countsAfter(before, head, batch) };
    const { run, last } = next.notes;
    const appended = { head: next.head, run, lastNote: last };
    if (batch.entries.length + batch.notes.length === 0 && next.notes.forgotten === before.forgotten) return appended;
    const { format } = this.options;
    const change = this.#change();
    batch.entries.forEach((entry, i) => {
      put(change, entryKey(sandbox, head.version + i + 1), keep => format.writeEntry(entry, keep));
    });
    batch.notes.forEach((note, i) => {
      put(change, noteKey(sandbox, run, last - batch.notes.length + i + 1), keep => format.writeNote(note, keep));
    });
    const forgotten = run === before.run ? next.notes.forgotten : before.last;
    for (let n = before.forgotten + 1; n <= forgotten; n += 1) change.delete(noteKey(sandbox, before.run, n));
    await this.#commit(sandbox, change, next);
    return appended;
  }

  async since(sandbox: string): Promise<Tail<Base, Entry, Note> | undefined> {
    this.#requireUsable(sandbox);
    if (!this.#ends.has(sandbox)) return undefined;
    const found = this.#found.get(sandbox) ?? (await this.#read(sandbox));
    this.#found.delete(sandbox);
    if (found?.base === undefined) return undefined; // it is just being created
    const { format } = this.options;
    const { head, notes, ttl } = found.end;
    return {
      head,
      base: { version: head.from, value: await format.readBase(found.base.text, name => this.#part(name)) },
      entries: await this.#decoded(found.entries, format.readEntry),
      notes: { ...notes, latest: await this.#decoded(found.notes, format.readNote) },
      ...(ttl !== undefined && { ttl }),
    };
  }

  async compact(sandbox: string, head: Head, version: number, base: Base): Promise<Head | 'gone'> {
    this.#requireUsable(sandbox);
    const end = this.#endOf(sandbox, head);
    if (end === undefined) return 'gone';
    if (version <= head.from || version > head.version) return head;
    const next = { ...end, head: { ...head, from: version } };
    const change = this.#change();
    this.#putBase(change, sandbox, version, base);
    change.delete(baseKey(sandbox, head.from));
    for (let n = head.from + 1; n <= version; n += 1) change.delete(entryKey(sandbox, n));
    await this.#commit(sandbox, change, next);
    return next.head;
  }

  async drop(sandbox: string): Promise<boolean> {
    this.#requireOpen();
    const damage = this.#damages.get(sandbox);
    const end = this.#ends.get(sandbox);
    if (end === undefined && damage === undefined) return false;
    const keys = end === undefined ? await this.#keysOf(sandbox) : keysOf(sandbox, end);
    if (end !== this.#ends.get(sandbox) || damage !== this.#damages.get(sandbox)) return this.drop(sandbox); // dropped meanwhile
    const change = this.#change();
    change.put(keyOf('d', sandbox), '');
    for (const key of keys) change.delete(key);
    await this.#commit(sandbox, change, undefined);
    return true;
  }

  async list(): Promise<readonly string[]> {
    this.#requireOpen();
    return [...this.#ends.keys()];
  }

  watch(sandbox: string, listener: () => void): () => void {
    return this.#listeners.watch(sandbox, listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.refusals.end();
    try {
      const foreign = [...this.#foreign].filter(([sandbox]) => this.#damages.has(sandbox));
      if (await this.database.settle()) writeIndex(this.options.folder, indexOf([...this.#ends, ...foreign], true));
    } finally {
      await this.database.close();
    }
  }

  #change(): Change {
    this.database.requireWritable();
    return new Change(this.#references);
  }

  #putBase(change: Change, sandbox: string, version: number, base: Base): void {
    const { text, parts } = this.options.format.writeBase(base);
    change.put(baseKey(sandbox, version), text, parts);
  }

  /** Writes a change, after which a log ends at `end`; `undefined`: it is dropped. Until it is written, other verbs see it already. */
  async #commit(sandbox: string, change: Change, end: LogEnd | undefined): Promise<void> {
    const before = this.#ends.get(sandbox);
    const damage = this.#damages.get(sandbox);
    if (end === undefined) this.#ends.delete(sandbox);
    else {
      this.#ends.set(sandbox, end);
      change.put(
        keyOf('h', sandbox),
        JSON.stringify({ format: this.options.format.version, ...end } satisfies StoredEnd),
      );
    }
    this.#damages.delete(sandbox);
    this.#found.delete(sandbox);
    await this.database.write(change.operations, () => {
      change.undo();
      if (before === undefined) this.#ends.delete(sandbox);
      else this.#ends.set(sandbox, before);
      if (damage !== undefined) this.#damages.set(sandbox, damage);
    });
    this.#listeners.tell(sandbox);
  }

  #endOf(sandbox: string, { log, version, from }: Head): LogEnd | undefined {
    const end = this.#ends.get(sandbox);
    if (end?.head.log !== log) return undefined;
    if (end.head.version === version && end.head.from === from) return end;
    throw new Error(`sandbox ${sandbox} has two writers in this process`);
  }

  async #read(sandbox: string): Promise<Found | undefined> {
    const logs = new FoundLogs(this.options.format, this.#references);
    for await (const records of this.database.records(rangesOf(sandbox)))
      for (const [key, value] of records) logs.add(key, value);
    const found = logs.settle(undefined, []).get(sandbox);
    const damage = logs.damages.get(sandbox);
    if (damage !== undefined) throw unusable(sandbox, damage);
    return found;
  }

  async #decoded<T>(records: readonly Sealed[], decode: (text: string, part: PartText) => T): Promise<T[]> {
    const decoded: T[] = [];
    for (const { text, parts } of records) {
      const texts = new Map<string, string>();
      for (const name of parts) texts.set(name, await this.#part(name));
      decoded.push(decode(text, name => texts.get(name) ?? ''));
    }
    return decoded;
  }

  async #part(name: string): Promise<string> {
    const key = partKey(name);
    const value = await this.database.get(key);
    const part = value === undefined ? undefined : unseal(key, value);
    if (part === undefined) throw new StoreError('lost', `The part ${name} of a sandbox cannot be read`);
    return part.text;
  }

  /** The keys of a damaged sandbox, as far as they can be read. */
  async #keysOf(sandbox: string): Promise<readonly string[]> {
    const keys = [keyOf('x', sandbox)];
    for await (const records of this.database.records(rangesOf(sandbox))) keys.push(...records.map(([key]) => key));
    return keys;
  }

  #requireUsable(sandbox: string): void {
    this.#requireOpen();
    const damage = this.#damages.get(sandbox);
    if (damage !== undefined) throw unusable(sandbox, damage);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoreError('away', `The store ${this.name} is closed`);
  }
}

function put(change: Change, key: string, write: (keep: PutPart) => string): void {
  let parts: Map<string, string> | undefined;
  const text = write((name, part) => {
    parts ??= new Map();
    parts.set(name, part);
  });
  change.put(key, text, parts);
}

/** All keys of a log. */
function keysOf(sandbox: string, { head: { from, version }, notes: { run, last, forgotten } }: LogEnd): string[] {
  const keys = [keyOf('h', sandbox), baseKey(sandbox, from)];
  for (let n = from + 1; n <= version; n += 1) keys.push(entryKey(sandbox, n));
  for (let n = forgotten + 1; n <= last; n += 1) keys.push(noteKey(sandbox, run, n));
  return keys;
}

function idsOfOneProcess(): () => string {
  const own = randomBytes(8).toString('hex');
  let ids = 0;
  return () => {
    ids += 1;
    return `${own}-${ids}`;
  };
}
