// Whether a journal entry is the request that somebody wished for, and each way in which it is not. Pure.
import { isObject } from '../../domain/patch.js';
import type { JournalEntry } from '../../engine/journal-entry.js';
import { parseQuery } from '../../engine/request/request.js';
import { locate, sandboxIn } from '../../operations/address.js';
import { answerDifferences, bodyOf } from '../play/judging.js';
import { mismatches, shown } from '../play/match.js';
import type { WishedRequest } from './wish.js';

/** One way in which an entry is another request. */
export interface EntryDifference {
  /** JSON pointer, such as `/caller` or `/body/users/0`. */
  readonly at: string;
  /** What was wished for; absent: nothing, so it is one too many. */
  readonly expected?: unknown;
  /** Absent: there is nothing. */
  readonly found?: unknown;
  /** In words, without the place. */
  readonly says: string;
}

/** Each way in which an entry is not what is wished for; none where it is. */
export function entryDifferences(wish: WishedRequest, entry: JournalEntry): EntryDifference[] {
  const { operation, method, caller, status, query } = wish;
  return [
    ...value('operation', operation, entry.operation),
    ...value('method', method, entry.method),
    ...pathDifferences(wish.path, entry.url),
    ...value('caller', caller, entry.caller),
    ...(query === undefined ? [] : differing('/query', query, queryOf(entry.url), true)),
    ...(Object.hasOwn(wish, 'body')
      ? differing('/body', wish.body, bodyOf({ text: entry.request.body ?? '' }), false)
      : []),
    ...answerDifferences(status === undefined ? undefined : { status }, received(entry)).map(
      ({ expected, found, says }) => ({ at: '/status', expected, found, says }),
    ),
  ];
}

/** What says most of which request it is, counts most; the rest once. */
const weightOf: Readonly<Partial<Record<keyof WishedRequest, number>>> = { operation: 2, path: 2, body: 3 };

/** How much of what is wished for an entry is, from 0 to 1. */
export function fitOf(wish: WishedRequest, differences: readonly EntryDifference[]): number {
  const weights = (Object.keys(wish) as (keyof WishedRequest)[]).map(key => [key, weightOf[key] ?? 1] as const); // it has no others
  const whole = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const missed = weights.reduce((sum, [key, weight]) => {
    const wrong = differences.filter(({ at }) => at === `/${key}` || at.startsWith(`/${key}/`)).length;
    if (wrong === 0) return sum;
    const leaves = leavesOf(wish[key]);
    return sum + weight * Math.min(1, wrong / leaves);
  }, 0);
  return whole === 0 ? 1 : 1 - missed / whole;
}

function value(name: string, expected: unknown, found: unknown): EntryDifference[] {
  return expected === undefined ? [] : differing(`/${name}`, expected, found, false);
}

function differing(at: string, expected: unknown, found: unknown, isPart: boolean): EntryDifference[] {
  return mismatches(expected, found, isPart).map(one => ({
    at: `${at}${one.pointer}`,
    ...(one.expected !== undefined && { expected: one.expected }),
    ...(one.found !== undefined && { found: one.found }),
    says: one.says,
  }));
}

function pathDifferences(wished: string | undefined, url: string): EntryDifference[] {
  const [path = ''] = url.split('?', 1);
  if (wished === undefined || isAt(wished, path)) return [];
  return [{ at: '/path', expected: wished, found: path, says: `is ${shown(path)}, not ${shown(wished)}` }];
}

/** As it was sent, or as it is without its sandbox, or without its context as well. */
function isAt(pattern: string, path: string): boolean {
  const below = sandboxIn(path).path;
  const context = locate(path)?.context ?? '';
  const wanted = pattern.split('/');
  return [path, below, below.slice(context.length)].some(one => {
    const segments = one.split('/');
    return segments.length === wanted.length && wanted.every((part, i) => part === '*' || part === segments[i]);
  });
}

/** Of a repeated parameter the first counts, as in operations. */
function queryOf(url: string): Readonly<Record<string, string>> {
  const at = url.indexOf('?');
  return at === -1 ? {} : Object.fromEntries([...parseQuery(url.slice(at + 1)).pairs].reverse());
}

function received({ answer: { status, body = '' } }: JournalEntry) {
  return { status, headers: {}, text: body };
}

/** How many values there are in a value, however deep; at least one. */
function leavesOf(inner: unknown): number {
  const parts = Array.isArray(inner) ? inner : isObject(inner) ? Object.values(inner) : [];
  return Math.max(
    1,
    parts.reduce<number>((sum, part) => sum + leavesOf(part), 0),
  );
}
