// The journal of a sandbox: its latest entries, limited in number and bytes, without secrets.

import { bytesOfFact } from '../../domain/facts.js';
import type { JournalEntry } from './journal-entry.js';
import { type JournalFilter, matcher } from './journal-filter.js';

/** Requests that named no sandbox while others were in use. */
interface Leaks {
  readonly count: number;
  /** Ids of those that are kept. */
  readonly entries: readonly number[];
}

export interface JournalLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** An entry, the bytes that it counts, and its number in the log. */
interface Kept {
  readonly entry: JournalEntry;
  readonly bytes: number;
  readonly record: number;
}

/** A run is one numbering of entries, from 1. */
export interface JournalCounts {
  /** The version at which the run began; it identifies the run. */
  readonly run: number;
  readonly lastId: number;
  /** The latest id when it was cleared. */
  readonly cleared: number;
}

/** Bytes that an entry counts besides its texts and facts. */
const ENTRY = 600;

/** Bytes that an entry counts: those of its request and its response, and its facts. */
export function bytesOfEntry({ url, request, response, facts }: JournalEntry): number {
  let bytes = ENTRY + url.length + (request.body?.length ?? 0) + (response.body?.length ?? 0);
  bytes += HEADERS * Math.ceil((lengthOf(request.headers) + lengthOf(response.headers)) / HEADERS);
  for (const fact of facts) bytes += bytesOfFact(fact);
  return bytes;
}

/** Bytes in which headers are counted: most entries share the texts of short ones. */
const HEADERS = 512;

function lengthOf(headers: Readonly<Record<string, string>> = {}): number {
  let length = 0;
  for (const name in headers) length += name.length + (headers[name]?.length ?? 0);
  return length;
}

export class Journal {
  /**
   * Each at the remainder of its id. `shift` leaves arrays behind that keep later entries from an early collection: what V8 has moved to its old generation holds
   * all that it refers to until everything is collected. Under load that costs a tenth of the speed.
   */
  #ring: Array<Kept | undefined> = [];
  #size = 0;
  /** Bytes that its entries count. Changed only here. */
  bytes = 0;
  #counts = { run: 0, lastId: 0, cleared: 0 };
  #before: JournalCounts | undefined;
  #leaked = 0;

  constructor(private readonly limits: JournalLimits) {}

  /** Number of entries discarded to stay within the limits, since it was cleared. */
  get evicted(): number {
    return this.lastId - this.size - this.#counts.cleared;
  }

  get size(): number {
    return this.#size;
  }

  get leaks(): Leaks {
    const kept = this.#leaked === 0 ? [] : this.entries().filter(({ leaked }) => leaked);
    return { count: this.#leaked, entries: kept.map(({ id }) => id) };
  }

  /** The record of the oldest entry that is kept. */
  get firstRecord(): number | undefined {
    return this.#kept(this.#firstId)?.record;
  }

  get last(): JournalEntry | undefined {
    return this.entry(this.lastId);
  }

  /** Adds an entry; without the body of its response if that would displace most others. `record`: its number in the log. */
  add(entry: JournalEntry, record = 0): void {
    this.#counts.lastId = entry.id;
    if (entry.leaked) this.#leaked += 1;
    const { entries, bytes: most } = this.limits;
    let [kept, bytes] = [entry, bytesOfEntry(entry)];
    if (bytes > most / 4) {
      const { body: _, ...response } = entry.response;
      kept = { ...entry, response };
      bytes = bytesOfEntry(kept);
    }
    this.#ring[this.#placeOf(entry.id)] = { entry: kept, bytes, record };
    this.#size += 1;
    this.bytes += bytes;
    while (this.size > 0 && (this.size > entries || this.bytes > most)) this.#discard();
  }

  entries(filter: JournalFilter = {}): JournalEntry[] {
    const isWanted = matcher(filter);
    const found = this.#from(0).filter(isWanted);
    return filter.limit === undefined ? found : found.slice(Math.max(0, found.length - filter.limit));
  }

  /** The entry of an id, if kept. */
  entry(id: number): JournalEntry | undefined {
    return this.#kept(id)?.entry;
  }

  /** The id of the latest entry, kept or not; 0 if there was none. */
  get lastId(): number {
    return this.#counts.lastId;
  }

  /** The kept entries after an entry of a run, and the number of discarded ones; `null` if unknown. */
  after(run: number, id: number): { readonly entries: readonly JournalEntry[]; readonly lost: number | null } {
    if (run === this.#counts.run) {
      const entries = this.#from(id + 1);
      return { entries, lost: Math.max(0, this.lastId - id - entries.length) };
    }
    const before = this.#before?.run === run ? this.#before : undefined;
    const lost = before && Math.max(0, before.lastId - id) + this.lastId - this.size;
    return { entries: this.entries(), lost: lost ?? null };
  }

  /** Forgets all entries and leaks; ids continue. */
  clear(): void {
    this.#counts.cleared = this.lastId;
    this.#empty();
  }

  begin(version: number): void {
    this.#before = this.counts;
    this.restore({ run: version, lastId: 0, cleared: 0 });
  }

  get counts(): JournalCounts {
    return { ...this.#counts };
  }

  /** Replaces it by an empty one with these counts. */
  restore({ run, lastId, cleared }: JournalCounts): void {
    this.#empty();
    this.#counts = { run, lastId, cleared };
  }

  #empty(): void {
    this.#ring = [];
    this.#size = 0;
    this.bytes = 0;
    this.#leaked = 0;
  }

  get #firstId(): number {
    return this.lastId - this.size + 1;
  }

  /** There is one place more than entries, for a new one. */
  #placeOf(id: number): number {
    return id % (this.limits.entries + 1);
  }

  #kept(id: number): Kept | undefined {
    const kept = this.#ring[this.#placeOf(id)];
    return kept?.entry.id === id ? kept : undefined;
  }

  /** The kept entries from an id on. */
  #from(id: number): JournalEntry[] {
    const entries: JournalEntry[] = [];
    for (let next = Math.max(id, this.#firstId); next <= this.lastId; next += 1) {
      const entry = this.entry(next);
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /** Discards the oldest entry. */
  #discard(): void {
    const place = this.#placeOf(this.#firstId);
    this.bytes -= this.#ring[place]?.bytes ?? 0;
    this.#ring[place] = undefined;
    this.#size -= 1;
  }
}
