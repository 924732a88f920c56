// The store of one process. The live sandboxes have all data, so it keeps only the heads of logs.
import { randomBytes } from 'node:crypto';
import { type Appended, type Batch, type Head, requireTtl, type Store, type Tail } from '../engine/store.js';
import { Listeners } from './listeners.js';

export function memoryStore<Base, Entry, Note>(): Store<Base, Entry, Note> {
  return new MemoryStore<Base, Entry, Note>();
}

/** Ends of a log and of its notes. */
interface End {
  head: Head;
  run: number;
  lastNote: number;
}

class MemoryStore<Base, Entry, Note> implements Store<Base, Entry, Note> {
  readonly name = 'memory';
  readonly isShared = false;
  readonly isImmediate = true;
  readonly trouble = undefined;
  readonly #ends = new Map<string, End>();
  readonly #listeners = new Listeners();
  readonly #own = randomBytes(6).toString('hex');
  #logs = 0;

  async ready(): Promise<void> {}

  now(): number {
    return Date.now();
  }

  async create(sandbox: string, _base: Base, ttl?: number): Promise<Head | undefined> {
    requireTtl(ttl);
    if (this.#ends.has(sandbox)) return undefined;
    this.#logs += 1;
    const head = { version: 0, id: '0', log: `${this.#own}-${this.#logs}`, from: 0 };
    this.#ends.set(sandbox, { head, run: 0, lastNote: 0 });
    this.#listeners.tell(sandbox);
    return head;
  }

  append(sandbox: string, head: Head, { entries, notes, newRunAt }: Batch<Entry, Note>): Appended<Base, Entry, Note> {
    const end = this.#ends.get(sandbox);
    if (end?.head.log !== head.log) return 'gone';
    if (end.head !== head) throw new Error(`sandbox ${sandbox} has two writers in this process`);
    if (newRunAt !== undefined) {
      end.run = head.version + newRunAt + 1;
      end.lastNote = 0;
    }
    end.lastNote += notes.length;
    if (entries.length > 0) {
      const version = head.version + entries.length;
      end.head = { version, id: String(version), log: head.log, from: head.from }; // spreading would be slow here
    }
    this.#listeners.tell(sandbox);
    return { head: end.head, run: end.run, lastNote: end.lastNote };
  }

  /** Only the live sandbox knows the rest, and the caller has none. */
  async since(): Promise<Tail<Base, Entry, Note> | undefined> {
    return undefined;
  }

  compact(sandbox: string, head: Head, version: number): Head | 'gone' {
    const end = this.#ends.get(sandbox);
    if (end?.head.log !== head.log) return 'gone';
    end.head = { ...end.head, from: version };
    return end.head;
  }

  async drop(sandbox: string): Promise<boolean> {
    if (!this.#ends.delete(sandbox)) return false;
    this.#listeners.tell(sandbox);
    return true;
  }

  async list(): Promise<readonly string[]> {
    return [...this.#ends.keys()];
  }

  watch(sandbox: string, listener: () => void): () => void {
    return this.#listeners.watch(sandbox, listener);
  }

  async close(): Promise<void> {}
}
