// Puts a sandbox into the states that a contract asks for: consecutive ones add up, and one that follows a request begins a new world.
// Knows neither Pact nor HTTP, and writes nothing down.

import { nearest } from '../engine/nearest.js';
import type { Sandbox } from '../engine/sandbox.js';
import type { Session } from '../engine/session.js';
import type { Origin } from '../engine/state.js';
import { type Folders, findNamed, namesBeside } from './folders.js';
import { isProblems, type Problems, pointerOf, showProblem } from './problem.js';
import { addedBy, type ProviderState, providerStateOf, providerStates, type StateValues } from './provider-states.js';
import type { Loaded } from './story.js';
import { patchProblems } from './world-patch.js';

export interface StateProblem {
  readonly message: string;
  /** JSON pointer into the parameters, or into what they make of a world. */
  readonly pointer?: string;
}

/** The values of a state that has been brought about, or what keeps it from being. */
export type SetUp = { readonly values: StateValues } | { readonly problems: readonly StateProblem[] };

export interface SetupSettings {
  readonly session: Session;
  /** The name of the sandbox. */
  readonly sandbox: string;
  /** What the sandbox starts from in the empty state, and before states that add to what is there. */
  readonly origin: () => Origin;
  readonly folders: Folders;
  readonly load: (name: string) => Loaded | Problems;
}

/** How far a sandbox had been asked. */
interface Stand {
  readonly sandbox: Sandbox;
  readonly asked: string;
}

export class ProviderSetup {
  /** After the last setup; absent where the next one begins a new world whatever has happened. */
  #last: Stand | undefined;
  #isFresh = true;

  constructor(private readonly settings: SetupSettings) {}

  /** Brings a state about. Gives its values, or what keeps it from being: then the next setup begins a new world. */
  async setUp(state: string, params?: unknown): Promise<SetUp> {
    const adding = providerStateOf(state);
    const given = params ?? {}; // some verifiers send null
    const done = adding === undefined ? await this.#begin(state, given) : await this.#add(adding, given);
    const failed = 'problems' in done;
    this.#isFresh = false;
    this.#last = failed ? undefined : await this.#stand();
    return done;
  }

  /** Ends what was set up: the next setup begins a new world. */
  tearDown(): void {
    this.#isFresh = false;
    this.#last = undefined;
  }

  async #begin(state: string, params: unknown): Promise<SetUp> {
    if (typeof params === 'object' && params !== null && Object.keys(params).length > 0)
      return { problems: [{ message: `The state ${JSON.stringify(state)} takes no parameters.`, pointer: '' }] };
    const origin = state === '' ? this.settings.origin() : this.#scenario(state);
    if ('problems' in origin) return origin;
    await this.#renew(origin);
    return { values: {} };
  }

  async #add(state: ProviderState, params: unknown): Promise<SetUp> {
    const { session } = this.settings;
    if (!(await this.#addsUp())) await this.#renew(this.settings.origin());
    for (;;) {
      const changed = await session.change<SetUp>(await this.#sandbox(), ({ state: { world } }) => {
        const added = addedBy(state, params, world);
        if ('flaws' in added)
          return {
            changes: [],
            result: { problems: added.flaws.map(({ path, message }) => ({ message, pointer: pointerOf(path) })) },
          };
        const problems = patchProblems(world, added.patch);
        if (problems.length > 0) return { changes: [], result: { problems } };
        return { changes: [{ type: 'world-patched', patch: added.patch }], result: { values: added.values } };
      });
      if (changed !== 'gone') return changed.result;
    }
  }

  #scenario(state: string): Origin | { problems: StateProblem[] } {
    const { folders, load } = this.settings;
    const among = [...folders.scenarios, ...folders.fixtures];
    if (!('file' in findNamed(state, among))) {
      const names = [...providerStates.map(other => other.name), ...namesBeside('', among)];
      const known = `there are ${names.join(', ')}`;
      return {
        problems: [{ message: `There is no state ${JSON.stringify(state)}${nearest(state, names)}: ${known}.` }],
      };
    }
    const loaded = load(state);
    return isProblems(loaded)
      ? { problems: loaded.problems.map(problem => ({ message: showProblem(problem) })) }
      : loaded.origin;
  }

  /** Whether nothing but setups has happened since the last one. */
  async #addsUp(): Promise<boolean> {
    const { sandbox, asked } = await this.#stand();
    if (this.#last === undefined) return this.#isFresh && asked === UNASKED;
    return this.#last.sandbox === sandbox && this.#last.asked === asked;
  }

  async #stand(): Promise<Stand> {
    const sandbox = await this.#sandbox();
    const { evicted, size, last } = sandbox.journal;
    return { sandbox, asked: [evicted, size, last?.id ?? 0].join() };
  }

  #sandbox(): Promise<Sandbox> {
    const { session, sandbox, origin } = this.settings;
    return session.ensure(sandbox, origin());
  }

  async #renew(origin: Origin): Promise<void> {
    const { session, sandbox } = this.settings;
    await session.drop(sandbox);
    await session.create(sandbox, origin);
  }
}

/** The stand of a sandbox that has never been asked anything. */
const UNASKED = '0,0,0';
