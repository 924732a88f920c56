// One live sandbox as this process remembers it: its latest state with the head of its log, its readings laid together, its journal.
// Decides nothing and asks no store: it is told what has happened.
import type { Readings } from '../../operations/gaps/gaps.js';
import type { ServerReadings } from '../../operations/gaps/profiles.js';
import { Journal, type JournalLimits } from '../journal/journal.js';
import type { JournalEntry, NewJournalEntry } from '../journal/journal-entry.js';
import type { BaseAt, Head, Seen, SeenNotes, Tail } from '../store.js';
import { History, type Mark } from './history.js';
import { type Present, readingsIn, type Step } from './present.js';
import { advanceAll, type Change, type State } from './state.js';

export type SandboxTail = Tail<State, readonly Change[], NewJournalEntry>;

/** Who hears what a sandbox learns, from this process or from others. */
export interface Hearing {
  answered(sandbox: Sandbox, entry: JournalEntry): void;
  /** Its log has more than was known. */
  changed(sandbox: Sandbox): void;
  /** It is back at its scenario; its journal is emptied next. */
  reset(sandbox: Sandbox): void;
}

export interface SandboxParts {
  readonly name: string;
  readonly state: State;
  readonly head: Head;
  /** What the server chooses, over which the others lie. */
  readonly server: ServerReadings;
  readonly limits: JournalLimits;
  /** How long it may be idle, in milliseconds. */
  readonly ttl: number;
  readonly usedAt: number;
  readonly hearing?: Hearing | undefined;
}

export class Sandbox implements Present {
  readonly name: string;
  readonly journal: Journal;
  readonly server: ServerReadings;
  readonly ttl: number;
  /** When it was last asked for, in milliseconds of the machine's clock. */
  usedAt: number;
  #state: State;
  #head: Head;
  #readings: Readings;
  #history: History;
  readonly #hearing: Hearing | undefined;

  constructor({ name, state, head, server, limits, ttl, usedAt, hearing }: SandboxParts) {
    this.name = name;
    this.journal = new Journal(limits);
    this.server = server;
    this.ttl = ttl;
    this.usedAt = usedAt;
    this.#state = state;
    this.#head = head;
    this.#readings = readingsIn(state, server);
    this.#history = new History({ version: head.version, state });
    this.#hearing = hearing;
  }

  get state(): State {
    return this.#state;
  }

  get head(): Head {
    return this.#head;
  }

  get version(): number {
    return this.#head.version;
  }

  /** How much of its log and of its notes is known here. */
  get seen(): Seen & { readonly notes: SeenNotes } {
    const { log, version, id } = this.#head;
    return { log, version, id, notes: this.journal.seen };
  }

  /** Its states by version, as far back as its log is kept. */
  get history(): History {
    return this.#history;
  }

  /** What counts for a request that chooses nothing itself: the sandbox's own over the scenario's over the server's. */
  get readings(): Readings {
    return this.#readings;
  }

  /** Where its log should begin, where it has grown too long. */
  get excess(): Mark | undefined {
    return this.#history.excess;
  }

  /** Takes in what was decided on its latest state and has been appended as one version: `head` is where. */
  settle(changes: readonly Change[], state: State, head: Head): void {
    this.#advance(changes, state);
    this.#at(head);
  }

  /** The same of several versions. */
  settleAll(steps: readonly Step[], head: Head): void {
    for (const { changes, state } of steps) this.#advance(changes, state);
    this.#at(head);
  }

  /** Takes in an entry that has the next number of its journal. */
  keep(entry: JournalEntry): void {
    this.journal.keep(entry);
    this.#hearing?.answered(this, entry);
  }

  /** Takes in entries that have the numbers from `first` on in a run. Where others have come before that are not known here, they are learnt with those. */
  note(run: number, first: number, entries: readonly JournalEntry[]): void {
    if (run !== this.journal.run.from) return;
    for (const [i, entry] of entries.entries()) {
      const id = first + i;
      if (id !== this.journal.lastId + 1) {
        this.journal.skip(entry);
        continue;
      }
      this.keep(entry.id === id ? entry : { ...entry, id });
    }
  }

  /** Takes in what is new in its log. Where there is a base, what is known here is not what the log tells any more. `withNotes`: they were asked for. */
  catchUp({ base, entries, head, notes }: SandboxTail, withNotes: boolean): void {
    if (base !== undefined) this.#begin(base);
    const from = head.version - entries.length;
    if (head.version > this.#history.to) {
      for (const changes of entries.slice(Math.max(0, this.#history.to - from)))
        this.#advance(changes, advanceAll(this.#state, changes, this.#history));
    }
    if (head.version >= this.version || base !== undefined) this.#at(head);
    if (!withNotes) return;
    for (const entry of this.journal.take(notes)) this.#hearing?.answered(this, entry);
  }

  /** Its log begins later than before. */
  compacted(head: Head): void {
    this.#at(head);
  }

  #begin({ version, value: state }: BaseAt<State>): void {
    this.#state = state;
    this.#history = new History({ version, state });
    this.#readings = readingsIn(state, this.server);
    this.journal.begin(0); // its entries may be others too
  }

  #advance(changes: readonly Change[], state: State): void {
    const before = this.#state;
    this.#state = state;
    this.#history.add(changes, state);
    if (state.readings !== before.readings) this.#readings = readingsIn(state, this.server);
    if (!changes.some(isReset)) return;
    this.#hearing?.reset(this);
    this.journal.begin(this.#history.to);
  }

  #at(head: Head): void {
    const isNew = head.version !== this.#head.version || head.id !== this.#head.id;
    this.#head = head;
    this.#history.begin(head.from);
    if (isNew) this.#hearing?.changed(this);
  }
}

export function isReset({ type }: Change): boolean {
  return type === 'sandbox-reset';
}
