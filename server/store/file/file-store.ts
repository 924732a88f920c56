// The store for one machine that keeps its sandboxes over restarts: a LevelDB in a folder.
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { silentLog } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import {
  type Appended,
  type Cut,
  type Head,
  type LogFormat,
  type Store,
  StoreError,
  type Tail,
} from '../../engine/store.js';
import { Refusals, type StoreLog } from '../refused-changes.js';
import { FoundDamage, isWhole } from './damage.js';
import { Database } from './database.js';
import { openingError, prepareFolder } from './folder.js';
import {
  baseKey,
  COUNT_KEY,
  type Damage,
  type DatabaseOperation,
  del,
  dropOf,
  headKey,
  type LogEnd,
  partKey,
  put,
  rangesOf,
  recordKey,
  unseal,
} from './records.js';

interface FileStoreOptions<Base, Entry> {
  /** Created if it does not exist. */
  readonly folder: string;
  readonly format: LogFormat<Base, Entry>;
  /** Whether acknowledged data survives a power failure. It always survives the end of the process. */
  readonly fsync: boolean;
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
  let database: Database | undefined;
  try {
    const opened = await Database.open(realpathSync(folder), fsync, why =>
      refusals.refused(why.message, () => opened.reopen()),
    );
    database = opened;
    const sandboxes = await read(database, options);
    for (const [sandbox, end] of sandboxes) if (!isWhole(end)) log.warn(`${damaged(sandbox, end.damage).message}.`);
    return new FileStore(name, options.format, database, refusals, sandboxes);
  } catch (error) {
    await database?.close();
    throw openingError(folder, error);
  }
}

/** The sandboxes of a database, which keeps nothing that is damaged. */
async function read<Base, Entry>(database: Database, { folder, format }: FileStoreOptions<Base, Entry>) {
  const found = new FoundDamage(folder, format.version);
  let isIndexed = true;
  for await (const records of database.records()) {
    for (const [key, value] of records) found.add(key, value);
    isIndexed &&= await database.hasAll(records.map(([key]) => key));
  }
  found.settle(database.skippedLog, database.isNew);
  if (found.marks.length > 0 || !isIndexed)
    await database.replace((key, value) => found.isKept(key, value), found.marks);
  return found.sandboxes;
}

class FileStore<Base, Entry> implements Store<Base, Entry> {
  readonly isShared = false;
  #isClosed = false;

  constructor(
    readonly name: string,
    private readonly format: LogFormat<Base, Entry>,
    private readonly database: Database,
    private readonly refusals: Refusals,
    private readonly sandboxes: Map<string, LogEnd | Damage>,
  ) {}

  get trouble(): string | undefined {
    return this.refusals.trouble;
  }

  async ready(): Promise<void> {
    this.#requireOpen();
  }

  now(): number {
    return realTime.now();
  }

  async create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined> {
    if (this.#endOf(sandbox) !== undefined) return undefined;
    const head = { last: 0, id: randomUUID(), log: randomUUID(), from: 0, base: 0 };
    const { text, part } = this.format.writeBase(base);
    const operations = [put(baseKey(sandbox, head, 0), text)];
    if (part !== undefined && !this.#isUsed(part.name)) operations.push(put(partKey(part.name), part.text()));
    const { version } = this.format;
    const end = { format: version, head, ...(part && { part: part.name }), ...(ttl !== undefined && { ttl }) };
    await this.#commit(sandbox, operations, end);
    return head;
  }

  async append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>> {
    const end = this.#endAt(sandbox, head);
    if (end === undefined) return 'gone';
    const operations = records.map((record, i) =>
      put(recordKey(sandbox, head, head.last + i + 1), this.format.writeRecord(record)),
    );
    const next = { ...head, last: head.last + records.length, id: randomUUID() };
    await this.#commit(sandbox, operations, { ...end, head: next });
    return { head: next };
  }

  async since(sandbox: string): Promise<Tail<Base, Entry> | undefined> {
    if (this.#endOf(sandbox) === undefined) return undefined;
    const texts: string[] = [];
    for await (const found of this.database.records(rangesOf(sandbox)))
      for (const [key, value] of found) texts.push(textOf(sandbox, key, value));
    const [end, base, ...records] = texts;
    if (end === undefined || base === undefined) return undefined; // it is just being created
    const { head, ttl } = JSON.parse(end) as LogEnd;
    return {
      head,
      base: await this.format.readBase(base, name => this.#part(sandbox, name)),
      records: records.map(text => this.format.readRecord(text)),
      ...(ttl !== undefined && { ttl }),
    };
  }

  async compact(sandbox: string, head: Head, { from, base }: Cut<Base>): Promise<Head | 'gone'> {
    const end = this.#endAt(sandbox, head);
    if (end === undefined) return 'gone';
    const next = { ...head, from, base: base?.at ?? head.base };
    const operations = recordKeys(sandbox, head, from).map(del);
    if (base !== undefined) {
      operations.push(del(baseKey(sandbox, head, head.base)));
      operations.push(put(baseKey(sandbox, head, base.at), this.format.writeBase(base.value).text));
    }
    await this.#commit(sandbox, operations, { ...end, head: next });
    return next;
  }

  async drop(sandbox: string): Promise<boolean> {
    this.#requireOpen();
    const end = this.sandboxes.get(sandbox);
    if (end === undefined) return false;
    await this.#commit(sandbox, isWhole(end) ? this.#dropping(sandbox, end) : [], undefined);
    return true;
  }

  async list(): Promise<readonly string[]> {
    this.#requireOpen();
    return [...this.sandboxes].flatMap(([sandbox, end]) => (isWhole(end) ? [sandbox] : []));
  }

  watch(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.refusals.end();
    await this.database.close();
  }

  /** Writes a change, after which a log ends at `end`; `undefined`: it is dropped. Until it is written, other verbs see it already. */
  async #commit(sandbox: string, operations: readonly DatabaseOperation[], end: LogEnd | undefined): Promise<void> {
    this.database.requireWritable();
    const key = headKey(sandbox);
    const before = this.sandboxes.get(sandbox);
    this.#turn(sandbox, end);
    const changes = [...operations, end === undefined ? del(key) : put(key, JSON.stringify(end))];
    if (before === undefined || end === undefined) changes.push(put(COUNT_KEY, String(this.sandboxes.size)));
    try {
      await this.database.write(changes);
    } catch (error) {
      this.#turn(sandbox, before);
      throw error;
    }
  }

  #turn(sandbox: string, end: LogEnd | Damage | undefined): void {
    if (end === undefined) this.sandboxes.delete(sandbox);
    else this.sandboxes.set(sandbox, end);
  }

  #dropping(sandbox: string, { head, part }: LogEnd): DatabaseOperation[] {
    const keys = [baseKey(sandbox, head, head.base), ...recordKeys(sandbox, head, head.last)];
    if (part !== undefined && !this.#isUsed(part, sandbox)) keys.push(partKey(part));
    return [...dropOf(sandbox, head), ...keys.map(del)];
  }

  /** Whether a sandbox refers to a part. `except`: not looked at. */
  #isUsed(part: string, except?: string): boolean {
    for (const [sandbox, end] of this.sandboxes)
      if (isWhole(end) && end.part === part && sandbox !== except) return true;
    return false;
  }

  /** The end of an undamaged log. */
  #endOf(sandbox: string): LogEnd | undefined {
    this.#requireOpen();
    const end = this.sandboxes.get(sandbox);
    if (end === undefined || isWhole(end)) return end;
    throw damaged(sandbox, end.damage);
  }

  /** The end of a log that has this head; `undefined`: it was dropped. */
  #endAt(sandbox: string, { log, id, from, base }: Head): LogEnd | undefined {
    const end = this.#endOf(sandbox);
    if (end?.head.log !== log) return undefined;
    if (end.head.id === id && end.head.from === from && end.head.base === base) return end;
    throw new Error(`sandbox ${sandbox} has two writers in this process`);
  }

  async #part(sandbox: string, name: string): Promise<string> {
    const key = partKey(name);
    return textOf(sandbox, key, (await this.database.get(key)) ?? '');
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new StoreError('away', `The store ${this.name} is closed`);
  }
}

function damaged(sandbox: string, why: string): StoreError {
  return new StoreError('lost', `Sandbox ${sandbox} is damaged: ${why}. To reuse the name, delete the sandbox`);
}

/** The text of a record. Throws a `StoreError` if it was damaged since the opening. */
function textOf(sandbox: string, key: string, value: string): string {
  const text = unseal(key, value);
  if (text === undefined) throw damaged(sandbox, `its record ${key} cannot be read`);
  return text;
}

function recordKeys(sandbox: string, head: Head, upTo: number): string[] {
  return Array.from({ length: Math.max(0, upTo - head.from) }, (_, i) => recordKey(sandbox, head, head.from + i + 1));
}
