// Whether a journal entry is the request that somebody wished for, and each way in which it is not. Pure.
import { isObject } from '../../domain/form/patch.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { parseQuery } from '../../engine/request/request.js';
import { locate, sandboxIn } from '../../operations/address.js';
import { consume } from '../format/budget.js';
import { answerDifferences, bodyOf } from '../play/judging.js';
import { fits, mismatches } from '../play/match.js';
import { shown } from '../play/shown.js';
import type { RequestDescription } from './request-pattern.js';

/** One way in which an entry is another request. */
export interface EntryDifference {
  /** JSON pointer, such as `/caller` or `/body/users/0`. */
  readonly at: string;
  /** What was wished for; absent: nothing, so it is one too many. */
  readonly expected?: unknown;
  /** Absent: there is nothing. */
  readonly found?: unknown;
  /** It stands for so many others, which are not told one by one. */
  readonly others?: number;
  /** In words, without the place. */
  readonly says: string;
}

/** Whether an entry is what is wished for. */
export function isWished(wish: RequestDescription, entry: JournalEntry): boolean {
  const { operation, method, caller, status, query } = wish;
  return (
    (operation === undefined || operation === entry.operation) &&
    (method === undefined || method === entry.method) &&
    (caller === undefined || caller === entry.caller) &&
    statusDifferences(status, entry).length === 0 &&
    pathDifferences(wish.path, entry.url).length === 0 &&
    (query === undefined || fits(query, queryOf(entry.url), true)) &&
    (!Object.hasOwn(wish, 'body') || fits(wish.body, sentBody(entry)))
  );
}

/** Each way in which an entry is not what is wished for; none where it is. */
export function entryDifferences(wish: RequestDescription, entry: JournalEntry): EntryDifference[] {
  const { operation, method, caller, status, query } = wish;
  return [
    ...value('operation', operation, entry.operation),
    ...value('method', method, entry.method),
    ...pathDifferences(wish.path, entry.url),
    ...value('caller', caller, entry.caller),
    ...(query === undefined ? [] : differing('/query', query, queryOf(entry.url), true)),
    ...(Object.hasOwn(wish, 'body') ? differing('/body', wish.body, sentBody(entry), false) : []),
    ...statusDifferences(status, entry),
  ];
}

/** What says most of which request it is, counts most; the rest once. */
const weightOf: Readonly<Partial<Record<keyof RequestDescription, number>>> = { operation: 2, path: 2, body: 3 };

/** How many values are wished for in each part of a request. */
type Leaves = ReadonlyMap<keyof RequestDescription, number>;

export function leavesOf(wish: RequestDescription): Leaves {
  const keys = Object.keys(wish) as (keyof RequestDescription)[]; // it has no others
  return new Map(keys.map(key => [key, leavesIn(wish[key])]));
}

/** How much of what is wished for an entry is, from 0 to 1. */
export function fitOf(leaves: Leaves, differences: readonly EntryDifference[]): number {
  let whole = 0;
  let missed = 0;
  for (const [key, values] of leaves) {
    const weight = weightOf[key] ?? 1;
    const wrong = differences
      .filter(({ at }) => at === `/${key}` || at.startsWith(`/${key}/`))
      .reduce((sum, { others = 1 }) => sum + others, 0);
    whole += weight;
    missed += weight * Math.min(1, wrong / values);
  }
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
    ...(one.others !== undefined && { others: one.others }),
    says: one.says,
  }));
}

/** What it costs to read a character of JSON or of a query, in steps. */
const READ = 1;

function sentBody({ request: { body = '' } }: JournalEntry): unknown {
  consume(READ * body.length);
  return bodyOf({ text: body });
}

function statusDifferences(status: RequestDescription['status'], entry: JournalEntry): EntryDifference[] {
  if (status === undefined) return [];
  return answerDifferences({ status }, received(entry)).map(({ expected, found, says }) => ({
    at: '/status',
    expected,
    found,
    says,
  }));
}

function pathDifferences(wished: string | undefined, url: string): EntryDifference[] {
  consume(READ * ((wished?.length ?? 0) + url.length));
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
  consume(READ * url.length);
  const at = url.indexOf('?');
  return at === -1 ? {} : Object.fromEntries([...parseQuery(url.slice(at + 1)).pairs].reverse());
}

function received({ answer: { status, body = '' } }: JournalEntry) {
  return { status, headers: {}, text: body };
}

/** How many values there are in a value, however deep; at least one. */
function leavesIn(inner: unknown): number {
  const parts = Array.isArray(inner) ? inner : isObject(inner) ? Object.values(inner) : [];
  return Math.max(
    1,
    parts.reduce<number>((sum, part) => sum + leavesIn(part), 0),
  );
}
