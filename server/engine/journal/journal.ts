// The journal of a sandbox: a ring limited by entries and bytes, without secrets.

import { type JournalEntry, weighEntry } from './journal-entry.js';
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

export interface JournalCounts {
  /** The version at which the run began. */
  readonly run: number;
  readonly lastId: number;
  /** The latest id when it was cleared. */
  readonly cleared: number;
}

export class Journal {
  readonly #entries: Ring<JournalEntry>;
  #run: Run = { from: 0, lastId: 0 };
  #runBefore: Run | undefined;
  /** The latest id when it was cleared. */
  #cleared = 0;
  #leaked = 0;

  constructor(private readonly limits: JournalLimits) {
    this.#entries = new Ring(limits);
  }

  /** Number of entries discarded to stay within the limits, since it was cleared. */
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

  /** The record of the oldest entry that is kept. */
  get firstRecord(): number | undefined {
    return this.#entries.firstMark;
  }

  /** The latest entry that is kept. */
  get last(): JournalEntry | undefined {
    return this.#entries.last;
  }

  /** Adds an entry; without the body of its response if that would displace most others. `record`: its number in the log. */
  add(entry: JournalEntry, record = 0): void {
    this.#run.lastId = entry.id;
    if (entry.leaked) this.#leaked += 1;
    const bytes = weighEntry(entry);
    const isLarge = bytes > this.limits.bytes / 4;
    const kept = isLarge ? { ...entry, response: { status: entry.response.status } } : entry;
    this.#entries.push(kept, isLarge ? weighEntry(kept) : bytes, record);
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
    this.#cleared = this.lastId;
    this.#leaked = 0;
    this.#entries.clear();
  }

  /** Discards the older half of the entries. */
  shorten(): void {
    for (let left = Math.ceil(this.size / 2); left > 0; left -= 1) this.#entries.shift();
  }

  /** Begins a new run at a version. */
  begin(version: number): void {
    this.#runBefore = this.#run;
    this.restore({ run: version, lastId: 0, cleared: 0 });
  }

  /** Its counts, without its entries. */
  get counts(): JournalCounts {
    return { run: this.#run.from, lastId: this.lastId, cleared: this.#cleared };
  }

  /** Replaces it by an empty one with these counts. */
  restore({ run, lastId, cleared }: JournalCounts): void {
    this.#entries.clear();
    this.#leaked = 0;
    this.#cleared = cleared;
    this.#run = { from: run, lastId };
  }
}
