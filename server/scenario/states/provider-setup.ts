// Sets up provider states in a sandbox: consecutive states add up, and a state after a request begins a new world.

import { pointerOf } from '../../domain/json/json-pointer.js';
import type { World } from '../../domain/world/world.js';
import { expectedOf, nearest } from '../../engine/nearest.js';
import type { SandboxDecision } from '../../engine/sandbox/sandbox-decision.js';
import type { Origin } from '../../engine/sandbox/state.js';
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import type { Session } from '../../engine/session/session.js';
import { firstOf, patchErrors } from '../checks/world-patch.js';
import { type Folders, findNamed, namesBeside } from '../files/folders.js';
import type { Loaded } from '../load/load-scenario.js';
import { isProblems, type Problems, showProblem, type ValidationError } from '../yaml/problem.js';
import {
  addedBy,
  type ProviderState,
  providerStateCatalogue,
  providerStateOf,
  type StateValues,
} from './provider-states.js';

/** Why a state cannot be set up; `isUnknown`: there is no state of this name. */
export interface NoState {
  /** Pointers lead into the parameters, or into the patch of the world that they give. */
  readonly problems: readonly ValidationError[];
  readonly isUnknown?: true;
}

/** The values of a state, or why it cannot be set up. */
export type SetUp = { readonly values: StateValues } | NoState;

export interface SetupSettings {
  readonly session: Session;
  /** Name of the sandbox. */
  readonly sandbox: string;
  /** Origin of a sandbox that does not exist yet. */
  readonly origin: () => Origin;
  readonly folders: Folders;
  readonly load: (name: string) => Promise<Loaded | Problems>;
}

export class ProviderSetup {
  /** The sandbox of the last setup or teardown; a weak reference, because a dropped sandbox must be collected. */
  #seen: WeakRef<CachedSandbox> | undefined;
  /** The origin of a sandbox that others created. */
  #origin: Origin | undefined;
  /** The journal position after it; absent if the next setup must begin a new world. */
  #asked: string | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(private readonly settings: SetupSettings) {}

  /** Whether nothing is in progress. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Sets up a state. Returns its values, or the errors: then the next setup begins a new world. */
  setUp(state: string, params?: unknown): Promise<SetUp> {
    return this.#inTurn(async () => {
      const adding = providerStateOf(state);
      const given = params ?? {}; // some verifiers send null
      const done = adding === undefined ? await this.#begin(state, given) : await this.#add(adding, given);
      const sandbox = await this.#sandbox();
      this.#seen = new WeakRef(sandbox);
      this.#asked = 'problems' in done ? undefined : askedOf(sandbox);
      return done;
    });
  }

  /** Ends the setup: the next one begins a new world. Creates no sandbox. */
  tearDown(): Promise<void> {
    return this.#inTurn(async () => {
      const sandbox = await this.settings.session.sandboxes.latest(this.settings.sandbox);
      this.#seen = sandbox && new WeakRef(sandbox);
      this.#asked = undefined;
    });
  }

  /** One after the other: each depends on the result of the previous one. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const done = this.#turn.then(act).finally(() => {
      this.#waiting -= 1;
    });
    this.#turn = done.catch(() => {}); // the caller gets the error, the next one does not
    return done;
  }

  async #begin(state: string, params: unknown): Promise<SetUp> {
    const origin = state === '' ? await this.#base() : await this.#scenario(state);
    if ('problems' in origin) return origin;
    if (typeof params !== 'object' || params === null || Object.keys(params).length > 0)
      return { problems: [{ message: `The state ${JSON.stringify(state)} takes no parameters.`, pointer: '' }] };
    await this.#renew(origin);
    return { values: {} };
  }

  async #add(state: ProviderState, params: unknown): Promise<SetUp> {
    const { session } = this.settings;
    if (!(await this.#addsUp())) await this.#renew(await this.#base());
    for (;;) {
      const sandbox = await this.#sandbox();
      const changed = await session.change(sandbox, present => addTo(present.state.world, state, params));
      if (changed !== 'gone') return changed.result;
    }
  }

  async #scenario(state: string): Promise<Origin | NoState> {
    const { folders, load } = this.settings;
    const among = [...folders.scenarios, ...folders.fixtures];
    if (!('file' in findNamed(state, among))) {
      const names = [...providerStateCatalogue.map(other => other.name), ...namesBeside('', among)];
      const meant = nearest(state, [...names, ...namesBeside(state, among)]);
      const shown = JSON.stringify(state.slice(0, 200));
      const known = meant === '' ? `: ${expectedOf(names)}` : '';
      return { problems: [{ message: `Unknown state ${shown}${meant}${known}.` }], isUnknown: true };
    }
    const loaded = await load(state);
    return isProblems(loaded)
      ? { problems: loaded.problems.map(problem => ({ message: showProblem(problem) })) }
      : loaded.origin;
  }

  /** Whether nothing but setups has happened since the last one, or nothing at all in this sandbox. */
  async #addsUp(): Promise<boolean> {
    const sandbox = await this.#sandbox();
    return askedOf(sandbox) === (this.#seen?.deref() === sandbox ? this.#asked : UNASKED);
  }

  #sandbox(): Promise<CachedSandbox> {
    const { session, sandbox, origin } = this.settings;
    return session.ensure(sandbox, origin());
  }

  /** The origin of the sandbox: the empty state begins there, and other states add to it. */
  async #base(): Promise<Origin> {
    const sandbox = await this.settings.session.sandboxes.latest(this.settings.sandbox);
    const isOwn = sandbox === undefined || sandbox.state.origin.isProviderState === true;
    if (!isOwn) this.#origin = sandbox.state.origin;
    return this.#origin ?? this.settings.origin();
  }

  /** Begins a new world. The sandbox keeps its own readings and idle time. */
  async #renew(origin: Origin): Promise<void> {
    const { session, sandbox: name } = this.settings;
    await this.#base(); // before the sandbox is dropped
    const before = await session.sandboxes.latest(name);
    const { readings = {} } = before?.state ?? {};
    for (;;) {
      await session.drop(name);
      const made = await session.create(name, { ...origin, isProviderState: true }, before?.ttl);
      if (made === undefined) continue; // a request has created it meanwhile, from another origin
      if (Object.keys(readings).length === 0) return;
      const changed = await session.change(made, () => ({ changes: [{ type: 'readings-set', readings }], result: {} }));
      if (changed !== 'gone') return;
    }
  }
}

/** Adds a state to a world; returns the result. */
function addTo(world: World, state: ProviderState, params: unknown): SandboxDecision<SetUp> {
  const added = addedBy(state, params, world);
  if ('errors' in added) {
    const problems = added.errors.map(({ path, message }) => ({ message, pointer: pointerOf(path) }));
    return { changes: [], result: { problems: firstOf(problems) } };
  }
  const problems = patchErrors(world, added.patch);
  if (problems.length > 0) return { changes: [], result: { problems } };
  return { changes: [{ type: 'world-patched', patch: added.patch }], result: { values: added.values } };
}

/** The journal position of a sandbox: differs after every request, and after the journal was cleared. */
function askedOf({ journal: { evicted, size, last } }: CachedSandbox): string {
  return [evicted, size, last?.id ?? 0].join();
}

/** Position of a sandbox without any request. */
const UNASKED = '0,0,0';
