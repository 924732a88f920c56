// The shell around the pure engine: sandboxes by name, and the one loop in which something is decided, appended and taken in.
// Knows the store only by its port, and neither HTTP nor files.
import { defaultReadings, layReadings, type Readings, type SomeReadings } from '../operations/gaps.js';
import { entryOf, type Performed } from './entry.js';
import { performAmongFaults } from './faulty.js';
import type { Mark } from './history.js';
import type { JournalLimits } from './journal.js';
import type { Leaving, Observer } from './observer.js';
import type { Request } from './request.js';
import { Sandbox } from './sandbox.js';
import { begin, type Change, type Origin, type State, timeIn, withoutSnapshots } from './state.js';
import type { Head, Store } from './store.js';

export const DEFAULT_SANDBOX = 'default';

export interface SessionSettings {
  readonly store: Store<State, readonly Change[]>;
  /** What a sandbox starts from that names no scenario. */
  readonly origin: Origin;
  readonly readings?: SomeReadings;
  readonly journal: JournalLimits;
  readonly maxSandboxes: number;
  /** Milliseconds. */
  readonly sandboxTtl: number;
  /** Whether a sandbox comes to be when it is first named in a request. */
  readonly createOnUse: boolean;
  readonly machineTime: () => Date;
  readonly observer?: Observer;
}

/** What a change decides on a sandbox; `result` goes back to who asked, whether or not anything changed. */
export interface Deciding<T> {
  readonly changes: readonly Change[];
  readonly result: T;
}

/** What a change decided, and the version of the sandbox right after it. */
export interface Changed<T> {
  readonly result: T;
  readonly version: number;
}

/** Lost races after which a change gives up; with one process none is ever lost. */
const MOST_TRIES = 100;

export class Session {
  readonly #live = new Map<string, Sandbox>();
  readonly #serverReadings: Readings;
  #origin: Origin;

  constructor(readonly settings: SessionSettings) {
    this.#origin = settings.origin;
    this.#serverReadings = layReadings(defaultReadings, settings.readings);
  }

  /** The scenario of sandboxes that name none. */
  get origin(): Origin {
    return this.#origin;
  }

  get serverReadings(): Readings {
    return this.#serverReadings;
  }

  /** The sandbox of a name: the live one, or a new one of the server's scenario; `undefined` where sandboxes are made explicitly only. */
  async open(name: string): Promise<Sandbox | undefined> {
    const live = this.find(name);
    if (live !== undefined) return live;
    return this.settings.createOnUse || name === DEFAULT_SANDBOX ? this.ensure(name, this.#origin) : this.#adopt(name);
  }

  /** The sandbox of a name: the live one, or a new one of this origin, whether or not sandboxes are made explicitly only. `ttl` in milliseconds. */
  async ensure(name: string, origin: Origin, ttl?: number): Promise<Sandbox> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const sandbox =
        this.find(name) ?? (await this.create(name, origin, ttl)) ?? this.find(name) ?? (await this.#adopt(name));
      if (sandbox !== undefined) return sandbox;
    }
    throw new Error(`sandbox ${name} was dropped ${MOST_TRIES} times while it was made`);
  }

  /** The live sandbox of a name, which from now on counts as used. */
  find(name: string): Sandbox | undefined {
    const sandbox = this.#live.get(name);
    if (sandbox !== undefined) this.#use(sandbox);
    return sandbox;
  }

  list(): Sandbox[] {
    return [...this.#live.values()];
  }

  /** A new sandbox; `undefined` where there is one of that name. `ttl` in milliseconds. */
  async create(name: string, origin: Origin, ttl?: number): Promise<Sandbox | undefined> {
    return this.#admit(name, begin(origin), ttl);
  }

  /** A second sandbox from the present of one, or from a state that it had, without its snapshots; `undefined` where the name is taken. */
  async fork(from: Sandbox, name: string, state = from.state): Promise<Sandbox | undefined> {
    return this.#admit(name, withoutSnapshots(state), from.ttl);
  }

  async drop(name: string, why: Leaving = 'dropped'): Promise<boolean> {
    const live = this.#live.get(name);
    if (live === undefined) return this.settings.store.drop(name);
    this.#live.delete(name);
    this.settings.observer?.left(live, why);
    await this.settings.store.drop(name);
    return true;
  }

  /** Back to its scenario: world, readings, clock, ids and journal in one step. */
  async reset(sandbox: Sandbox): Promise<'done' | 'gone'> {
    const changed = await this.change(sandbox, () => ({ changes: [{ type: 'sandbox-reset' }], result: undefined }));
    this.settings.observer?.resetting(sandbox);
    sandbox.journal.reset();
    return changed === 'gone' ? 'gone' : 'done';
  }

  /**
   * Performs one request in a sandbox, keeps what came of it, and writes it down. `undefined`: there is no such sandbox, and none is made.
   * `isNamed`: whether the request named the sandbox itself.
   */
  async perform(name: string, request: Request, isNamed = true): Promise<Performed | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const sandbox = this.find(name) ?? (await this.open(name));
      if (sandbox === undefined) return undefined;
      let { world } = sandbox.state;
      let at = '';
      let before = 0;
      const changed = await this.change(sandbox, current => {
        world = current.state.world;
        at = timeIn(current.state, this.settings.machineTime());
        before = current.head.version;
        const scene = { world, readings: current.readings, now: at };
        const { performance: result, changes } = performAmongFaults(request, scene, current.state);
        return { changes, result };
      });
      if (changed === 'gone') continue; // dropped in between: the next one of that name takes it
      const { result, version } = changed;
      const isLeak = !isNamed && this.#live.size > 1;
      const entry = sandbox.journal.add(entryOf(request, result, { at, world, before, version, isLeak }));
      this.settings.observer?.answered(sandbox, entry);
      return { ...result, entry: entry.id };
    }
    throw new Error(`sandbox ${name} was dropped ${MOST_TRIES} times while one request was performed`);
  }

  /** Decides on the latest state and appends what was decided; decides again where another was faster. `gone`: the sandbox has been dropped. */
  async change<T>(sandbox: Sandbox, decide: (current: Sandbox) => Deciding<T>): Promise<Changed<T> | 'gone'> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { changes, result } = decide(sandbox);
      const before = sandbox.head;
      if (changes.length === 0) return { result, version: before.version };
      const appended = await this.settings.store.append(sandbox.name, before, changes);
      if (typeof appended === 'object') {
        if (sandbox.head !== before) await this.#catchUp(sandbox);
        else {
          const cut = sandbox.advance([changes], appended.head);
          if (cut !== undefined) await this.#forget(sandbox, cut);
        }
        return { result, version: appended.head.version };
      }
      if (appended === 'gone' || (await this.#catchUp(sandbox)) === 'gone') return 'gone';
    }
    throw new Error(`sandbox ${sandbox.name} changed ${MOST_TRIES} times while one change was decided`);
  }

  /** From now on new sandboxes start from another scenario, and `default` is reset to it. */
  async replaceOrigin(origin: Origin): Promise<void> {
    this.#origin = origin;
    await this.drop(DEFAULT_SANDBOX);
    await this.open(DEFAULT_SANDBOX);
  }

  /** Lets sandboxes go that have been idle for longer than they may. Never `default`. */
  async expire(): Promise<void> {
    const now = this.settings.machineTime().getTime();
    const idle = this.list().filter(({ name, usedAt, ttl }) => name !== DEFAULT_SANDBOX && now - usedAt > ttl);
    for (const { name } of idle) await this.drop(name, 'expired');
  }

  async #admit(name: string, state: State, ttl?: number): Promise<Sandbox | undefined> {
    const head = await this.settings.store.create(name, state);
    if (head === undefined) return undefined;
    const sandbox = this.#keep(name, state, head, ttl);
    this.settings.observer?.made(sandbox);
    if (this.#live.size > this.settings.maxSandboxes) await this.#evictIdlest(name);
    return sandbox;
  }

  /** The sandbox that the store has under a name and this process has not seen yet: another was faster to make it. */
  async #adopt(name: string): Promise<Sandbox | undefined> {
    const tail = await this.settings.store.since(name, 0);
    if (tail === undefined) return undefined;
    const known = this.find(name);
    if (known !== undefined) return known;
    const { base, entries, head } = tail;
    const sandbox = this.#keep(name, base, { ...head, version: head.version - entries.length, id: '' });
    sandbox.catchUp(tail);
    return sandbox;
  }

  #keep(name: string, state: State, head: Head, ttl = this.settings.sandboxTtl): Sandbox {
    const sandbox = new Sandbox(
      name,
      state,
      head,
      this.#serverReadings,
      this.settings.journal,
      ttl,
      this.settings.machineTime().getTime(),
    );
    this.#live.set(name, sandbox);
    return sandbox;
  }

  /** The map stands in the order of use, so the first is the one that has been idle longest. */
  async #evictIdlest(newcomer: string): Promise<void> {
    for (const name of this.#live.keys()) {
      if (name === DEFAULT_SANDBOX || name === newcomer) continue;
      await this.drop(name, 'evicted');
      return;
    }
  }

  #use(sandbox: Sandbox): void {
    sandbox.usedAt = this.settings.machineTime().getTime();
    this.#live.delete(sandbox.name);
    this.#live.set(sandbox.name, sandbox);
  }

  async #catchUp(sandbox: Sandbox): Promise<'done' | 'gone'> {
    const tail = await this.settings.store.since(sandbox.name, sandbox.head.version);
    if (tail === undefined) return 'gone';
    const cut = sandbox.catchUp(tail);
    if (cut !== undefined) await this.#forget(sandbox, cut);
    return 'done';
  }

  /** The sandbox reaches back no further, so its log need not either. */
  async #forget({ name }: Sandbox, { version, state }: Mark): Promise<void> {
    await this.settings.store.compact(name, version, state);
  }
}
