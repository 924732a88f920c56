// The sandboxes that this process keeps in memory, in order of use, synchronized with the store. A session adds requests and changes.

import type { ServerReadings } from '../../operations/gaps/profiles.js';
import type { JournalLimits } from '../journal/journal.js';
import { type Checkpoint, DEFAULT_SANDBOX, firstCheckpoint, type State } from '../sandbox/state.js';
import { type Head, StoreError } from '../store.js';
import { CachedSandbox, type SandboxStore, type SandboxTail } from './cached-sandbox.js';
import { MemoryCount } from './memory-count.js';
import type { EndReason, Observer } from './observer.js';

export interface SandboxCacheSettings {
  readonly store: SandboxStore;
  readonly journal: JournalLimits;
  /** Bytes of all sandboxes beyond which those that have been idle longest are evicted. Default: no limit. */
  readonly maxMemory?: number;
  /** Maximum number of live sandboxes; on a shared store, of cached ones. */
  readonly maxSandboxes: number;
  /** Idle time in milliseconds, unless a sandbox has its own. */
  readonly sandboxTtl: number;
  readonly machineTime: () => Date;
  readonly observer?: Observer;
}

/** The current read of a sandbox, and the one after it. */
interface Reads {
  current?: Promise<boolean> | undefined;
  next?: Promise<boolean> | undefined;
}

export class SandboxCache {
  readonly #memory = new MemoryCount();
  readonly #sandboxes = new Map<string, CachedSandbox>();
  /** The one used last. */
  #last: CachedSandbox | undefined;
  readonly #reads = new WeakMap<CachedSandbox, Reads>();

  constructor(
    private readonly settings: SandboxCacheSettings,
    readonly server: ServerReadings,
  ) {}

  get size(): number {
    return this.#sandboxes.size;
  }

  /** The bytes that they use, and may use. */
  get memory(): { readonly used: number; readonly limit: number } {
    return { used: this.#memory.used, limit: this.settings.maxMemory ?? Number.POSITIVE_INFINITY };
  }

  get isFull(): boolean {
    return this.#memory.used > (this.settings.maxMemory ?? Number.POSITIVE_INFINITY);
  }

  /** Whether other processes change the sandboxes too, and the store keeps those that are not cached. */
  get isShared(): boolean {
    return this.settings.store.isShared;
  }

  /** The cached sandboxes, the longest idle first. */
  list(): CachedSandbox[] {
    return [...this.#sandboxes.values()];
  }

  /** The cached sandbox of a name; looking does not keep it from expiring. */
  peek(name: string): CachedSandbox | undefined {
    return this.#sandboxes.get(name);
  }

  /** The cached sandbox of a name; counts as use. */
  find(name: string): CachedSandbox | undefined {
    const sandbox = this.#sandboxes.get(name);
    if (sandbox === undefined) return undefined;
    sandbox.usedAt = this.#now();
    this.#putLast(sandbox);
    return sandbox;
  }

  #putLast(sandbox: CachedSandbox): void {
    if (this.#last === sandbox) return;
    this.#sandboxes.delete(sandbox.name);
    this.#sandboxes.set(sandbox.name, sandbox);
    this.#last = sandbox;
  }

  /** The sandbox of a name after synchronizing; counts as use. */
  async latest(name: string): Promise<CachedSandbox | undefined> {
    const sandbox = this.find(name);
    if (sandbox === undefined) return this.adopt(name);
    return (await this.#inStep(sandbox, false)) ? sandbox : this.adopt(name);
  }

  /** Keeps a sandbox synchronized without counting as use; returns a function that stops it. */
  follow(name: string): () => void {
    const follow = async () => {
      const sandbox = this.#sandboxes.get(name);
      if (sandbox !== undefined) await this.#inStep(sandbox, true);
      if (this.peek(name) === undefined) await this.adopt(name);
    };
    return this.settings.store.watch(name, () => {
      follow().catch(error => this.settings.observer?.troubled(error)); // the watcher is called again when the store is back
    });
  }

  /** All sandboxes; those of a shared store by name, and uncached ones as read now. */
  async all(): Promise<readonly CachedSandbox[]> {
    if (!this.isShared) return this.list();
    const names = [...(await this.settings.store.list())].sort();
    const found: CachedSandbox[] = [];
    for (const name of names) {
      const sandbox = await this.#read(name).catch(error => this.#leftOut(error));
      if (sandbox !== undefined) found.push(sandbox);
    }
    return found;
  }

  /** Creates a sandbox with a first state, instead of a dropped one of its name; `undefined` if the name is in use. `ttl` in milliseconds. */
  async admit(name: string, state: State, ttl = this.settings.sandboxTtl): Promise<CachedSandbox | undefined> {
    const base = firstCheckpoint(state);
    const head = await this.settings.store.create(name, base, name === DEFAULT_SANDBOX ? undefined : ttl);
    if (head === undefined) return undefined;
    const known = this.#sandboxes.get(name);
    const isRead = known?.head.log === head.log; // by a reader of events, meanwhile
    if (known !== undefined && !isRead) this.leave(known, this.whyGone(known));
    const sandbox = isRead ? known : this.#made(name, base, head, ttl);
    this.#putLast(sandbox);
    this.settings.observer?.made(sandbox);
    this.makeRoom(sandbox);
    return sandbox;
  }

  /** Reads the sandbox of a name that another process has created. */
  async adopt(name: string): Promise<CachedSandbox | undefined> {
    const tail = await this.settings.store.since(name);
    if (tail === undefined) return undefined;
    const known = this.find(name);
    if (known?.head.log === tail.head.log) return this.latest(name); // another call has cached it meanwhile, perhaps from an earlier read
    if (known !== undefined) this.#memory.remove(known);
    const sandbox = this.#sandboxOf(name, tail);
    this.#putLast(sandbox);
    sandbox.catchUp(tail); // tells readers of the name, who may know none, or the previous one
    this.makeRoom(sandbox);
    return sandbox;
  }

  /** Caches the sandboxes of a previous run. Those of a shared store are read on demand. */
  async loadStored(): Promise<void> {
    if (!this.isShared) for (const name of await this.settings.store.list()) await this.adopt(name);
  }

  /** A sandbox is new or has changed: evicts those that have been idle longest if there are too many or they use too much memory, but never `default`. */
  makeRoom(changed: CachedSandbox): void {
    this.#memory.update(changed);
    if (!this.isFull && this.size <= this.settings.maxSandboxes) return;
    for (const sandbox of this.#sandboxes.values()) {
      if (sandbox === changed || sandbox.name === DEFAULT_SANDBOX) continue;
      if (this.isShared) this.#forget(sandbox);
      else this.#evict(sandbox);
      if (!this.isFull && this.size <= this.settings.maxSandboxes) return;
    }
  }

  #evict(sandbox: CachedSandbox): void {
    const { store, observer } = this.settings;
    this.leave(sandbox, 'evicted');
    store.drop(sandbox.name).catch(error => observer?.troubled(error));
  }

  /**
   * Drops expired sandboxes, never `default`. A shared store drops them itself: they are only removed from the cache, and not while the store is away, when
   * clients get the error themselves.
   */
  async expire(): Promise<void> {
    if (this.isShared && this.settings.store.trouble !== undefined) return;
    const now = this.#now();
    const idle = this.list().filter(({ name, usedAt, ttl }) => name !== DEFAULT_SANDBOX && now - usedAt > ttl);
    for (const sandbox of idle) await this.#expire(sandbox);
  }

  async #expire(sandbox: CachedSandbox): Promise<void> {
    if (this.isShared) {
      await this.#inStep(sandbox, true);
      this.#forget(sandbox);
      return;
    }
    await this.settings.store.drop(sandbox.name);
    this.leave(sandbox, 'expired');
  }

  /** The sandbox was dropped. */
  leave(sandbox: CachedSandbox, why: EndReason): void {
    if (this.#sandboxes.get(sandbox.name) !== sandbox) return;
    this.#sandboxes.delete(sandbox.name);
    this.#memory.remove(sandbox);
    this.settings.observer?.left(sandbox, why);
  }

  /** Removes it from the cache, unless it has event readers: it can be read again. */
  #forget(sandbox: CachedSandbox): void {
    const { name } = sandbox;
    if (this.settings.observer?.isHeard(name) === true || !this.#sandboxes.delete(name)) return;
    this.#memory.remove(sandbox);
  }

  /** Why a sandbox is gone that this process has not dropped. */
  whyGone({ usedAt, ttl }: CachedSandbox): EndReason {
    return this.#now() - usedAt > ttl ? 'expired' : 'dropped';
  }

  /** Reads the sandbox of a name without caching it or counting as use. */
  async #read(name: string): Promise<CachedSandbox | undefined> {
    const known = this.#sandboxes.get(name);
    if (known !== undefined && (await this.#inStep(known, true))) return known;
    const tail = await this.settings.store.since(name, undefined, true);
    if (tail === undefined) return undefined;
    const sandbox = this.#sandboxOf(name, tail);
    sandbox.catchUp(tail);
    return sandbox;
  }

  /** A sandbox that cannot be read does not keep others from being listed. */
  #leftOut(error: unknown): undefined {
    if (!(error instanceof StoreError) || (error.failure !== 'format' && error.failure !== 'lost')) throw error;
    this.settings.observer?.troubled(error);
  }

  #sandboxOf(name: string, { base, head, ttl }: SandboxTail): CachedSandbox {
    if (base === undefined) throw new Error(`the store returned ${name} without its base`);
    return this.#made(name, base, { ...head, last: head.from }, ttl ?? this.settings.sandboxTtl);
  }

  #made(name: string, base: Checkpoint, head: Head, ttl: number): CachedSandbox {
    const { journal: limits, observer } = this.settings;
    const { server } = this;
    return new CachedSandbox({ name, base, head, server, limits, ttl, usedAt: this.#now(), observer });
  }

  /** Whether it still exists. Calls during a read share the next one, which begins after all of them. */
  #inStep(sandbox: CachedSandbox, isOnlyLook: boolean): Promise<boolean> {
    if (!this.isShared) return Promise.resolve(this.#sandboxes.get(sandbox.name) === sandbox);
    const reads = this.#reads.get(sandbox) ?? {};
    this.#reads.set(sandbox, reads);
    if (reads.current === undefined) {
      reads.current = this.#catchUp(sandbox, isOnlyLook).finally(() => {
        reads.current = undefined;
      });
      return reads.current;
    }
    reads.next ??= reads.current
      .catch(() => {}) // their callers get the error
      .then(() => {
        reads.next = undefined;
        return this.#inStep(sandbox, isOnlyLook);
      });
    return reads.next;
  }

  async #catchUp(sandbox: CachedSandbox, isOnlyLook: boolean): Promise<boolean> {
    const tail = await this.settings.store.since(sandbox.name, sandbox.head, isOnlyLook);
    if (tail?.head.log !== sandbox.head.log) {
      this.leave(sandbox, this.whyGone(sandbox));
      return false;
    }
    sandbox.catchUp(tail);
    this.#memory.update(sandbox);
    return true;
  }

  #now(): number {
    return this.settings.machineTime().getTime();
  }
}
