// The store of one process. The live sandboxes have all data, so it keeps only the heads of logs.
import { randomUUID } from 'node:crypto';
import { realTime } from '../engine/real-time.js';
import type { Appended, Cut, Head, Store, Tail } from '../engine/store.js';

export function memoryStore<Base, Entry>(): Store<Base, Entry> {
  return new MemoryStore<Base, Entry>();
}

class MemoryStore<Base, Entry> implements Store<Base, Entry> {
  readonly name = 'memory';
  readonly isShared = false;
  readonly trouble = undefined;
  readonly #heads = new Map<string, Head>();

  async ready(): Promise<void> {}

  now(): number {
    return realTime.now();
  }

  async create(sandbox: string): Promise<Head | undefined> {
    if (this.#heads.has(sandbox)) return undefined;
    const head = { last: 0, id: '0', log: randomUUID(), from: 0, base: 0 };
    this.#heads.set(sandbox, head);
    return head;
  }

  async append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>> {
    const known = this.#heads.get(sandbox);
    if (known?.log !== head.log) return 'gone';
    if (known !== head) throw new Error(`sandbox ${sandbox} has two writers in this process`);
    const last = head.last + records.length;
    const next = { last, id: String(last), log: head.log, from: head.from, base: head.base }; // spreading would be slow here
    this.#heads.set(sandbox, next);
    return { head: next };
  }

  /** Only the live sandbox knows the rest, and the caller has none. */
  async since(): Promise<Tail<Base, Entry> | undefined> {
    return undefined;
  }

  async compact(sandbox: string, head: Head, { from, base }: Cut<Base>): Promise<Head | 'gone'> {
    const known = this.#heads.get(sandbox);
    if (known?.log !== head.log) return 'gone';
    const next = { ...known, from, base: base?.at ?? known.base };
    this.#heads.set(sandbox, next);
    return next;
  }

  async drop(sandbox: string): Promise<boolean> {
    return this.#heads.delete(sandbox);
  }

  async list(): Promise<readonly string[]> {
    return [...this.#heads.keys()];
  }

  watch(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}
}
