// The sandboxes that this process remembers, in the order of their use, and how each is kept in step with what the store has of it.
// Makes none and lets none go in the store.
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
  /** Live ones at most; where others share the store, remembered ones. */
  readonly maxSandboxes: number;
  /** Milliseconds, where a sandbox does not say it itself. */
  readonly sandboxTtl: number;
  readonly machineTime: () => Date;
  readonly observer?: Observer;
}

/** Sandboxes that are read at once where all are listed. */
const TOGETHER = 32;

/** What a sandbox takes to be changed and to be kept in step. */
interface CacheEntry {
  readonly commits: Commits;
  /** The reading that is under way, and the one that follows it. */
  reading?: Promise<boolean> | undefined;
  following?: Promise<boolean> | undefined;
}

export class SandboxCache {
  readonly #sandboxes = new Map<string, Sandbox>();
  /** Who holds a sandbox may change it, whether or not it is still remembered. */
  readonly #entries = new WeakMap<Sandbox, CacheEntry>();

  constructor(
    private readonly settings: SandboxCacheSettings,
    private readonly server: ServerReadings,
  ) {}

  get size(): number {
    return this.#sandboxes.size;
  }

  /** Those that are remembered, the one that has been idle longest first. */
  values(): Iterable<Sandbox> {
    return this.#sandboxes.values();
  }

  /** The sandbox of a name, which does not count as used by that. */
  peek(name: string): Sandbox | undefined {
    return this.#sandboxes.get(name);
  }

  /** The sandbox of a name, which from now on counts as used. */
  find(name: string): Sandbox | undefined {
    const sandbox = this.#sandboxes.get(name);
    if (sandbox === undefined) return undefined;
    sandbox.usedAt = this.#now();
    this.#sandboxes.delete(name);
    this.#sandboxes.set(name, sandbox);
    return sandbox;
  }

  /** The sandbox of a name in step with all that others have done before; it counts as used. */
  async latest(name: string): Promise<Sandbox | undefined> {
    const sandbox = this.find(name);
    if (sandbox === undefined) return this.adopt(name);
    return (await this.#inStep(sandbox, false)) ? sandbox : this.adopt(name);
  }

  /** Brings what is remembered of a sandbox in step, without using it. */
  async look(name: string): Promise<void> {
    const sandbox = this.#sandboxes.get(name);
    if (sandbox !== undefined) await this.#inStep(sandbox, true);
  }

  /** All that the store has, by their names; those that only others use as they are at the moment. */
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

  /** Remembers a sandbox that has been made, in the place of one that was dropped before. `parent`: the one that it was forked from. */
  keep(name: string, state: State, head: Head, ttl: number, parent?: Sandbox): Sandbox {
    const before = this.#sandboxes.get(name);
    if (before !== undefined) this.leave(before, this.whyGone(before));
    const sandbox = this.#made(name, state, head, ttl);
    this.#remember(sandbox, parent);
    return sandbox;
  }

  /** The sandbox that the store has under a name and that is not remembered: another has made it. */
  async adopt(name: string): Promise<Sandbox | undefined> {
    const tail = await this.settings.store.since(name);
    if (tail === undefined) return undefined;
    const known = this.find(name);
    if (known?.head.log === tail.head.log) return this.latest(name); // another has adopted it meanwhile, perhaps from an earlier reading
    const sandbox = this.#toldBy(name, tail);
    this.#remember(sandbox);
    sandbox.catchUp(tail, true);
    this.settings.memory.update(sandbox);
    this.settings.observer?.changed(sandbox); // who listens to the name may have heard of none, or of the one before
    return sandbox;
  }

  /** It is no more. */
  leave(sandbox: Sandbox, why: Ending): void {
    if (this.#sandboxes.get(sandbox.name) !== sandbox) return;
    this.#sandboxes.delete(sandbox.name);
    this.settings.memory.remove(sandbox);
    this.settings.observer?.left(sandbox, why);
  }

  /** Remembers it no longer, unless somebody listens to it: whoever wants it reads it again. */
  forget(sandbox: Sandbox): boolean {
    const { name } = sandbox;
    if (this.settings.observer?.isHeard(name) === true || !this.#sandboxes.delete(name)) return false;
    this.settings.memory.remove(sandbox);
    return true;
  }

  /** Where others share the store, too many are not kept in mind: the idlest one that nobody listens to is read again when it is wanted. */
  #remember(sandbox: Sandbox, parent?: Sandbox): void {
    const before = this.#sandboxes.get(sandbox.name);
    if (before !== undefined) this.settings.memory.remove(before);
    this.#sandboxes.set(sandbox.name, sandbox);
    this.settings.memory.add(sandbox, parent);
    if (!this.settings.store.isShared || this.size <= this.settings.maxSandboxes) return;
    for (const idlest of this.#sandboxes.values()) if (idlest !== sandbox && this.forget(idlest)) return;
  }

  /** Why a sandbox is gone that this process has not let go. */
  whyGone({ usedAt, ttl }: Sandbox): Ending {
    return this.#now() - usedAt > ttl ? 'expired' : 'dropped';
  }

  /** What the store has under a name, without remembering or using what nobody uses here. */
  async #read(name: string): Promise<Sandbox | undefined> {
    const known = this.#sandboxes.get(name);
    if (known !== undefined && (await this.#inStep(known, true))) return known;
    const tail = await this.settings.store.since(name, undefined, true);
    if (tail === undefined) return undefined;
    const sandbox = this.#toldBy(name, tail);
    sandbox.catchUp(tail, true);
    return sandbox;
  }

  #toldBy(name: string, { base, head, ttl }: SandboxTail): Sandbox {
    if (base === undefined) throw new Error(`the store told ${name} without its base`);
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

  /** Whether it is still there. Who asks while a reading is under way shares the next one, which begins later than all of them asked. */
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
      .catch(() => {}) // those who asked for it are told
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
    return tail.base === undefined || this.#catchUp(sandbox, isOnlyLook); // with a base its notes are asked for anew
  }

  #now(): number {
    return this.settings.machineTime().getTime();
  }
}
