// The store for one machine that keeps its sandboxes over restarts: a LevelDB in a folder.
import { realpathSync } from 'node:fs';
import { silentLog } from '../../engine/log.js';
import {
  type Appended,
  type Cut,
  type Format,
  type Head,
  requireTtl,
  type Store,
  StoreError,
  type StoreFailure,
  type Tail,
} from '../../engine/store.js';
import { Listeners } from '../listeners.js';
import { Refusals, type StoreLog } from '../refused-changes.js';
import { uniqueIds } from '../unique-ids.js';
import { Database, openingError } from './database.js';
import { prepareFolder, readIndex, writeIndex } from './folder.js';
import { type Found, FoundLogs } from './found-logs.js';
import {
  baseKey,
  del,
  keyOf,
  type LogEnd,
  type Operation,
  partKey,
  put,
  rangesOf,
  recordKey,
  unseal,
} from './records.js';

const MAX_REPORTED = 10;

interface FileStoreOptions<Base, Entry> {
  /** Created if it does not exist. */
  readonly folder: string;
  readonly format: Format<Base, Entry>;
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
export async function fileStore<Base, Entry>(options: FileStoreOptions<Base, Entry>): Promise<Store<Base, Entry>> {
  const { folder, fsync, log = silentLog } = options;
  prepareFolder(folder);
  const name = `file:${folder}${fsync ? ' (fsync)' : ''}`;
  const refusals = new Refusals(name, log);
  const database = await Database.open(realpathSync(folder), fsync, why =>
    refusals.refused(why.message, () => database.reopen()),
  ).catch(error => {
    throw openingError(folder, error);
  });
  try {
    const store = new FileStore(name, options, database, refusals, await read(database, options));
    store.report(log);
    return store;
  } catch (error) {
    await database.close();
    throw openingError(folder, error);
  }
}

interface FoundSandboxes {
  readonly ends: Map<string, LogEnd>;
  readonly damages: Map<string, string>;
}

async function read<Base, Entry>(
  database: Database,
  { folder, format }: FileStoreOptions<Base, Entry>,
): Promise<FoundSandboxes> {
  const all = new FoundLogs(format.version);
  for await (const records of database.records()) for (const [key, value] of records) all.add(key, value);
  const found = all.settle(readIndex(folder), database.skipped);
  const ends = new Map([...found].map(([sandbox, { end }]) => [sandbox, end]));
  await database.write(all.cleaning, () => {});
  writeIndex(folder, indexOf(ends, false));
  return { ends, damages: all.damages };
}

function indexOf(ends: ReadonlyMap<string, LogEnd>, isFinal: boolean) {
  return { isFinal, logs: [...ends].map(([name, { head }]) => [name, head.log, head.last, head.id] as const) };
}

function unusable(failure: StoreFailure, sandbox: string, why: string): StoreError {
  return new StoreError(failure, `Sandbox ${sandbox} ${why}. To reuse the name, delete the sandbox`);
}

class FileStore<Base, Entry> implements Store<Base, Entry> {
  readonly isShared = false;
  /** Those of other formats included, which are left alone. */
  readonly #ends: Map<string, LogEnd>;
  /** Why the data of a sandbox cannot be trusted. Kept until the sandbox is dropped. */
  readonly #damages: Map<string, string>;
  /** Number of logs that refer to a part. */
  readonly #parts = new Map<string, number>();
  readonly #listeners = new Listeners();
  readonly #newId = uniqueIds();
  readonly #now: () => number;
  #isClosed = false;

  constructor(
    readonly name: string,
    private readonly options: FileStoreOptions<Base, Entry>,
    private readonly database: Database,
    private readonly refusals: Refusals,
    { ends, damages }: FoundSandboxes,
  ) {
    this.#now = options.now ?? Date.now;
    this.#ends = ends;
    this.#damages = damages;
    for (const { part } of ends.values()) this.#count(part, 1);
  }

  /** Warns about sandboxes that cannot be used. */
  report(log: StoreLog): void {
    const problems = [...this.#damages.keys(), ...this.#ends.keys()].flatMap(name => this.#problemOf(name) ?? []);
    for (const { message } of problems.slice(0, MAX_REPORTED)) log.warn(`${message}.`);
    if (problems.length > MAX_REPORTED) log.warn(`${problems.length - MAX_REPORTED} more sandboxes are damaged.`);
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
    const head = { last: 0, id: this.#newId(), log: this.#newId(), from: 0, base: 0 };
    const { text, part } = this.options.format.writeBase(base);
    const isNew = part !== undefined && !this.#parts.has(part.name);
    const operations = isNew ? [put(partKey(part.name), part.text())] : [];
    const { version } = this.options.format;
    const end = { format: version, head, ...(part && { part: part.name }), ...(ttl !== undefined && { ttl }) };
    await this.#commit(sandbox, [...operations, put(baseKey(sandbox, 0), text)], end);
    return head;
  }

  async append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>> {
    this.#requireUsable(sandbox);
    const end = this.#endOf(sandbox, head);
    if (end === undefined) return 'gone';
    const { format } = this.options;
    const operations = records.map((record, i) =>
      put(recordKey(sandbox, head.last + i + 1), format.writeRecord(record)),
    );
    const next = { ...head, last: head.last + records.length, id: this.#newId() };
    await this.#commit(sandbox, operations, { ...end, head: next });
    return { head: next };
  }

  async since(sandbox: string): Promise<Tail<Base, Entry> | undefined> {
    this.#requireUsable(sandbox);
    if (!this.#ends.has(sandbox)) return undefined;
    const found = await this.#read(sandbox);
    if (found?.base === undefined) return undefined; // it is just being created
    const { format } = this.options;
    const { head, ttl } = found.end;
    return {
      head,
      base: await format.readBase(found.base, name => this.#part(name)),
      records: found.records.map(text => format.readRecord(text)),
      ...(ttl !== undefined && { ttl }),
    };
  }

  async compact(sandbox: string, head: Head, { from, base }: Cut<Base>): Promise<Head | 'gone'> {
    this.#requireUsable(sandbox);
    const end = this.#endOf(sandbox, head);
    if (end === undefined) return 'gone';
    const next = { ...head, from, base: base?.at ?? head.base };
    const operations = numbers(head.from, from).map(number => del(recordKey(sandbox, number)));
    if (base !== undefined) {
      operations.push(del(baseKey(sandbox, head.base)));
      operations.push(put(baseKey(sandbox, base.at), this.options.format.writeBase(base.value).text));
    }
    await this.#commit(sandbox, operations, { ...end, head: next });
    return next;
  }

  async drop(sandbox: string): Promise<boolean> {
    this.#requireOpen();
    const damage = this.#damages.get(sandbox);
    const end = this.#ends.get(sandbox);
    if (end === undefined && damage === undefined) return false;
    const keys = end === undefined || this.#isForeign(end) ? await this.#keysOf(sandbox) : keysOf(sandbox, end);
    if (end !== this.#ends.get(sandbox) || damage !== this.#damages.get(sandbox)) return this.drop(sandbox); // dropped meanwhile
    const part = end?.part;
    const isLast = part !== undefined && this.#parts.get(part) === 1;
    const dropped = [...keys, ...(isLast ? [partKey(part)] : [])];
    await this.#commit(sandbox, [put(keyOf('d', sandbox), ''), ...dropped.map(del)], undefined);
    return true;
  }

  async list(): Promise<readonly string[]> {
    this.#requireOpen();
    return [...this.#ends].flatMap(([sandbox, end]) => (this.#isForeign(end) ? [] : [sandbox]));
  }

  watch(sandbox: string, listener: () => void): () => void {
    return this.#listeners.watch(sandbox, listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.refusals.end();
    try {
      if (await this.database.settle()) writeIndex(this.options.folder, indexOf(this.#ends, true));
    } finally {
      await this.database.close();
    }
  }

  #count(part: string | undefined, by: number): void {
    if (part === undefined) return;
    const count = (this.#parts.get(part) ?? 0) + by;
    if (count > 0) this.#parts.set(part, count);
    else this.#parts.delete(part);
  }

  /** Writes a change, after which a log ends at `end`; `undefined`: it is dropped. Until it is written, other verbs see it already. */
  async #commit(sandbox: string, operations: readonly Operation[], end: LogEnd | undefined): Promise<void> {
    this.database.requireWritable();
    const before = this.#ends.get(sandbox);
    const damage = this.#damages.get(sandbox);
    this.#damages.delete(sandbox);
    const turn = (to: LogEnd | undefined, from: LogEnd | undefined) => {
      if (to === undefined) this.#ends.delete(sandbox);
      else this.#ends.set(sandbox, to);
      this.#count(to?.part, 1);
      this.#count(from?.part, -1);
    };
    turn(end, before);
    await this.database.write(
      end === undefined ? operations : [...operations, put(keyOf('h', sandbox), JSON.stringify(end))],
      () => {
        turn(before, end);
        if (damage !== undefined) this.#damages.set(sandbox, damage);
      },
    );
    this.#listeners.tell(sandbox);
  }

  #endOf(sandbox: string, { log, id, from, base }: Head): LogEnd | undefined {
    const end = this.#ends.get(sandbox);
    if (end?.head.log !== log) return undefined;
    if (end.head.id === id && end.head.from === from && end.head.base === base) return end;
    throw new Error(`sandbox ${sandbox} has two writers in this process`);
  }

  async #read(sandbox: string): Promise<Found | undefined> {
    const logs = new FoundLogs(this.options.format.version);
    for await (const records of this.database.records(rangesOf(sandbox)))
      for (const [key, value] of records) logs.add(key, value);
    const found = logs.settle(undefined, [], name => this.#parts.has(name)).get(sandbox);
    const damage = logs.damages.get(sandbox);
    if (damage !== undefined) throw unusable('lost', sandbox, `is damaged: ${damage}`);
    return found;
  }

  async #part(name: string): Promise<string> {
    const key = partKey(name);
    const value = await this.database.get(key);
    const part = value === undefined ? undefined : unseal(key, value);
    if (part === undefined) throw new StoreError('lost', `The part ${name} of a sandbox cannot be read`);
    return part;
  }

  /** The keys of a damaged sandbox, as far as they can be read. */
  async #keysOf(sandbox: string): Promise<readonly string[]> {
    const keys = [keyOf('x', sandbox)];
    for await (const records of this.database.records(rangesOf(sandbox))) keys.push(...records.map(([key]) => key));
    return keys;
  }

  #requireUsable(sandbox: string): void {
    this.#requireOpen();
    const problem = this.#problemOf(sandbox);
    if (problem !== undefined) throw problem;
  }

  #problemOf(sandbox: string): StoreError | undefined {
    const damage = this.#damages.get(sandbox);
    if (damage !== undefined) return unusable('lost', sandbox, `is damaged: ${damage}`);
    const end = this.#ends.get(sandbox);
    if (end === undefined || !this.#isForeign(end)) return undefined;
    const { version } = this.options.format;
    const why = `cannot be read: its format is ${end.format}, and this version of cwx-fake reads format ${version}`;
    return unusable('format', sandbox, why);
  }

  /** Whether another version of this program has written it. */
  #isForeign({ format }: LogEnd): boolean {
    return format !== this.options.format.version;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoreError('away', `The store ${this.name} is closed`);
  }
}

/** All keys of a log. */
function keysOf(sandbox: string, { head: { from, last, base } }: LogEnd): string[] {
  return [
    keyOf('h', sandbox),
    baseKey(sandbox, base),
    ...numbers(from, last).map(number => recordKey(sandbox, number)),
  ];
}

/** The whole numbers after one and up to another. */
function numbers(after: number, upTo: number): number[] {
  return Array.from({ length: Math.max(0, upTo - after) }, (_, i) => after + i + 1);
}
