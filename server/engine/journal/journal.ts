// What a sandbox was asked and what it answered, with what decided it: a ring bounded by entries and by bytes. No secret ever enters it.

import type { Forget, Notes, SeenNotes } from '../store.js';
import { type JournalEntry, type NewJournalEntry, weighEntry } from './journal-entry.js';
import { type JournalFilter, matches } from './journal-filter.js';
import { Ring, type RingLimits } from './ring.js';

/** The requests that named no sandbox while others were in use. */
export interface Leaks {
  /** How many there were. */
  readonly count: number;
  /** The ids of those that are kept. */
  readonly entries: readonly number[];
}

export type JournalLimits = RingLimits;

/** One count of entries, from 1. */
interface Run {
  /** The version of the sandbox at which it began; no other run of this sandbox has the same. */
  readonly from: number;
  lastId: number;
}

export class Journal {
  readonly #entries: Ring<JournalEntry>;
  #run: Run = { from: 0, lastId: 0 };
  #runBefore: Run | undefined;
  #cleared = 0;
  #leaked = 0;
  /** The id up to which others have been told that entries are evicted. */
  #forgotten = 0;
  /** Bytes of entries that were passed over. */
  #skipped = 0;

  constructor(private readonly limits: JournalLimits) {
    this.#entries = new Ring(limits);
  }

  /** How many entries were let go to keep within the bounds. */
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

  /** The count that entries have now. A reset begins another. */
  get run(): Readonly<Run> {
    return this.#run;
  }

  /** The latest entry that is kept. */
  get last(): JournalEntry | undefined {
    return this.#entries.last;
  }

  /** How far it is known. */
  get seen(): SeenNotes {
    return { run: this.#run.from, last: this.#run.lastId };
  }

  /** Whether entries that others keep are due to be learnt, to know how much of them may be kept. */
  get isFarBehind(): boolean {
    return this.#skipped > this.limits.bytes / 8;
  }

  /** Where `last` is the latest id that there is: what may be forgotten by who keeps entries for this journal too, where it is time to say so. */
  forgettable(last: number): Forget | undefined {
    const upTo = Math.max(this.lastId - this.size, last - this.limits.entries);
    if (upTo - this.#forgotten <= this.limits.entries / 4 + 16) return undefined;
    this.#forgotten = upTo;
    return { run: this.#run.from, upTo };
  }

  /** What may be forgotten when all entries are cleared away. */
  get all(): Forget {
    const { from: run, lastId } = this.#run;
    return { run, upTo: lastId - this.size, cleared: lastId };
  }

  /** Passes over an entry that is kept by others, and stands after some that are not known here. */
  skip(entry: JournalEntry): void {
    this.#skipped += weighEntry(entry);
  }

  add(added: NewJournalEntry): JournalEntry {
    return this.keep(Object.assign({ id: 0 }, added, { id: this.lastId + 1 })); // it may have been given another before others were faster
  }

  /** Takes in what others know of it, and returns the entries that are new here. What is older than what is known here changes nothing. */
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

  /** Takes in an entry that has the next id. */
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

  /** The entry of an id, where it is kept. */
  entry(id: number): JournalEntry | undefined {
    return this.#entries.at(id - (this.#entries.at(0)?.id ?? 0));
  }

  /** The id of the latest entry, whether or not it is kept; 0 where there was none. */
  get lastId(): number {
    return this.#run.lastId;
  }

  /** What came after an entry of the run that began at a version, as far as it is kept, and how many are not; `null` where nobody knows any more. */
  after(run: number, id: number): { readonly entries: readonly JournalEntry[]; readonly lost: number | null } {
    if (run === this.#run.from) {
      const entries = this.entries({ since: id });
      return { entries, lost: Math.max(0, this.#run.lastId - id - entries.length) };
    }
    const before = this.#runBefore?.from === run ? this.#runBefore : undefined;
    const lost = before && Math.max(0, before.lastId - id) + this.#run.lastId - this.size;
    return { entries: this.entries(), lost: lost ?? null };
  }

  /** Forgets all entries and leaks; ids go on. */
  clear(): void {
    this.#cleared += this.size;
    this.#leaked = 0;
    this.#entries.clear();
  }

  /** Lets the older half of its entries go. */
  shorten(): void {
    for (let left = Math.ceil(this.size / 2); left > 0; left -= 1) this.#entries.shift();
  }

  /** Begins anew at a version, as if there had never been an entry. */
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
