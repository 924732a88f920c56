// The sandboxes that this process keeps in memory, in order of use, synchronized with the store.
import type { ServerReadings } from '../../operations/gaps/profiles.js';
import type { Ending, Observer } from '../events/observer.js';
import type { JournalLimits } from '../journal/journal.js';
import type { Head } from '../store.js';
import { Sandbox, type SandboxTail } from './cached-sandbox.js';
import { Commits, type SandboxStore } from './commits.js';
import type { MemoryBudget } from './memory-budget.js';
import type { State } from './state.js';

export interface SandboxCacheSettings {
  readonly store: SandboxStore;
  readonly journal: JournalLimits;
  readonly memory: MemoryBudget;
  /** Maximum number of live sandboxes; on a shared store, of cached ones. */
  readonly maxSandboxes: number;
  /** Idle time in milliseconds, unless a sandbox has its own. */
  readonly sandboxTtl: number;
  readonly machineTime: () => Date;
  readonly observer?: Observer;
}

/** Number of sandboxes read in parallel for a list. */
const TOGETHER = 32;

/** What is needed to change a sandbox and to synchronize it. */
interface CacheEntry {
  readonly commits: Commits;
  /** The current read, and the one after it. */
  reading?: Promise<boolean> | undefined;
  following?: Promise<boolean> | undefined;
}

export class SandboxCache {
  readonly #sandboxes = new Map<string, Sandbox>();
  /** A holder of the entry may change the sandbox, cached or not. */
  readonly #entries = new WeakMap<Sandbox, CacheEntry>();

  constructor(
    private readonly settings: SandboxCacheSettings,
    private readonly server: ServerReadings,
  ) {}

  get size(): number {
    return this.#sandboxes.size;
  }

  /** The cached sandboxes, the longest idle first. */
  values(): Iterable<Sandbox> {
    return this.#sandboxes.values();
  }

  /** The cached sandbox of a name; does not count as use. */
  peek(name: string): Sandbox | undefined {
    return this.#sandboxes.get(name);
  }

  /** The cached sandbox of a name; counts as use. */
  find(name: string): Sandbox | undefined {
    const sandbox = this.#sandboxes.get(name);
    if (sandbox === undefined) return undefined;
    sandbox.usedAt = this.#now();
    this.#sandboxes.delete(name);
    this.#sandboxes.set(name, sandbox);
    return sandbox;
  }

  /** The sandbox of a name after synchronizing; counts as use. */
  async latest(name: string): Promise<Sandbox | undefined> {
    const sandbox = this.find(name);
    if (sandbox === undefined) return this.adopt(name);
    return (await this.#inStep(sandbox, false)) ? sandbox : this.adopt(name);
  }

  /** Synchronizes a cached sandbox; does not count as use. */
  async look(name: string): Promise<void> {
    const sandbox = this.#sandboxes.get(name);
    if (sandbox !== undefined) await this.#inStep(sandbox, true);
  }

  /** All sandboxes of the store by name; uncached ones as read now. */
  async all(): Promise<readonly Sandbox[]> {
    const names = [...(await this.settings.store.list())].sort();
    const found: Sandbox[] = [];
    for (let i = 0; i < names.length; i += TOGETHER) {
      const some = await Promise.all(names.slice(i, i + TOGETHER).map(name => this.#read(name)));
      found.push(...some.flatMap(sandbox => sandbox ?? []));
    }
    return found;
  }

  commitsOf(sandbox: Sandbox): Commits {
    return this.#entryOf(sandbox).commits;
  }

  /** Caches a new sandbox, instead of a dropped one of the same name. `parent`: the one it was forked from. */
  keep(name: string, state: State, head: Head, ttl: number, parent?: Sandbox): Sandbox {
    const before = this.#sandboxes.get(name);
    if (before !== undefined) this.leave(before, this.whyGone(before));
    const sandbox = this.#made(name, state, head, ttl);
    this.#remember(sandbox, parent);
    return sandbox;
  }

  /** Reads the sandbox of a name that another process has created. */
  async adopt(name: string): Promise<Sandbox | undefined> {
    const tail = await this.settings.store.since(name);
    if (tail === undefined) return undefined;
    const known = this.find(name);
    if (known?.head.log === tail.head.log) return this.latest(name); // another call has cached it meanwhile, perhaps from an earlier read
    const sandbox = this.#sandboxOf(name, tail);
    this.#remember(sandbox);
    sandbox.catchUp(tail, true);
    this.settings.memory.update(sandbox);
    this.settings.observer?.changed(sandbox); // readers of the name may know none, or the previous one
    return sandbox;
  }

  /** The sandbox was dropped. */
  leave(sandbox: Sandbox, why: Ending): void {
    if (this.#sandboxes.get(sandbox.name) !== sandbox) return;
    this.#sandboxes.delete(sandbox.name);
    this.settings.memory.remove(sandbox);
    this.settings.observer?.left(sandbox, why);
  }

  /** Removes it from the cache, unless it has event readers: it can be read again. */
  forget(sandbox: Sandbox): boolean {
    const { name } = sandbox;
    if (this.settings.observer?.isHeard(name) === true || !this.#sandboxes.delete(name)) return false;
    this.settings.memory.remove(sandbox);
    return true;
  }

  /** On a shared store, too many sandboxes are not cached: the longest idle without event readers is removed and read again on demand. */
  #remember(sandbox: Sandbox, parent?: Sandbox): void {
    const before = this.#sandboxes.get(sandbox.name);
    if (before !== undefined) this.settings.memory.remove(before);
    this.#sandboxes.set(sandbox.name, sandbox);
    this.settings.memory.add(sandbox, parent);
    if (!this.settings.store.isShared || this.size <= this.settings.maxSandboxes) return;
    for (const idlest of this.#sandboxes.values()) if (idlest !== sandbox && this.forget(idlest)) return;
  }

  /** Why a sandbox is gone that this process has not dropped. */
  whyGone({ usedAt, ttl }: Sandbox): Ending {
    return this.#now() - usedAt > ttl ? 'expired' : 'dropped';
  }

  /** Reads the sandbox of a name without caching it or counting as use. */
  async #read(name: string): Promise<Sandbox | undefined> {
    const known = this.#sandboxes.get(name);
    if (known !== undefined && (await this.#inStep(known, true))) return known;
    const tail = await this.settings.store.since(name, undefined, true);
    if (tail === undefined) return undefined;
    const sandbox = this.#sandboxOf(name, tail);
    sandbox.catchUp(tail, true);
    return sandbox;
  }

  #sandboxOf(name: string, { base, head, ttl }: SandboxTail): Sandbox {
    if (base === undefined) throw new Error(`the store returned ${name} without its base`);
    return this.#made(name, base.value, { ...head, version: base.version }, ttl ?? this.settings.sandboxTtl);
  }

  #made(name: string, state: State, head: Head, ttl: number): Sandbox {
    const { journal: limits, observer: hearing } = this.settings;
    const { server } = this;
    return new Sandbox({ name, state, head, server, limits, ttl, usedAt: this.#now(), hearing });
  }

  #entryOf(sandbox: Sandbox): CacheEntry {
    const known = this.#entries.get(sandbox);
    if (known !== undefined) return known;
    const { store, memory, observer } = this.settings;
    const entry = { commits: new Commits(sandbox, store, memory, error => observer?.troubled(error)) };
    this.#entries.set(sandbox, entry);
    return entry;
  }

  /** Whether it still exists. Calls during a read share the next one, which begins after all of them. */
  #inStep(sandbox: Sandbox, isOnlyLook: boolean): Promise<boolean> {
    if (!this.settings.store.isShared) return Promise.resolve(this.#sandboxes.get(sandbox.name) === sandbox);
    const entry = this.#entryOf(sandbox);
    if (entry.reading === undefined) {
      entry.reading = this.#catchUp(sandbox, isOnlyLook).finally(() => {
        entry.reading = undefined;
      });
      return entry.reading;
    }
    entry.following ??= entry.reading
      .catch(() => {}) // their callers get the error
      .then(() => {
        entry.following = undefined;
        return this.#inStep(sandbox, isOnlyLook);
      });
    return entry.following;
  }

  async #catchUp(sandbox: Sandbox, isOnlyLook: boolean): Promise<boolean> {
    const tail = await this.settings.store.since(sandbox.name, sandbox.seen, isOnlyLook);
    if (tail?.head.log !== sandbox.head.log) {
      this.leave(sandbox, this.whyGone(sandbox));
      return false;
    }
    sandbox.catchUp(tail, tail.base === undefined);
    this.settings.memory.update(sandbox);
    return tail.base === undefined || this.#catchUp(sandbox, isOnlyLook); // with a base, its notes are requested again
  }

  #now(): number {
    return this.settings.machineTime().getTime();
  }
}
