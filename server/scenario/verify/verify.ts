// Whether a sandbox was asked what somebody wishes, as often or in the order that they wish, and where it was not, what came nearest.
// Knows a journal, and neither HTTP nor the errors of the library.
import { ANONYMOUS } from '../../domain/world.js';
import type { JournalEntry } from '../../engine/journal-entry.js';
import { urlWithin } from '../../engine/retelling.js';
import type { Sandbox } from '../../engine/sandbox.js';
import { withEffort } from '../effort.js';
import { shown } from '../play/match.js';
import { type EntryDifference, entryDifferences, fitOf } from './fitting.js';
import type { Times, Wish, WishedRequest } from './wish.js';

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
  readonly wanted: Wish;
  /** What was wished, and what there is, in a sentence. */
  readonly says: string;
  /** At most three, the nearest first. None where there are too many requests as wished. */
  readonly nearest: readonly NearEntry[];
}

/** `holds` tells the two apart. */
export type Verdict = ({ readonly holds: true } & Verified) | ({ readonly holds: false } & Unverified);

/** Everybody whom a wish can name as the caller: who is in the world, or has asked. */
export function callersIn({ state, journal }: Sandbox): ReadonlySet<string> {
  const asked = journal.entries().flatMap(({ caller }) => caller ?? []);
  return new Set([ANONYMOUS, ...state.world.users.keys(), ...asked]);
}

/** The wish has no flaws. Throws `TooMuchEffort` where its patterns and lists take too much work on this journal. */
export function verify(sandbox: Sandbox, wish: Wish): Verdict {
  return withEffort(() => judge(sandbox, wish));
}

function judge({ journal }: Sandbox, wish: Wish): Verdict {
  const entries = journal.entries();
  const evicted = journal.evicted === 0 ? {} : { evicted: journal.evicted };
  if ('inOrder' in wish) return inOrder(wish.inOrder, entries, evicted, wish);
  const { times, ...request } = wish;
  const found = entries.filter(entry => entryDifferences(request, entry).length === 0);
  const verified = { count: found.length, entries: found.map(({ id }) => id), ...evicted };
  const { exactly, atLeast = exactly ?? (times === undefined ? 1 : 0), atMost = exactly } = times ?? {};
  const isTooMany = atMost !== undefined && found.length > atMost;
  if (!isTooMany && found.length >= atLeast) return { holds: true, ...verified };
  const says = `${requestText(request)} was asked ${timesText(found.length)}, and should have been asked ${wantedText(times)}`;
  const others = entries.filter(({ id }) => !verified.entries.includes(id));
  return { holds: false, ...verified, wanted: wish, says, nearest: isTooMany ? [] : nearestOf(request, others) };
}

function inOrder(
  wished: readonly WishedRequest[],
  entries: readonly JournalEntry[],
  evicted: { readonly evicted?: number },
  wanted: Wish,
): Verdict {
  const found: JournalEntry[] = [];
  let after = 0;
  for (const [i, request] of wished.entries()) {
    const rest = entries.filter(({ id }) => id > after);
    const next = rest.find(entry => entryDifferences(request, entry).length === 0);
    if (next === undefined) {
      const earlier = entries.find(entry => entry.id <= after && entryDifferences(request, entry).length === 0);
      const says = `${requestText(request)}, number ${i + 1} of ${wished.length}, was not asked${after === 0 ? '' : ` after entry ${after}`}${earlier === undefined ? '' : `, but before, as entry ${earlier.id}`}`;
      return { holds: false, ...verifiedOf(found, evicted), wanted, says, nearest: nearestOf(request, rest) };
    }
    found.push(next);
    after = next.id;
  }
  return { holds: true, ...verifiedOf(found, evicted) };
}

function verifiedOf(found: readonly JournalEntry[], evicted: { readonly evicted?: number }): Verified {
  return { count: found.length, entries: found.map(({ id }) => id), ...evicted };
}

const MOST_NEAR = 3;

/** The entries of which the most fits, the latest first among equals. */
function nearestOf(wish: WishedRequest, entries: readonly JournalEntry[]): NearEntry[] {
  return entries
    .map(entry => {
      const differences = entryDifferences(wish, entry);
      return { entry, differences, fit: fitOf(wish, differences) };
    })
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || b.entry.id - a.entry.id)
    .slice(0, MOST_NEAR)
    .map(({ entry, differences }) => ({
      entry: entry.id,
      asked: `${entry.method} ${urlWithin(entry)}`,
      differences,
    }));
}

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
function requestText({ operation, method, path, query, caller, status, body }: WishedRequest): string {
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
