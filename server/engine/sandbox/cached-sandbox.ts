// One sandbox in memory: its latest state, the head of its log, its readings, its journal. It is updated by others, and neither decides nor uses the
// store.
import type { Readings } from '../../operations/gaps/gaps.js';
import type { ServerReadings } from '../../operations/gaps/profiles.js';
import { Journal, type JournalLimits } from '../journal/journal.js';
import type { JournalEntry, NewJournalEntry } from '../journal/journal-entry.js';
import type { BaseAt, Head, Seen, SeenNotes, Tail } from '../store.js';
import { History, type Mark } from './history.js';
import { type Present, readingsIn, type Step } from './present.js';
import { advanceAll, type Change, type State } from './state.js';

export type SandboxTail = Tail<State, readonly Change[], NewJournalEntry>;

/** Observer of a sandbox, for changes by this process or others. */
export interface Hearing {
  answered(sandbox: Sandbox, entry: JournalEntry): void;
  /** Its log has new entries. */
  changed(sandbox: Sandbox): void;
  /** It was reset; its journal is cleared next. */
  reset(sandbox: Sandbox): void;
}

interface SandboxParts {
  readonly name: string;
  readonly state: State;
  readonly head: Head;
  /** The server's readings, below all others. */
  readonly server: ServerReadings;
  readonly limits: JournalLimits;
  /** Idle time limit in milliseconds. */
  readonly ttl: number;
  readonly usedAt: number;
  readonly hearing?: Hearing | undefined;
}

export class Sandbox implements Present {
  readonly name: string;
  readonly journal: Journal;
  readonly server: ServerReadings;
  readonly ttl: number;
  /** Time of the last use, by the machine's clock in milliseconds. */
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

  /** How much of its log and notes is known here. */
  get seen(): Seen & { readonly notes: SeenNotes } {
    const { log, version, id } = this.#head;
    return { log, version, id, notes: this.journal.seen };
  }

  /** Its states by version, as far back as its log. */
  get history(): History {
    return this.#history;
  }

  /** Readings for requests that choose none: the sandbox's own over the scenario's over the server's. */
  get readings(): Readings {
    return this.#readings;
  }

  /** The version to compact its log to, if it is too long. */
  get excess(): Mark | undefined {
    return this.#history.excess;
  }

  /** Applies a decided and appended version; `head`: the new head. */
  settle(changes: readonly Change[], state: State, head: Head): void {
    this.#advance(changes, state);
    this.#at(head);
  }

  /** The same for several versions. */
  settleAll(steps: readonly Step[], head: Head): void {
    for (const { changes, state } of steps) this.#advance(changes, state);
    this.#at(head);
  }

  /** Adds the entry with the next id to its journal. */
  keep(entry: JournalEntry): void {
    this.journal.keep(entry);
    this.#hearing?.answered(this, entry);
  }

  /** Adds entries with ids from `first` in a run. If unknown entries of others came before, they are read with these. */
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

  /** Applies new parts of its log. With a base, the known state is obsolete. `withNotes`: notes were requested. */
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
    this.journal.begin(0); // its entries may differ too
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
