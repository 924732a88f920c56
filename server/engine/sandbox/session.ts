// The shell around the pure engine: sandboxes by name, as this process remembers them, in step with what the store has of them.
// Knows the store only by its port, and neither HTTP nor files.
import type { Readings, SomeReadings } from '../../operations/gaps/gaps.js';
import { type ProfileName, type ServerReadings, serverReadings } from '../../operations/gaps/profiles.js';
import type { Ending } from '../events/observer.js';
import { performAmongFaults } from '../faults/faulty-request.js';
import { entryOf, type Performed } from '../journal/compose-entry.js';
import { CoverageCounter } from '../journal/coverage.js';
import type { Result } from '../request/perform.js';
import { parseReadings } from '../request/readings.js';
import type { Request } from '../request/request.js';
import type { OrLater } from '../store.js';
import { changeAtOnce } from './at-once.js';
import type { Sandbox } from './cached-sandbox.js';
import { MemoryBudget } from './memory-budget.js';
import type { Changed, Deciding, Present } from './present.js';
import { SandboxCache, type SandboxCacheSettings } from './sandbox-cache.js';
import { begin, type Origin, type State, timeIn, withoutSnapshots } from './state.js';

export const DEFAULT_SANDBOX = 'default';

export interface SessionSettings extends Omit<SandboxCacheSettings, 'memory'> {
  /** Left out: it has no bounds. */
  readonly memory?: MemoryBudget;
  /** What a sandbox starts from that names no scenario. */
  readonly origin: Origin;
  readonly profile?: ProfileName;
  readonly readings?: SomeReadings;
  /** Those of `readings` that no environment variable changes: a program has chosen them. */
  readonly pinned?: SomeReadings;
  /** Whether a sandbox is created when it is first named in a request. */
  readonly createOnUse: boolean;
}

/** What came of a request, with the readings that were chosen for it. */
interface Decided {
  readonly result: Result;
  readonly pins: readonly SomeReadings[];
}

type Decide = (present: Present) => Deciding<Decided>;

/** What is known of a request that another server has answered. */
export type ForwardedResult = Pick<Result, 'answer' | 'operation' | 'caller'> & Required<Pick<Result, 'forwarded'>>;

/** How often in a row a sandbox may be dropped while it is asked for. */
const MOST_TRIES = 100;

export class Session {
  readonly memory: MemoryBudget;
  /** What the requests that this process performed have met. */
  readonly coverage = new CoverageCounter();
  readonly #cache: SandboxCache;
  readonly #server: ServerReadings;
  #origin: Origin;

  constructor(readonly settings: SessionSettings) {
    this.#origin = settings.origin;
    this.#server = serverReadings(settings);
    this.memory = settings.memory ?? new MemoryBudget({ total: Infinity, sandbox: Infinity });
    this.#cache = new SandboxCache({ ...settings, memory: this.memory }, this.#server);
  }

  /** The scenario of sandboxes that name none. */
  get origin(): Origin {
    return this.#origin;
  }

  /** What holds where no sandbox chooses. */
  get serverReadings(): Readings {
    return this.#server.all;
  }

  /** The sandbox of a name: the live one, or a new one of the server's scenario; `undefined` where sandboxes are made explicitly only. */
  async open(name: string): Promise<Sandbox | undefined> {
    const isMade = this.settings.createOnUse || name === DEFAULT_SANDBOX;
    return isMade ? this.ensure(name, this.#origin) : this.latest(name);
  }

  /** The sandbox of a name: the live one, or a new one of this origin, whether or not sandboxes are made explicitly only. `ttl` in milliseconds. */
  async ensure(name: string, origin: Origin, ttl?: number): Promise<Sandbox> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const sandbox = (await this.latest(name)) ?? (await this.create(name, origin, ttl));
      if (sandbox !== undefined) return sandbox;
    }
    throw new Error(`sandbox ${name} was dropped ${MOST_TRIES} times while it was made`);
  }

  /** The sandbox of a name as this process remembers it, which from now on counts as used. */
  find(name: string): Sandbox | undefined {
    return this.#cache.find(name);
  }

  /** The sandbox of a name in step with all that others have done before; it counts as used. */
  latest(name: string): Promise<Sandbox | undefined> {
    return this.#cache.latest(name);
  }

  /** The same, which does not count as used by that. */
  peek(name: string): Sandbox | undefined {
    return this.#cache.peek(name);
  }

  /** Keeps what this process remembers of a sandbox in step with others, without using it; returns what ends that. */
  follow(name: string): () => void {
    const { store, observer } = this.settings;
    if (!store.isShared) return () => {};
    const follow = async () => {
      await this.#cache.look(name);
      if (this.peek(name) === undefined) await this.#cache.adopt(name);
    };
    return store.watch(name, () => {
      follow().catch(error => observer?.troubled(error)); // who watches is called again when the store is back
    });
  }

  /** Those that this process remembers, the one that has been idle longest first. */
  list(): Sandbox[] {
    return [...this.#cache.values()];
  }

  /** All that there are. */
  async all(): Promise<readonly Sandbox[]> {
    return this.settings.store.isShared ? this.#cache.all() : this.list();
  }

  /** A new sandbox; `undefined` where there is one of that name. `ttl` in milliseconds. */
  async create(name: string, origin: Origin, ttl?: number): Promise<Sandbox | undefined> {
    return this.#admit(name, begin(origin), ttl);
  }

  /** A second sandbox from the present of one, or from a state that it had, without its snapshots; `undefined` where the name is taken. */
  async fork(from: Sandbox, name: string, state = from.state): Promise<Sandbox | undefined> {
    return this.#admit(name, withoutSnapshots(state), from.ttl, from);
  }

  async drop(name: string, why: Ending = 'dropped'): Promise<boolean> {
    const live = this.#cache.peek(name);
    const wasThere = await this.settings.store.drop(name);
    if (live !== undefined) this.#cache.leave(live, why);
    return wasThere;
  }

  /** Back to its scenario: world, readings, clock, ids and journal in one step. */
  async reset(sandbox: Sandbox): Promise<'done' | 'gone'> {
    const changed = await this.change(sandbox, () => ({ changes: [{ type: 'sandbox-reset' }], result: undefined }));
    return changed === 'gone' ? 'gone' : 'done';
  }

  /** Forgets the entries of its journal; ids go on. */
  async clearJournal(sandbox: Sandbox): Promise<void> {
    const { journal } = sandbox;
    const changed = await this.change(sandbox, () => ({ changes: [], result: undefined, forget: journal.all }));
    if (changed === 'gone') return;
    journal.clear();
    this.memory.update(sandbox);
  }

  /**
   * Performs one request in a sandbox, keeps what came of it, and writes it down. `undefined`: there is no such sandbox, and none is made.
   * `isNamed`: whether the request named the sandbox itself.
   */
  perform(name: string, request: Request, isNamed = true): OrLater<Performed | undefined> {
    return this.#decided(name, present => this.#perform(request, present, isNamed));
  }

  /** Writes down a request that another server has answered: nothing changes by it. `undefined`: there is no such sandbox, and none is made. */
  note(name: string, request: Request, answered: ForwardedResult): OrLater<Performed | undefined> {
    return this.#decided(name, ({ state, version: before }) => {
      const { world } = state;
      const at = timeIn(state, this.settings.machineTime());
      const result: Result = { ...answered, facts: [], rules: [], gaps: {}, expand: [], isHost: false };
      const moment = { at, world, before, isLeak: false };
      return {
        changes: [],
        result: { result, pins: [] },
        note: (id, version) => entryOf(id, request, result, { ...moment, version }),
      };
    });
  }

  #decided(name: string, decide: Decide): OrLater<Performed | undefined> {
    const sandbox = this.find(name);
    if (sandbox === undefined) return this.#decidedLater(name, decide);
    const changed = this.change(sandbox, decide);
    if (changed instanceof Promise)
      return changed.then(later => (later === 'gone' ? this.#decidedLater(name, decide) : this.#performed(later)));
    return changed === 'gone' ? this.#decidedLater(name, decide) : this.#performed(changed);
  }

  /** The same where its sandbox is not remembered, or was dropped in between: the next one of that name takes it. */
  async #decidedLater(name: string, decide: Decide): Promise<Performed | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const sandbox = this.find(name) ?? (await this.open(name));
      if (sandbox === undefined) return undefined;
      const changed = await this.change(sandbox, decide);
      if (changed !== 'gone') return this.#performed(changed);
    }
    throw new Error(`sandbox ${name} was dropped ${MOST_TRIES} times while one request was performed`);
  }

  #perform(request: Request, { state, version: before, readings }: Present, isNamed: boolean): Deciding<Decided> {
    const { world } = state;
    const at = timeIn(state, this.settings.machineTime());
    const { result, changes } = performAmongFaults(request, { world, readings, now: at }, state);
    const isLeak = !isNamed && this.#cache.size > 1;
    const note = (id: number, version: number) => entryOf(id, request, result, { at, world, before, version, isLeak });
    return { changes, result: { result, pins: this.#pinsOf(request, state) }, note };
  }

  /** The readings that were chosen nearer to the request than by the server's flags. */
  #pinsOf({ readings }: Request, { origin, readings: own }: State): readonly SomeReadings[] {
    const pins = [own, origin.readings, this.settings.pinned ?? {}];
    if (readings === undefined) return pins;
    const chosen = parseReadings(readings);
    return 'problem' in chosen ? pins : [chosen.readings, ...pins];
  }

  #performed({ result: { result, pins }, entry }: Changed<Decided>): Performed {
    this.coverage.count(result, pins);
    return Object.assign(result, { entry }); // made for this request alone; a copy would cost more than the rest of this
  }

  /**
   * Decides on the latest state and appends what was decided: at once where the store does; else in turn, and again where another was faster.
   * `gone`: the sandbox has been dropped. Throws or rejects with what `decide` throws, or with a `StoreError`.
   */
  change<T>(sandbox: Sandbox, decide: (present: Present) => Deciding<T>): OrLater<Changed<T> | 'gone'> {
    const { memory } = this;
    const { store, observer } = this.settings;
    if (memory.isExceeded) this.#makeRoom(sandbox);
    if (store.isImmediate)
      return this.#known(
        sandbox,
        changeAtOnce(sandbox, store, memory, decide, error => observer?.troubled(error)),
      );
    return this.#cache
      .commitsOf(sandbox)
      .change(decide)
      .then(changed => this.#known(sandbox, changed));
  }

  /** A sandbox that is gone is remembered no longer. */
  #known<T>(sandbox: Sandbox, changed: Changed<T> | 'gone'): Changed<T> | 'gone' {
    const { memory } = this;
    if (changed === 'gone') this.#cache.leave(sandbox, this.#cache.whyGone(sandbox));
    else {
      memory.update(sandbox);
      if (memory.isExceeded) this.#makeRoom(sandbox);
    }
    return changed;
  }

  /** Remembers what the store has from before, where nobody else uses it. */
  async takeOver(): Promise<void> {
    const { store } = this.settings;
    if (!store.isShared) for (const name of await store.list()) await this.#cache.adopt(name);
  }

  /** From now on new sandboxes start from another scenario, and `default` is reset to it. */
  async replaceOrigin(origin: Origin): Promise<void> {
    this.#origin = origin;
    await this.drop(DEFAULT_SANDBOX);
    await this.open(DEFAULT_SANDBOX);
  }

  /** Lets sandboxes go that have been idle for longer than they may; where others may use them, only what this process remembers of them. Never `default`. */
  async expire(): Promise<void> {
    const { store, machineTime } = this.settings;
    const now = machineTime().getTime();
    const idle = this.list().filter(({ name, usedAt, ttl }) => name !== DEFAULT_SANDBOX && now - usedAt > ttl);
    for (const sandbox of idle) {
      if (!store.isShared) await this.drop(sandbox.name, 'expired');
      else {
        await this.#cache.look(sandbox.name);
        this.#cache.forget(sandbox);
      }
    }
  }

  async #admit(
    name: string,
    state: State,
    ttl = this.settings.sandboxTtl,
    parent?: Sandbox,
  ): Promise<Sandbox | undefined> {
    const { store } = this.settings;
    const head = await store.create(name, state, name === DEFAULT_SANDBOX ? undefined : ttl);
    if (head === undefined) return undefined;
    const sandbox = this.#cache.keep(name, state, head, ttl, parent);
    this.settings.observer?.made(sandbox);
    if (!store.isShared && this.#cache.size > this.settings.maxSandboxes) this.#letGo(sandbox, () => true);
    if (this.memory.isExceeded) this.#makeRoom(sandbox);
    return sandbox;
  }

  /** First the idlest sandboxes go, then the oldest journal entries of those that are left. */
  #makeRoom(newcomer: Sandbox): void {
    const { memory } = this;
    this.#letGo(newcomer, () => !memory.isExceeded);
    for (const sandbox of memory.isExceeded ? this.#cache.values() : []) {
      sandbox.journal.shorten();
      memory.update(sandbox);
    }
  }

  /** Lets the idlest sandboxes go until it is enough, but for the newcomer and `default`. What others share is read again when it is wanted. */
  #letGo(newcomer: Sandbox, isEnough: () => boolean): void {
    const { store, observer } = this.settings;
    for (const sandbox of this.#cache.values()) {
      if (sandbox === newcomer || sandbox.name === DEFAULT_SANDBOX) continue;
      if (store.isShared) this.#cache.forget(sandbox);
      else {
        this.#cache.leave(sandbox, 'evicted');
        store.drop(sandbox.name).catch(error => observer?.troubled(error));
      }
      if (isEnough()) return;
    }
  }
}
