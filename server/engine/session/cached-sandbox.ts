// One sandbox in memory: its latest state, the head of its log, its readings, its journal. It is updated by others, and neither decides nor uses the
// store.
import type { Readings } from '../../operations/gaps/gaps.js';
import type { ServerReadings } from '../../operations/gaps/profiles.js';
import { Journal, type JournalLimits } from '../journal/journal.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { History } from '../sandbox/history.js';
import { type CurrentSandbox, readingsIn } from '../sandbox/sandbox-decision.js';
import { advanceAll, type Change, type Checkpoint, type SandboxRecord, type State } from '../sandbox/state.js';
import type { Cut, Head, Store, Tail } from '../store.js';

export type SandboxStore = Store<Checkpoint, SandboxRecord>;
export type SandboxTail = Tail<Checkpoint, SandboxRecord>;

/** Observer of a sandbox, for changes by this process or others. */
export interface SandboxObserver {
  /** Its log has a new record, perhaps with an entry. */
  changed(sandbox: CachedSandbox, entry?: JournalEntry): void;
  /** It was reset; its journal is cleared next. */
  reset(sandbox: CachedSandbox): void;
}

interface SandboxParts {
  readonly name: string;
  /** The state at `head.base`. */
  readonly base: Checkpoint;
  readonly head: Head;
  /** The server's readings, below all others. */
  readonly server: ServerReadings;
  readonly limits: JournalLimits;
  /** Idle time limit in milliseconds. */
  readonly ttl: number;
  readonly usedAt: number;
  readonly observer?: SandboxObserver | undefined;
}

/** Maximum records without entries that the log keeps for the journal. */
const MAX_BARE = 4096;

export class CachedSandbox implements CurrentSandbox {
  readonly name: string;
  readonly journal: Journal;
  readonly server: ServerReadings;
  readonly ttl: number;
  /** Time of the last use, by the machine's clock in milliseconds. */
  usedAt: number;
  /** Changed only by its own methods, like the next three. */
  state: State;
  /** Its log up to here is known. */
  head: Head;
  /** Readings for requests that choose none: the sandbox's own over the scenario's over the server's. */
  readings: Readings;
  /** Its states by version, as far back as its log. */
  history: History;
  readonly #limits: JournalLimits;
  readonly #observer: SandboxObserver | undefined;

  constructor({ name, base, head, server, limits, ttl, usedAt, observer }: SandboxParts) {
    this.name = name;
    this.journal = new Journal(limits);
    this.server = server;
    this.ttl = ttl;
    this.usedAt = usedAt;
    this.#limits = limits;
    this.#observer = observer;
    this.state = base.state;
    this.head = head;
    this.readings = readingsIn(base.state, server);
    this.history = new History(base);
    this.journal.restore(base);
  }

  get key(): string {
    return this.head.log;
  }

  get version(): number {
    return this.history.to;
  }

  /** Adds a decided and appended record, with the state after it; `head`: the new head. */
  append(record: SandboxRecord, after: State, head: Head): void {
    this.head = head;
    this.#add(record, head.last, after);
    this.#observer?.changed(this, record.entry);
  }

  /** Applies new parts of its log. With a base, the known state is obsolete. */
  catchUp({ base, records, head }: SandboxTail): void {
    const { last, id } = this.head;
    if (base !== undefined) this.#begin(base);
    const known = base === undefined ? last : head.from;
    if (base === undefined && head.last < last) return; // from a read before a later append
    const first = head.last - records.length + 1;
    this.head = head;
    for (const [i, { changes, ...record }] of records.entries()) {
      const number = first + i;
      const isIncluded = base !== undefined && number <= head.base;
      if (number <= known) continue;
      this.#add(isIncluded || changes === undefined ? record : { ...record, changes }, number);
      if (base === undefined) this.#observer?.changed(this, record.entry);
    }
    this.history.begin(head.base);
    if (base !== undefined || (records.length === 0 && head.id !== id)) this.#observer?.changed(this);
  }

  /** The part of its log that is no longer needed, if it is worth the effort. */
  get surplus(): Cut<Checkpoint> | undefined {
    const { from, last } = this.head;
    const beginning = this.history.excess(last);
    const at = beginning?.record ?? (this.history.firstRecord ?? last + 1) - 1;
    const oldest = Math.max((this.journal.firstRecord ?? at + 1) - 1, last - this.#limits.entries - MAX_BARE);
    const needless = Math.min(at, oldest);
    if (beginning === undefined)
      return needless - from > this.#limits.entries / 4 + 16 ? { from: needless } : undefined;
    const { version, state, lastId = this.journal.lastId } = beginning;
    return { from: Math.max(from, needless), base: { at, value: { version, state, ...this.journal.counts, lastId } } };
  }

  /** Its log begins later than before. */
  compacted(head: Head): void {
    this.head = head;
    this.history.begin(head.base);
  }

  #begin(base: Checkpoint): void {
    this.state = base.state;
    this.history = new History(base);
    this.readings = readingsIn(base.state, this.server);
    this.journal.restore(base);
  }

  /** `after`: the state after it, if it is known. */
  #add({ changes, isClearing, entry }: SandboxRecord, number: number, after?: State): void {
    if (changes !== undefined) this.#advance(changes, number, after);
    if (isClearing) this.journal.clear();
    if (entry !== undefined) this.journal.add(entry, number);
  }

  #advance(changes: readonly Change[], number: number, after?: State): void {
    const before = this.state;
    this.state = after ?? advanceAll(before, changes, this.history);
    this.history.add(changes, this.state, number, this.journal.lastId);
    if (this.state.readings !== before.readings) this.readings = readingsIn(this.state, this.server);
    if (!changes.some(isReset)) return;
    this.#observer?.reset(this);
    this.journal.begin(this.version);
  }
}

export function isReset({ type }: Change): boolean {
  return type === 'sandbox-reset';
}
