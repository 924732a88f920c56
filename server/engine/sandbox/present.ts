// The state that a change is decided on: the sandbox, or a draft of it after earlier decisions of the same batch.
import type { Readings } from '../../operations/gaps/gaps.js';
import { chosenReadings, type ServerReadings } from '../../operations/gaps/profiles.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import type { Forget } from '../store.js';
import type { Reach } from './history.js';
import { advanceAll, type Change, type State } from './state.js';

export interface Present {
  readonly state: State;
  readonly version: number;
  /** Readings for requests that choose none. */
  readonly readings: Readings;
  readonly history: Reach;
}

/** A decision; `result` goes to the caller, whether or not anything changed. */
export interface Deciding<T> {
  readonly changes: readonly Change[];
  readonly result: T;
  /** Its journal entry, for an id and the version after the change. */
  readonly note?: (id: number, version: number) => JournalEntry;
  /** Journal entries that are no longer needed. */
  readonly forget?: Forget;
}

/** A decision, the sandbox's version after it, and the id of its journal entry; 0: none. */
export interface Changed<T> {
  readonly result: T;
  readonly version: number;
  readonly entry: number;
}

/** A decided version with its state. */
export interface Step {
  readonly changes: readonly Change[];
  readonly state: State;
}

/** Consecutive decisions before any of them is appended. */
export class Draft implements Present {
  readonly steps: Step[] = [];
  readonly #from: Present;
  #readings: Readings;

  constructor(
    from: Present,
    private readonly server: ServerReadings,
    /** Throws if the sandbox may not have this state. */
    private readonly check: (before: State, after: State) => void,
  ) {
    this.#from = from;
    this.#readings = from.readings;
  }

  get state(): State {
    return this.steps.at(-1)?.state ?? this.#from.state;
  }

  get version(): number {
    return this.#from.version + this.steps.length;
  }

  get readings(): Readings {
    return this.#readings;
  }

  get history(): Reach {
    const { history } = this.#from;
    if (this.steps.length === 0) return history;
    const { steps } = this;
    const at = (version: number) =>
      version > history.to ? steps[version - history.to - 1]?.state : history.at(version);
    return { from: history.from, to: history.to + steps.length, at };
  }

  /** Adds a decision, and returns the state after it. */
  take(changes: readonly Change[]): State {
    const before = this.state;
    const state = advanceAll(before, changes, this.history);
    this.check(before, state);
    this.steps.push({ changes, state });
    if (state.readings !== before.readings) this.#readings = readingsIn(state, this.server);
    return state;
  }
}

/** The sandbox's own readings win over the scenario's, these over the server's. */
export function readingsIn({ origin, readings }: State, server: ServerReadings): Readings {
  const isOwn = origin.profile !== undefined || !isEmpty(origin.readings) || !isEmpty(readings);
  return isOwn ? chosenReadings(server, origin, { readings }) : server.all; // shared by all sandboxes without choices: there may be many
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
