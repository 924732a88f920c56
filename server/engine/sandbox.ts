// One live sandbox as this process remembers it: its latest state with the head of its log, its readings laid together, its journal.
// Decides nothing: the session appends, and tells it what has happened.
import { layReadings, type Readings } from '../operations/gaps.js';
import { Journal, type JournalLimits } from './journal.js';
import { advanceAll, type Change, type State } from './state.js';
import type { Head } from './store.js';

export class Sandbox {
  readonly journal: Journal;
  /** When it was last asked for, in milliseconds of the machine's clock. */
  usedAt: number;
  #state: State;
  #head: Head;
  #readings: Readings;

  constructor(
    readonly name: string,
    state: State,
    head: Head,
    /** The server's readings, over which the others lie. */
    private readonly serverReadings: Readings,
    limits: JournalLimits,
    /** How long it may be idle, in milliseconds. */
    readonly ttl: number,
    usedAt: number,
  ) {
    this.journal = new Journal(limits);
    this.#state = state;
    this.#head = head;
    this.#readings = this.#lay();
    this.usedAt = usedAt;
  }

  get state(): State {
    return this.#state;
  }

  get head(): Head {
    return this.#head;
  }

  /** What counts for a request that chooses nothing itself: the sandbox's own over the scenario's over the server's. */
  get readings(): Readings {
    return this.#readings;
  }

  /** Takes in what has been appended. */
  advance(changes: readonly Change[], head: Head): void {
    const before = this.#state;
    this.#state = advanceAll(before, changes);
    this.#head = head;
    if (this.#state.readings !== before.readings) this.#readings = this.#lay();
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
