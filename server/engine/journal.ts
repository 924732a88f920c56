// What a sandbox was asked and what it answered, with what decided it: a ring bounded by entries and by bytes. No secret ever enters it.
import { randomBytes } from 'node:crypto';
import type { Fact } from '../domain/facts.js';
import type { RefusalCode } from '../domain/refusals.js';
import type { GapId } from '../operations/gaps.js';
import type { Body } from './request.js';
import { weighFacts } from './weight.js';

/** A body of which there is no text, or whose text is no JSON: what it is instead. */
export type Unread =
  | Exclude<Body, { readonly kind: 'absent' | 'json' | 'not-json' }>
  | { readonly kind: 'not-json'; readonly problem: string };

export interface JournalEntry {
  /** Counts from 1 in each sandbox and goes on over evictions. */
  readonly id: number;
  /** The sandbox's time. */
  readonly at: string;
  /** The `X-Request-Id` that the request brought. Where it brought none, its answer is named after the sandbox and the entry: `default.17`. */
  readonly requestId?: string | undefined;
  readonly method: string;
  /** Path and query as they were sent, but for values that may be secret: of `os_password=x` it has `os_password=hidden`. */
  readonly url: string;
  /** Absent where the request meant none. */
  readonly operation?: string | undefined;
  /** The path of the endpoint that it led to, below its prefix, and the parameters in it. Absent where there is nothing at the path. */
  readonly endpoint?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** A user name, or `anonymous`; absent where that was never asked. */
  readonly caller?: string | undefined;
  /** Who showed credentials where nobody asked for them. */
  readonly unasked?: string | undefined;
  /** Why credentials that were shown proved nothing. */
  readonly unproved?: string | undefined;
  /** The readings chosen for this request alone, as they were written. */
  readonly readings?: string | undefined;
  /** Query parameters that the operation does not have, and those that came more than once: of these the first counted. */
  readonly unknownQuery?: readonly string[] | undefined;
  readonly repeatedQuery?: readonly string[] | undefined;
  /** What `expand` asked for. */
  readonly expand?: readonly string[] | undefined;
  readonly request: {
    readonly contentType: string;
    readonly body?: string | undefined;
    readonly unread?: Unread | undefined;
  };
  /** Where a fault broke the connection: what would have been sent. */
  readonly answer: { readonly status: number; readonly body?: string | undefined };
  readonly refused?: RefusalCode | undefined;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  readonly facts: readonly Fact[];
  /** The fault that was put in the place of the answer: its place among the armed ones, from 1, and what it does. */
  readonly fault?: string | undefined;
  /** The version of the sandbox on which the answer was decided. */
  readonly before: number;
  /** The version of the sandbox afterwards. */
  readonly version: number;
  /** It named no sandbox while another than `default` was in use. */
  readonly leaked?: true | undefined;
}

export interface JournalFilter {
  readonly operation?: string;
  readonly status?: number;
  readonly rule?: string;
  readonly gap?: string;
  /** A user name, or `anonymous`. */
  readonly caller?: string;
  /** Whether a fault was put in the place of the answer. */
  readonly fault?: boolean;
  /** Whether it meant no operation. */
  readonly unmatched?: boolean;
  /** Only entries with a higher id. */
  readonly since?: number;
  /** Of those that are left, only so many, the latest. */
  readonly limit?: number;
}

/** The requests that named no sandbox while others were in use. */
export interface Leaks {
  /** How many there were. */
  readonly count: number;
  /** The ids of those that are kept. */
  readonly entries: readonly number[];
}

export interface JournalLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** What an entry costs besides its texts and facts, roughly. */
const ENTRY_BYTES = 600;

/** Tells the journals of this process from those of others. */
const OWN = randomBytes(4).toString('hex');
let runs = 0;

/** One count of entries, from 1. */
interface Run {
  /** No other run of any journal has the same. */
  readonly name: string;
  lastId: number;
}

export class Journal {
  #entries: JournalEntry[] = [];
  #sizes: number[] = [];
  /** Entries before this place have been evicted and wait to be cut off. */
  #first = 0;
  #bytes = 0;
  #run = newRun();
  #runBefore: Run | undefined;
  #evicted = 0;
  #leaked = 0;

  constructor(private readonly limits: JournalLimits) {}

  get evicted(): number {
    return this.#evicted;
  }

  get size(): number {
    return this.#entries.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
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
    return this.size > 0 ? this.#entries.at(-1) : undefined;
  }

  add(added: Omit<JournalEntry, 'id'>): JournalEntry {
    this.#run.lastId += 1;
    const size = weigh(added);
    if (added.leaked) this.#leaked += 1;
    const entry = { id: this.#run.lastId, ...added };
    this.#entries.push(entry);
    this.#sizes.push(size);
    this.#bytes += size;
    while (this.size > 0 && (this.size > this.limits.entries || this.#bytes > this.limits.bytes)) this.#evict();
    if (this.#first > this.limits.entries / 4 + 16) this.#cutOff();
    return entry;
  }

  entries(filter: JournalFilter = {}): JournalEntry[] {
    const found = this.#entries.slice(this.#first).filter(entry => matches(entry, filter));
    return filter.limit === undefined ? found : found.slice(Math.max(0, found.length - filter.limit));
  }

  /** The entry of an id, where it is kept. */
  entry(id: number): JournalEntry | undefined {
    const [first] = this.#entries;
    const entry = first === undefined ? undefined : this.#entries[id - first.id];
    return entry !== undefined && id - (first?.id ?? 0) >= this.#first ? entry : undefined;
  }

  /** The id of the latest entry, whether or not it is kept; 0 where there was none. */
  get lastId(): number {
    return this.#run.lastId;
  }

  /** What came after an entry of a run, as far as it is kept, and how many are not; `null` where nobody knows any more. */
  after(run: string, id: number): { readonly entries: readonly JournalEntry[]; readonly lost: number | null } {
    if (run === this.#run.name) {
      const entries = this.entries({ since: id });
      return { entries, lost: Math.max(0, this.#run.lastId - id - entries.length) };
    }
    const before = this.#runBefore?.name === run ? this.#runBefore : undefined;
    const lost = before && Math.max(0, before.lastId - id) + this.#run.lastId - this.size;
    return { entries: this.entries(), lost: lost ?? null };
  }

  /** Forgets all entries and leaks; ids go on. */
  clear(): void {
    this.#leaked = 0;
    this.#entries = [];
    this.#sizes = [];
    this.#first = 0;
    this.#bytes = 0;
  }

  /** As if there had never been an entry. */
  reset(): void {
    this.clear();
    this.#runBefore = this.#run;
    this.#run = newRun();
    this.#evicted = 0;
  }

  #evict(): void {
    this.#bytes -= this.#sizes[this.#first] ?? 0;
    this.#first += 1;
    this.#evicted += 1;
  }

  #cutOff(): void {
    this.#entries = this.#entries.slice(this.#first);
    this.#sizes = this.#sizes.slice(this.#first);
    this.#first = 0;
  }
}

function newRun(): Run {
  runs += 1;
  return { name: `${OWN}-${runs}`, lastId: 0 };
}

function matches(entry: JournalEntry, filter: JournalFilter): boolean {
  const { operation, status, rule, gap, caller, fault, unmatched, since } = filter;
  return (
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || entry.answer.status === status) &&
    (rule === undefined || entry.rules.includes(rule)) &&
    (gap === undefined || Object.hasOwn(entry.gaps, gap)) &&
    (caller === undefined || entry.caller === caller) &&
    (fault === undefined || (entry.fault !== undefined) === fault) &&
    (unmatched === undefined || isUnmatched(entry) === unmatched) &&
    (since === undefined || entry.id > since)
  );
}

function isUnmatched({ operation, refused }: JournalEntry): boolean {
  return operation === undefined && refused !== undefined; // else it asked for the methods of one
}

/** Roughly the bytes that an entry keeps in memory. */
function weigh(entry: Omit<JournalEntry, 'id'>): number {
  const texts = entry.url.length + (entry.request.body?.length ?? 0) + (entry.answer.body?.length ?? 0);
  return ENTRY_BYTES + texts + weighFacts(entry.facts);
}
