// The journal of a sandbox: a ring limited by entries and bytes, without secrets.

import type { Forget, Notes, SeenNotes } from '../store.js';
import { type JournalEntry, type NewJournalEntry, weighEntry } from './journal-entry.js';
import { type JournalFilter, matches } from './journal-filter.js';
import { Ring, type RingLimits } from './ring.js';

/** Requests that named no sandbox while others were in use. */
interface Leaks {
  /** Their number. */
  readonly count: number;
  /** Ids of those that are kept. */
  readonly entries: readonly number[];
}

export type JournalLimits = RingLimits;

/** One numbering of entries, from 1. */
interface Run {
  /** The sandbox's version at its beginning; it identifies the run. */
  readonly from: number;
  lastId: number;
}

export class Journal {
  readonly #entries: Ring<JournalEntry>;
  #run: Run = { from: 0, lastId: 0 };
  #runBefore: Run | undefined;
  #cleared = 0;
  #leaked = 0;
  /** The id up to which other processes know of evictions. */
  #forgotten = 0;
  /** Bytes of skipped entries. */
  #skipped = 0;

  constructor(private readonly limits: JournalLimits) {
    this.#entries = new Ring(limits);
  }

  /** Number of entries discarded to stay within the limits. */
  get evicted(): number {
    return this.#run.lastId - this.size - this.#cleared;
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#entries.bytes;
  }

  get leaks(): Leaks {
    const kept = this.#leaked === 0 ? [] : this.entries().filter(({ leaked }) => leaked);
    return { count: this.#leaked, entries: kept.map(({ id }) => id) };
  }

  /** The current run. A reset begins another. */
  get run(): Readonly<Run> {
    return this.#run;
  }

  /** The latest entry that is kept. */
  get last(): JournalEntry | undefined {
    return this.#entries.last;
  }

  /** How much of the notes is known here. */
  get seen(): SeenNotes {
    return { run: this.#run.from, last: this.#run.lastId };
  }

  /** Whether to read the entries of other processes, to know how many may be kept. */
  get isFarBehind(): boolean {
    return this.#skipped > this.limits.bytes / 8;
  }

  /** What may be forgotten in the store, if it is time for that; `last`: the latest id. */
  forgettable(last: number): Forget | undefined {
    const upTo = Math.max(this.lastId - this.size, last - this.limits.entries);
    if (upTo - this.#forgotten <= this.limits.entries / 4 + 16) return undefined;
    this.#forgotten = upTo;
    return { run: this.#run.from, upTo };
  }

  /** What may be forgotten when the journal is cleared. */
  get all(): Forget {
    const { from: run, lastId } = this.#run;
    return { run, upTo: lastId - this.size, cleared: lastId };
  }

  /** Skips an entry that another process keeps, after some that are unknown here. */
  skip(entry: JournalEntry): void {
    this.#skipped += weighEntry(entry);
  }

  add(added: NewJournalEntry): JournalEntry {
    return this.keep(Object.assign({ id: 0 }, added, { id: this.lastId + 1 })); // it may have had another id before another process was faster
  }

  /** Adds what other processes know, and returns the new entries. Older news changes nothing. */
  take({ run, last, forgotten, cleared, latest }: Notes<NewJournalEntry>): readonly JournalEntry[] {
    if (run < this.#run.from) return [];
    this.#skipped = 0;
    if (run > this.#run.from) this.begin(run);
    const first = last - latest.length + 1;
    if (first > this.lastId + 1) {
      this.#entries.clear();
      this.#run.lastId = first - 1;
    }
    while ((this.#entries.at(0)?.id ?? forgotten + 1) <= forgotten) this.#entries.shift();
    if (cleared > this.#cleared) {
      this.#cleared = cleared;
      this.#leaked = this.entries().filter(({ leaked }) => leaked).length;
    }
    return latest.slice(this.lastId + 1 - first).map(note => this.add(note));
  }

  /** Adds an entry with the next id. */
  keep(entry: JournalEntry): JournalEntry {
    this.#run.lastId = entry.id;
    if (entry.leaked) this.#leaked += 1;
    this.#entries.push(entry, weighEntry(entry));
    return entry;
  }

  entries(filter: JournalFilter = {}): JournalEntry[] {
    const found = this.#entries.all().filter(entry => matches(entry, filter));
    return filter.limit === undefined ? found : found.slice(Math.max(0, found.length - filter.limit));
  }

  /** The entry of an id, if kept. */
  entry(id: number): JournalEntry | undefined {
    return this.#entries.at(id - (this.#entries.at(0)?.id ?? 0));
  }

  /** The id of the latest entry, kept or not; 0 if there was none. */
  get lastId(): number {
    return this.#run.lastId;
  }

  /** The kept entries after an entry of a run, and the number of discarded ones; `null` if unknown. */
  after(run: number, id: number): { readonly entries: readonly JournalEntry[]; readonly lost: number | null } {
    if (run === this.#run.from) {
      const entries = this.entries({ since: id });
      return { entries, lost: Math.max(0, this.#run.lastId - id - entries.length) };
    }
    const before = this.#runBefore?.from === run ? this.#runBefore : undefined;
    const lost = before && Math.max(0, before.lastId - id) + this.#run.lastId - this.size;
    return { entries: this.entries(), lost: lost ?? null };
  }

  /** Forgets all entries and leaks; ids continue. */
  clear(): void {
    this.#cleared += this.size;
    this.#leaked = 0;
    this.#entries.clear();
  }

  /** Discards the older half of the entries. */
  shorten(): void {
    for (let left = Math.ceil(this.size / 2); left > 0; left -= 1) this.#entries.shift();
  }

  /** Begins a new run at a version. */
  begin(version: number): void {
    this.#entries.clear();
    this.#leaked = 0;
    this.#cleared = 0;
    this.#forgotten = 0;
    this.#skipped = 0;
    this.#runBefore = this.#run;
    this.#run = { from: version, lastId: 0 };
  }
}
