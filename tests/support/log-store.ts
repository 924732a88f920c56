// A store that several sessions of one process share: whole logs in memory, as replicas see them. For tests; a server has Redis for that.
import { randomBytes } from 'node:crypto';
import type { Appended, Batch, Head, Seen, SeenNotes, Store, Tail } from '../../server/engine/store.js';
import {
  behind,
  compacted,
  extend,
  headAfter,
  isCompactable,
  isSame,
  type Log,
  newLog,
  tailOf,
} from '../../server/store/file/log.js';
import { Listeners } from '../../server/store/listeners.js';

export function logStore<Base, Entry, Note>(): Store<Base, Entry, Note> {
  return new LogStore<Base, Entry, Note>();
}

class LogStore<Base, Entry, Note> implements Store<Base, Entry, Note> {
  readonly name = 'logs';
  readonly isShared = true;
  readonly isImmediate = false;
  readonly trouble = undefined;
  readonly #logs = new Map<string, Log<Base, Entry, Note>>();
  readonly #listeners = new Listeners();
  readonly #own = randomBytes(6).toString('hex');
  readonly #id = () => {
    this.#ids += 1;
    return String(this.#ids);
  };
  #ids = 0;

  async ready(): Promise<void> {}

  now(): number {
    return Date.now();
  }

  async create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined> {
    if (this.#logs.has(sandbox)) return undefined;
    const id = this.#id();
    const head = { version: 0, id, log: `${this.#own}-${id}`, from: 0 };
    this.#logs.set(sandbox, newLog(head, base, ttl));
    this.#listeners.tell(sandbox);
    return head;
  }

  async append(
    sandbox: string,
    head: Head,
    batch: Batch<Entry, Note>,
    seen?: SeenNotes,
  ): Promise<Appended<Base, Entry, Note>> {
    const log = this.#logs.get(sandbox);
    if (log === undefined || log.head.log !== head.log) return 'gone';
    if (!isSame(log.head, head)) return behind(log, head, seen);
    extend(log, batch, headAfter(log.head, batch, this.#id));
    this.#listeners.tell(sandbox);
    return { head: log.head, run: log.notes.run, lastNote: log.notes.last };
  }

  async since(sandbox: string, seen?: Seen): Promise<Tail<Base, Entry, Note> | undefined> {
    const log = this.#logs.get(sandbox);
    return log && tailOf(log, seen);
  }

  async compact(sandbox: string, head: Head, version: number, base: Base): Promise<Head | 'behind' | 'gone'> {
    const log = this.#logs.get(sandbox);
    if (log === undefined || log.head.log !== head.log) return 'gone';
    if (!isSame(log.head, head)) return 'behind';
    if (!isCompactable(head, version)) return head;
    const next = compacted(log, version, base);
    this.#logs.set(sandbox, next);
    return next.head;
  }

  async drop(sandbox: string): Promise<boolean> {
    if (!this.#logs.delete(sandbox)) return false;
    this.#listeners.tell(sandbox);
    return true;
  }

  async list(): Promise<readonly string[]> {
    return [...this.#logs.keys()];
  }

  watch(sandbox: string, listener: () => void): () => void {
    return this.#listeners.watch(sandbox, listener);
  }

  async close(): Promise<void> {}
}
