// Checks whether a journal has the requests of a pattern, in the wanted number or order; if not, finds the nearest entries.
import * as Type from '@sinclair/typebox';
import { counted, fewOf } from '../../derive/text/counted.js';
import type { Shape } from '../../domain/json/shape.js';
import { ANONYMOUS } from '../../domain/world/world.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { urlWithin } from '../../engine/look-back/replay-entry.js';
import { Budget } from '../../engine/patterns/budget.js';
import { valueText } from '../../engine/patterns/value-text.js';
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import { inPieces } from '../../engine/time-slicing.js';
import { type EntryDifference, entryDifferences, fitOf, isMatch, leavesOf } from './match-request.js';
import type { Callers, CountedRequest, RequestDescription, RequestPattern, Times } from './request-pattern.js';

/** An entry that is similar to the pattern, with each difference. */
export interface NearEntry {
  readonly entry: number;
  /** `POST /rest/cwx-ppf/latest/push`. */
  readonly asked: string;
  readonly differences: readonly EntryDifference[];
}

/** @internal */
export const verifiedSchema = Type.Object(
  {
    count: Type.Integer({
      description: 'Number of matching requests. With inOrder: how many of its requests were found in order.',
    }),
    entries: Type.Array(Type.Integer(), { description: 'Ids of the matching entries.' }),
    evicted: Type.Optional(
      Type.Integer({
        description: 'Number of discarded entries; the count may be too low because of them. Absent if there are none.',
      }),
    ),
  },
  { title: 'Verified' },
);
export type Verified = Shape<typeof verifiedSchema>;

export interface Unverified extends Verified {
  readonly wanted: RequestPattern;
  /** What was expected and what was found, as a sentence. */
  readonly says: string;
  /** At most three, the nearest first. Empty if too many requests match. */
  readonly nearest: readonly NearEntry[];
}

export type RequestVerdict = ({ readonly passes: true } & Verified) | ({ readonly passes: false } & Unverified);

/** The names that a pattern can use as the caller: users of the world, and callers in the journal. */
export function callersIn({ state: { world }, journal }: CachedSandbox): Callers {
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

/**
 * `pattern` must be valid. Compares it with one entry at a time and lets other requests run in between. Rejects with `BudgetExceeded` if that takes
 * too much work.
 */
export function verifyRequests({ journal }: CachedSandbox, pattern: RequestPattern): Promise<RequestVerdict> {
  const evicted = journal.evicted === 0 ? {} : { evicted: journal.evicted };
  const judging = new Judging(journal.entries(), evicted);
  return inPieces('inOrder' in pattern ? judging.order(pattern.inOrder, pattern) : judging.count(pattern));
}

/** Compares a pattern with the entries that the journal has now. Yields after each entry. */
class Judging {
  readonly #budget = new Budget();

  constructor(
    private readonly entries: readonly JournalEntry[],
    private readonly evicted: { readonly evicted?: number },
  ) {}

  *count(pattern: CountedRequest): Generator<unknown, RequestVerdict> {
    const { times: given, ...request } = pattern;
    const times = typeof given === 'number' ? { exactly: given } : given;
    const found: JournalEntry[] = [];
    for (const entry of this.entries) if (yield* this.#fits(request, entry)) found.push(entry);
    const verified = this.#verified(found);
    const { exactly, atLeast = exactly ?? (times === undefined ? 1 : 0), atMost = exactly } = times ?? {};
    const isTooMany = atMost !== undefined && found.length > atMost;
    if (!isTooMany && found.length >= atLeast) return { passes: true, ...verified };
    const says = `Expected ${wantedText(times)}${requestText(request)}; found ${found.length}`;
    const matching = new Set(found);
    const others = this.entries.filter(entry => !matching.has(entry));
    const nearest = isTooMany ? [] : yield* this.#nearest(request, others);
    return { passes: false, ...verified, wanted: pattern, says, nearest };
  }

  *order(patterns: readonly RequestDescription[], wanted: RequestPattern): Generator<unknown, RequestVerdict> {
    const found: JournalEntry[] = [];
    let from = 0;
    for (const [i, request] of patterns.entries()) {
      const next = yield* this.#first(request, from, this.entries.length);
      if (next === undefined) {
        const earlier = yield* this.#first(request, 0, from);
        const after = found.at(-1);
        const place = after === undefined ? '' : `, after entry ${after.id}`;
        const only = earlier === undefined ? '' : `, only earlier, as entry ${this.entries[earlier]?.id}`;
        const says = `Expected request ${i + 1} of ${patterns.length}${requestText(request)}${place}; not found${only}`;
        const nearest = yield* this.#nearest(request, this.entries.slice(from));
        return { passes: false, ...this.#verified(found), wanted, says, nearest };
      }
      found.push(...this.entries.slice(next, next + 1));
      from = next + 1;
    }
    return { passes: true, ...this.#verified(found) };
  }

  *#fits(pattern: RequestDescription, entry: JournalEntry): Generator<unknown, boolean> {
    const isMatching = this.#budget.piece(() => isMatch(pattern, entry));
    yield;
    return isMatching;
  }

  /** The index of the first matching entry in a range. */
  *#first(pattern: RequestDescription, from: number, to: number): Generator<unknown, number | undefined> {
    for (let i = from; i < to; i += 1) {
      const entry = this.entries[i];
      if (entry !== undefined && (yield* this.#fits(pattern, entry))) return i;
    }
    return undefined;
  }

  /** The entries with the fewest differences, the latest first among equals. */
  *#nearest(pattern: RequestDescription, entries: readonly JournalEntry[]): Generator<unknown, NearEntry[]> {
    const leaves = leavesOf(pattern);
    let near: Array<{ entry: JournalEntry; differences: EntryDifference[]; fit: number }> = [];
    for (const entry of entries) {
      const differences = this.#budget.piece(() => entryDifferences(pattern, entry));
      const fit = fitOf(leaves, differences);
      if (fit > 0) near.push({ entry, differences, fit });
      if (near.length > MAX_NEAR)
        near = near.sort((a, b) => b.fit - a.fit || b.entry.id - a.entry.id).slice(0, MAX_NEAR);
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

const MAX_NEAR = 3;

/** The result in lines: the sentence, the nearest entries with their differences, and discarded entries. */
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

const MAX_LISTED = 10;

function fittingText(entries: readonly number[]): string {
  return `Matching: ${entries.length === 1 ? 'entry' : 'entries'} ${fewOf(entries, MAX_LISTED)}.`;
}

function evictedText(evicted: number): string {
  return `${evicted} earlier ${evicted === 1 ? 'entry was' : 'entries were'} discarded, so the count may be too low. To keep more entries, use --journal.`;
}

/** ` to ppf.push from admin with the body {…}`; empty for any request. */
function requestText({ operation, method, path, query, caller, status, body }: RequestDescription): string {
  const what = operation ?? [method, path].filter(part => part !== undefined).join(' ');
  return [
    ...(what === '' ? [] : [`to ${what}`]),
    ...(operation !== undefined && method !== undefined ? [`by ${method}`] : []),
    ...(operation !== undefined && path !== undefined ? [`at ${path}`] : []),
    ...(query === undefined ? [] : [`with the query ${valueText(query)}`]),
    ...(caller === undefined ? [] : [`from ${caller}`]),
    ...(body === undefined ? [] : [`with the body ${valueText(body)}`]),
    ...(status === undefined ? [] : [`with the response status ${status}`]),
  ]
    .map(part => ` ${part}`)
    .join('');
}

/** `at least 1 request`, `no requests`, `1 to 3 requests`. */
function wantedText({ exactly, atLeast, atMost }: Times = { atLeast: 1 }): string {
  if (exactly !== undefined) return exactly === 0 ? 'no requests' : `exactly ${counted(exactly, 'request')}`;
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${counted(atMost, 'request')}`;
  return atLeast === undefined
    ? `at most ${counted(atMost ?? 0, 'request')}`
    : `at least ${counted(atLeast, 'request')}`;
}
