// The store of one process: logs in memory, bases by reference. Knows nothing of what they hold.
import type { Appended, Head, Store, Tail } from '../engine/store.js';

interface Log<Base, Entry> {
  base: Base;
  from: number;
  entries: Entry[];
  head: Head;
  listeners?: Set<() => void>;
}

export function memoryStore<Base, Entry>(): Store<Base, Entry> {
  return new MemoryStore<Base, Entry>();
}

class MemoryStore<Base, Entry> implements Store<Base, Entry> {
  readonly name = 'memory';
  readonly #logs = new Map<string, Log<Base, Entry>>();
  #ids = 0;

  async create(sandbox: string, base: Base): Promise<Head | undefined> {
    if (this.#logs.has(sandbox)) return undefined;
    const head = this.#head(0);
    this.#logs.set(sandbox, { base, from: 0, entries: [], head });
    return head;
  }

  async append(sandbox: string, after: Head, entry: Entry): Promise<Appended> {
    const log = this.#logs.get(sandbox);
    if (log === undefined) return 'gone';
    if (log.head.id !== after.id) return after.version > log.head.version ? 'gone' : 'conflict';
    log.entries.push(entry);
    log.head = this.#head(after.version + 1);
    for (const listener of log.listeners ?? []) listener();
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
    for (const listener of log.listeners ?? []) listener();
    return true;
  }

  watch(sandbox: string, listener: () => void): () => void {
    const log = this.#logs.get(sandbox);
    if (log === undefined) return () => {};
    log.listeners ??= new Set();
    log.listeners.add(listener);
    return () => log.listeners?.delete(listener);
  }

  #head(version: number): Head {
    this.#ids += 1;
    return { version, id: String(this.#ids) };
  }
}
