// What a change is decided on: a sandbox as it is, or as it will be when what has been decided just before is appended. Appends nothing.
import type { Readings } from '../../operations/gaps/gaps.js';
import { chosenReadings, type ServerReadings } from '../../operations/gaps/profiles.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import type { Forget } from '../store.js';
import type { Reach } from './history.js';
import { advanceAll, type Change, type State } from './state.js';

export interface Present {
  readonly state: State;
  readonly version: number;
  /** What counts for a request that chooses nothing itself. */
  readonly readings: Readings;
  readonly history: Reach;
}

/** What a change decides; `result` goes back to who asked, whether or not anything changed. */
export interface Deciding<T> {
  readonly changes: readonly Change[];
  readonly result: T;
  /** What is written down of it, as the entry of a number, with the version right after it. */
  readonly note?: (id: number, version: number) => JournalEntry;
  /** Journal entries that are not needed any more. */
  readonly forget?: Forget;
}

/** What a change decided, the version of the sandbox right after it, and the number of what was written down; 0: nothing was. */
export interface Changed<T> {
  readonly result: T;
  readonly version: number;
  readonly entry: number;
}

/** One version that has been decided, and the state afterwards. */
export interface Step {
  readonly changes: readonly Change[];
  readonly state: State;
}

/** Decisions that follow one another before any of them is appended. */
export class Draft implements Present {
  readonly steps: Step[] = [];
  readonly #from: Present;
  #readings: Readings;

  constructor(
    from: Present,
    private readonly server: ServerReadings,
    /** Throws where the sandbox may not become so. */
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

  /** Takes in what has been decided, and returns the state afterwards. */
  take(changes: readonly Change[]): State {
    const before = this.state;
    const state = advanceAll(before, changes, this.history);
    this.check(before, state);
    this.steps.push({ changes, state });
    if (state.readings !== before.readings) this.#readings = readingsIn(state, this.server);
    return state;
  }
}

/** The sandbox's own over the scenario's over the server's. */
export function readingsIn({ origin, readings }: State, server: ServerReadings): Readings {
  const isOwn = origin.profile !== undefined || !isEmpty(origin.readings) || !isEmpty(readings);
  return isOwn ? chosenReadings(server, origin, { readings }) : server.all; // the same for all that choose nothing: there may be many
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
