// The store of one process: logs in memory, bases by reference. Knows nothing of what they hold.
import { randomBytes } from 'node:crypto';
import type { Appended, Head, Store, Tail } from '../engine/store.js';

interface Log<Base, Entry> {
  base: Base;
  from: number;
  entries: Entry[];
  head: Head;
  listeners: Set<() => void> | undefined;
}

export function memoryStore<Base, Entry>(): Store<Base, Entry> {
  return new MemoryStore<Base, Entry>();
}

class MemoryStore<Base, Entry> implements Store<Base, Entry> {
  readonly name = 'memory';
  readonly #logs = new Map<string, Log<Base, Entry>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #own = randomBytes(6).toString('hex');
  #ids = 0;

  async create(sandbox: string, base: Base): Promise<Head | undefined> {
    if (this.#logs.has(sandbox)) return undefined;
    const id = this.#id();
    const head = { version: 0, id, log: `${this.#own}-${id}` };
    const listeners = this.#listeners.get(sandbox);
    this.#logs.set(sandbox, { base, from: 0, entries: [], head, listeners });
    tell(listeners);
    return head;
  }

  async append(sandbox: string, after: Head, entry: Entry): Promise<Appended> {
    const log = this.#logs.get(sandbox);
    if (log === undefined) return 'gone';
    if (log.head.id !== after.id) return after.version > log.head.version ? 'gone' : 'conflict';
    log.entries.push(entry);
    log.head = { version: after.version + 1, id: this.#id(), log: log.head.log };
    if (log.listeners !== undefined) tell(log.listeners);
    return { head: log.head };
  }

  async since(sandbox: string, version: number): Promise<Tail<Base, Entry> | undefined> {
    const log = this.#logs.get(sandbox);
    if (log === undefined) return undefined;
    const from = Math.max(version, log.from);
    return { base: log.base, from: log.from, entries: log.entries.slice(from - log.from), head: log.head };
  }

  async compact(sandbox: string, version: number, base: Base): Promise<void> {
    const log = this.#logs.get(sandbox);
    if (log === undefined || version <= log.from || version > log.head.version) return;
    log.entries = log.entries.slice(version - log.from);
    log.base = base;
    log.from = version;
  }

  async drop(sandbox: string): Promise<boolean> {
    const log = this.#logs.get(sandbox);
    if (log === undefined) return false;
    this.#logs.delete(sandbox);
    tell(log.listeners);
    return true;
  }

  watch(sandbox: string, listener: () => void): () => void {
    const own = () => listener(); // one that watches twice hears twice
    const listeners = this.#listeners.get(sandbox) ?? new Set();
    listeners.add(own);
    this.#tellBy(sandbox, listeners);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(sandbox) === listeners) this.#tellBy(sandbox, undefined);
    };
  }

  /** Who hears of a log of this name, which need not be there: the log knows it too, so that an append need not look it up. */
  #tellBy(sandbox: string, listeners: Set<() => void> | undefined): void {
    if (listeners === undefined) this.#listeners.delete(sandbox);
    else this.#listeners.set(sandbox, listeners);
    const log = this.#logs.get(sandbox);
    if (log !== undefined) log.listeners = listeners;
  }

  #id(): string {
    this.#ids += 1;
    return String(this.#ids);
  }
}

function tell(listeners: Iterable<() => void> = []): void {
  for (const listener of listeners) listener();
}
