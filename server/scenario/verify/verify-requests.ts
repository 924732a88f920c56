// Whether a sandbox was asked what somebody wishes, as often or in the order that they wish, and where it was not, what came nearest.
// Knows a journal, and neither HTTP nor the errors of the library.
import { ANONYMOUS } from '../../domain/world.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { urlWithin } from '../../engine/journal/replay-entry.js';
import { inPieces } from '../../engine/pieces.js';
import type { Sandbox } from '../../engine/sandbox/cached-sandbox.js';
import { Budget } from '../format/budget.js';
import { shown } from '../play/shown.js';
import { type EntryDifference, entryDifferences, fitOf, isWished, leavesOf } from './match-request.js';
import type { Callers, CountedRequest, RequestDescription, RequestPattern, Times } from './request-pattern.js';

/** An entry that came near, and each way in which it is another request. */
export interface NearEntry {
  readonly entry: number;
  /** `POST /rest/cwx-ppf/latest/push`. */
  readonly asked: string;
  readonly differences: readonly EntryDifference[];
}

export interface Verified {
  /** How many requests were as wished; of an order, how many of its requests were asked one after the other. */
  readonly count: number;
  /** Their ids. */
  readonly entries: readonly number[];
  /** How many entries had been let go: the count may be too low by as many. Absent where there were none. */
  readonly evicted?: number;
}

export interface Unverified extends Verified {
  readonly wanted: RequestPattern;
  /** What was wished, and what there is, in a sentence. */
  readonly says: string;
  /** At most three, the nearest first. None where there are too many requests as wished. */
  readonly nearest: readonly NearEntry[];
}

/** `holds` tells the two apart. */
export type Verdict = ({ readonly holds: true } & Verified) | ({ readonly holds: false } & Unverified);

/** Everybody whom a wish can name as the caller: who is in the world, or has asked. */
export function callersIn({ state: { world }, journal }: Sandbox): Callers {
  const asked = () => journal.entries().flatMap(({ caller }) => caller ?? []);
  return {
    has: name => name === ANONYMOUS || world.users.has(name) || asked().includes(name),
    *names() {
      yield ANONYMOUS;
      yield* world.users.keys();
      yield* asked();
    },
  };
}

/** The wish has no flaws. Looks at one entry after the other and lets others in. Rejects with `BudgetExceeded` where that takes too much work. */
export function verify({ journal }: Sandbox, wish: RequestPattern): Promise<Verdict> {
  const evicted = journal.evicted === 0 ? {} : { evicted: journal.evicted };
  const judging = new Judging(journal.entries(), evicted);
  return inPieces('inOrder' in wish ? judging.order(wish.inOrder, wish) : judging.count(wish));
}

/** A wish held against the entries that a journal has when it begins. Yields after each entry. */
class Judging {
  readonly #budget = new Budget();

  constructor(
    private readonly entries: readonly JournalEntry[],
    private readonly evicted: { readonly evicted?: number },
  ) {}

  *count(wish: CountedRequest): Generator<unknown, Verdict> {
    const { times: given, ...request } = wish;
    const times = typeof given === 'number' ? { exactly: given } : given;
    const found: JournalEntry[] = [];
    for (const entry of this.entries) if (yield* this.#fits(request, entry)) found.push(entry);
    const verified = this.#verified(found);
    const { exactly, atLeast = exactly ?? (times === undefined ? 1 : 0), atMost = exactly } = times ?? {};
    const isTooMany = atMost !== undefined && found.length > atMost;
    if (!isTooMany && found.length >= atLeast) return { holds: true, ...verified };
    const says = `${requestText(request)} was asked ${timesText(found.length)}, and should have been asked ${wantedText(times)}`;
    const counted = new Set(found);
    const others = this.entries.filter(entry => !counted.has(entry));
    const nearest = isTooMany ? [] : yield* this.#nearest(request, others);
    return { holds: false, ...verified, wanted: wish, says, nearest };
  }

  *order(wished: readonly RequestDescription[], wanted: RequestPattern): Generator<unknown, Verdict> {
    const found: JournalEntry[] = [];
    let from = 0;
    for (const [i, request] of wished.entries()) {
      const next = yield* this.#first(request, from, this.entries.length);
      if (next === undefined) {
        const earlier = yield* this.#first(request, 0, from);
        const after = found.at(-1);
        const says = `${requestText(request)}, number ${i + 1} of ${wished.length}, was not asked${after === undefined ? '' : ` after entry ${after.id}`}${earlier === undefined ? '' : `, but before, as entry ${this.entries[earlier]?.id}`}`;
        const nearest = yield* this.#nearest(request, this.entries.slice(from));
        return { holds: false, ...this.#verified(found), wanted, says, nearest };
      }
      found.push(...this.entries.slice(next, next + 1));
      from = next + 1;
    }
    return { holds: true, ...this.#verified(found) };
  }

  *#fits(wish: RequestDescription, entry: JournalEntry): Generator<unknown, boolean> {
    const isAsWished = this.#budget.piece(() => isWished(wish, entry));
    yield;
    return isAsWished;
  }

  /** The place of the first of some entries that is as wished. */
  *#first(wish: RequestDescription, from: number, to: number): Generator<unknown, number | undefined> {
    for (let i = from; i < to; i += 1) {
      const entry = this.entries[i];
      if (entry !== undefined && (yield* this.#fits(wish, entry))) return i;
    }
    return undefined;
  }

  /** The entries of which the most fits, the latest first among equals. */
  *#nearest(wish: RequestDescription, entries: readonly JournalEntry[]): Generator<unknown, NearEntry[]> {
    const leaves = leavesOf(wish);
    let near: Array<{ entry: JournalEntry; differences: EntryDifference[]; fit: number }> = [];
    for (const entry of entries) {
      const differences = this.#budget.piece(() => entryDifferences(wish, entry));
      const fit = fitOf(leaves, differences);
      if (fit > 0) near.push({ entry, differences, fit });
      if (near.length > MOST_NEAR)
        near = near.sort((a, b) => b.fit - a.fit || b.entry.id - a.entry.id).slice(0, MOST_NEAR);
      yield;
    }
    return near
      .sort((a, b) => b.fit - a.fit || b.entry.id - a.entry.id)
      .map(({ entry, differences }) => ({
        entry: entry.id,
        asked: `${entry.method} ${urlWithin(entry)}`,
        differences,
      }));
  }

  #verified(found: readonly JournalEntry[]): Verified {
    return { count: found.length, entries: found.map(({ id }) => id), ...this.evicted };
  }
}

const MOST_NEAR = 3;

/** What is wrong, in lines: the sentence, the nearest entries with how they differ, and what may be missing. */
export function verdictLines({ nearest, evicted, entries, says }: Unverified): string[] {
  const near = nearest.flatMap(({ entry, asked, differences }) =>
    differences.map(({ at, says: how }) => `Entry ${entry}, ${asked}: ${at} ${how}.`),
  );
  return [
    `${says}.`,
    ...(entries.length === 0 ? [] : [fittingText(entries)]),
    ...near,
    ...(evicted === undefined ? [] : [evictedText(evicted)]),
  ];
}

const MOST_LISTED = 10;

function fittingText(entries: readonly number[]): string {
  const more = entries.length > MOST_LISTED ? ` and ${entries.length - MOST_LISTED} more` : '';
  const [noun, verb] = entries.length === 1 ? ['Entry', 'is'] : ['Entries', 'are'];
  return `${noun} ${entries.slice(0, MOST_LISTED).join(', ')}${more} ${verb} as wished.`;
}

function evictedText(evicted: number): string {
  return `${evicted} earlier ${evicted === 1 ? 'entry has' : 'entries have'} been let go, so the count may be too low: --journal keeps more.`;
}

/** `ppf.push by admin with the body {…}`; of nothing in particular `a request`. */
function requestText({ operation, method, path, query, caller, status, body }: RequestDescription): string {
  const what = operation ?? ([method, path].filter(part => part !== undefined).join(' ') || 'a request');
  return [
    what,
    ...(operation !== undefined && method !== undefined ? [`by ${method}`] : []),
    ...(operation !== undefined && path !== undefined ? [`at ${path}`] : []),
    ...(query === undefined ? [] : [`with the query ${shown(query)}`]),
    ...(caller === undefined ? [] : [`from ${caller}`]),
    ...(body === undefined ? [] : [`with the body ${shown(body)}`]),
    ...(status === undefined ? [] : [`answered ${status}`]),
  ].join(' ');
}

function wantedText({ exactly, atLeast, atMost }: Times = { atLeast: 1 }): string {
  if (exactly !== undefined) return timesText(exactly);
  const least = atLeast === undefined ? [] : [`at least ${timesText(atLeast)}`];
  const most = atMost === undefined ? [] : [`at most ${timesText(atMost)}`];
  return [...least, ...most].join(' and ');
}

function timesText(count: number): string {
  return count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`;
}
