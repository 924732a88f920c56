// A store that several sessions of one process share: whole logs in memory, as replicas see them. For tests; a server has Redis for that.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Appended, Cut, Head, Seen, Store, Tail } from '../../../server/engine/store.js';

export function logStore<Base, Entry>(): Store<Base, Entry> {
  return new LogStore<Base, Entry>();
}

interface Log<Base, Entry> {
  head: Head;
  base: Base;
  /** After `head.from`. */
  records: readonly Entry[];
  /** The id at `head.from`, then that of each record. */
  ids: readonly string[];
  readonly ttl: number | undefined;
}

class LogStore<Base, Entry> implements Store<Base, Entry> {
  readonly name = 'logs';
  readonly isShared = true;
  readonly trouble = undefined;
  readonly #logs = new Map<string, Log<Base, Entry>>();
  readonly #changes = new EventEmitter().setMaxListeners(0);

  async ready(): Promise<void> {}

  now(): number {
    return Date.now();
  }

  async create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined> {
    if (this.#logs.has(sandbox)) return undefined;
    const id = randomUUID();
    const head = { last: 0, id, log: id, from: 0, base: 0 };
    this.#logs.set(sandbox, { head, base, records: [], ids: [id], ttl });
    this.#changes.emit(`of ${sandbox}`);
    return head;
  }

  async append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>> {
    const log = this.#logs.get(sandbox);
    if (log === undefined || log.head.log !== head.log) return 'gone';
    if (!isSame(log.head, head)) return { behind: tailOf(log, head) };
    const id = randomUUID();
    log.records = [...log.records, ...records];
    log.ids = [...log.ids, ...records.map(() => id)];
    log.head = { ...log.head, last: log.head.last + records.length, id };
    this.#changes.emit(`of ${sandbox}`);
    return { head: log.head };
  }

  async since(sandbox: string, seen?: Seen): Promise<Tail<Base, Entry> | undefined> {
    const log = this.#logs.get(sandbox);
    return log && tailOf(log, seen);
  }

  async compact(sandbox: string, head: Head, { from, base }: Cut<Base>): Promise<Head | 'behind' | 'gone'> {
    const log = this.#logs.get(sandbox);
    if (log === undefined || log.head.log !== head.log) return 'gone';
    if (!isSame(log.head, head)) return 'behind';
    log.records = log.records.slice(from - head.from);
    log.ids = log.ids.slice(from - head.from);
    log.head = { ...log.head, from, base: base?.at ?? head.base };
    if (base !== undefined) log.base = base.value;
    return log.head;
  }

  async drop(sandbox: string): Promise<boolean> {
    if (!this.#logs.delete(sandbox)) return false;
    this.#changes.emit(`of ${sandbox}`);
    return true;
  }

  async list(): Promise<readonly string[]> {
    return [...this.#logs.keys()];
  }

  watch(sandbox: string, listener: () => void): () => void {
    this.#changes.on(`of ${sandbox}`, listener);
    return () => void this.#changes.off(`of ${sandbox}`, listener);
  }

  async close(): Promise<void> {}
}

function isSame(one: Head, other: Head): boolean {
  return one.id === other.id && one.last === other.last && one.from === other.from && one.base === other.base;
}

function tailOf<Base, Entry>({ head, base, records, ids, ttl }: Log<Base, Entry>, seen?: Seen): Tail<Base, Entry> {
  const known = seen === undefined ? -1 : seen.last - head.from;
  const isKnown = seen?.log === head.log && known >= 0 && ids[known] === seen.id;
  return {
    head,
    ...(!isKnown && { base }),
    records: isKnown ? records.slice(known) : records,
    ...(ttl !== undefined && { ttl }),
  };
}
