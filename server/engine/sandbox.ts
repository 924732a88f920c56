// One live sandbox as this process remembers it: its latest state with the head of its log, its readings laid together, its journal.
// Decides nothing: the session appends, and tells it what has happened.
import { layReadings, type Readings } from '../operations/gaps.js';
import { History, type Mark } from './history.js';
import { Journal, type JournalLimits } from './journal.js';
import { advanceAll, type Change, type State } from './state.js';
import type { Head, Tail } from './store.js';

export class Sandbox {
  readonly journal: Journal;
  /** When it was last asked for, in milliseconds of the machine's clock. */
  usedAt: number;
  #state: State;
  #head: Head;
  #readings: Readings;
  #history: History;

  constructor(
    readonly name: string,
    state: State,
    head: Head,
    /** The server's readings, over which the others lie. */
    readonly serverReadings: Readings,
    limits: JournalLimits,
    /** How long it may be idle, in milliseconds. */
    readonly ttl: number,
    usedAt: number,
  ) {
    this.journal = new Journal(limits);
    this.#state = state;
    this.#head = head;
    this.#readings = this.#lay();
    this.#history = new History({ version: head.version, state });
    this.usedAt = usedAt;
  }

  get state(): State {
    return this.#state;
  }

  get head(): Head {
    return this.#head;
  }

  /** Its states by version, as far back as its log is kept. */
  get history(): History {
    return this.#history;
  }

  /** What counts for a request that chooses nothing itself: the sandbox's own over the scenario's over the server's. */
  get readings(): Readings {
    return this.#readings;
  }

  /** Takes in entries that have been appended, the last of which is the head. Where the log has grown too long, returns where it may begin. */
  advance(entries: readonly (readonly Change[])[], head: Head): Mark | undefined {
    const before = this.#state;
    let cut: Mark | undefined;
    for (const changes of entries) {
      this.#state = advanceAll(this.#state, changes, this.#history);
      cut = this.#history.add(changes, this.#state) ?? cut;
    }
    this.#head = head;
    if (this.#state.readings !== before.readings) this.#readings = this.#lay();
    return cut;
  }

  /** Takes in what is new in the end of its log; where that no longer reaches back to what is known, begins with its base. */
  catchUp({ base, entries, head }: Tail<State, readonly Change[]>): Mark | undefined {
    const from = head.version - entries.length;
    if (head.version < this.#head.version) return undefined;
    if (from <= this.#head.version) return this.advance(entries.slice(this.#head.version - from), head);
    this.#state = base;
    this.#history = new History({ version: from, state: base });
    this.#readings = this.#lay();
    return this.advance(entries, head);
  }

  #lay(): Readings {
    const { origin, readings } = this.#state;
    return isEmpty(origin.readings) && isEmpty(readings)
      ? this.serverReadings
      : layReadings(this.serverReadings, origin.readings, readings);
  }
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
