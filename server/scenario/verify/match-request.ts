// Whether a journal entry matches the description of a request, and each difference. Pure.
import { isObject } from '../../domain/form/patch.js';
import { firstValues } from '../../engine/faults/matching.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { consume } from '../../engine/patterns/budget.js';
import { bodyOf, mismatches } from '../../engine/patterns/match.js';
import { valueText } from '../../engine/patterns/value-text.js';
import { parseQuery } from '../../engine/request/request.js';
import { comparedForms, fitsPath, pathPattern } from '../../operations/address.js';
import { responseDifferences } from '../play/compare-result.js';
import type { RequestDescription } from './request-pattern.js';

/** One difference between an entry and the description. */
export interface EntryDifference {
  /** JSON pointer, such as `/caller` or `/body/users/0`. */
  readonly at: string;
  /** Absent: nothing is expected here. */
  readonly expected?: unknown;
  /** Absent: nothing was found here. */
  readonly found?: unknown;
  /** Number of further differences that this one stands for. */
  readonly others?: number;
  /** The difference in words, without its place. */
  readonly says: string;
}

/** Stops at the first part that differs. */
export function isMatch(pattern: RequestDescription, entry: JournalEntry): boolean {
  return differencesIn(pattern, entry).next().done === true;
}

export function entryDifferences(pattern: RequestDescription, entry: JournalEntry): EntryDifference[] {
  return [...differencesIn(pattern, entry)];
}

function* differencesIn(pattern: RequestDescription, entry: JournalEntry): Generator<EntryDifference, void> {
  const { operation, method, path, caller, query, status } = pattern;
  yield* value('operation', operation, entry.operation);
  yield* value('method', method, entry.method);
  yield* pathDifferences(path, entry.url);
  yield* value('caller', caller, entry.caller);
  if (query !== undefined) yield* differing('/query', query, queryOf(entry.url), true);
  if (Object.hasOwn(pattern, 'body')) yield* differing('/body', pattern.body, sentBody(entry), false);
  yield* statusDifferences(status, entry);
}

/** Weights of the parts that identify a request best. Default: 1. */
const weightOf: Readonly<Partial<Record<keyof RequestDescription, number>>> = { operation: 2, path: 2, body: 3 };

/** Number of expected values in each part of a request. */
type Leaves = ReadonlyMap<keyof RequestDescription, number>;

export function leavesOf(pattern: RequestDescription): Leaves {
  const keys = Object.keys(pattern) as (keyof RequestDescription)[]; // it has no others
  return new Map(keys.map(key => [key, leavesIn(pattern[key])]));
}

/** How similar an entry is to the description, from 0 to 1. */
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

/** Steps for reading a character of JSON or of a query. */
const READ = 1;

function sentBody({ request: { body = '' } }: JournalEntry): unknown {
  consume(READ * body.length);
  return bodyOf({ text: body });
}

function statusDifferences(status: RequestDescription['status'], entry: JournalEntry): EntryDifference[] {
  if (status === undefined) return [];
  const { response } = entry;
  const received = { status: response.status, headers: {}, text: '' };
  return responseDifferences({ status }, received).map(({ expected, found, says }) => ({
    at: '/status',
    expected,
    found,
    says,
  }));
}

function pathDifferences(wanted: string | undefined, url: string): EntryDifference[] {
  consume(READ * ((wanted?.length ?? 0) + url.length));
  const [path = ''] = url.split('?', 1);
  if (wanted === undefined || fitsPath(pathPattern(wanted), comparedForms(path))) return [];
  return [{ at: '/path', expected: wanted, found: path, says: `is ${valueText(path)}, not ${valueText(wanted)}` }];
}

function queryOf(url: string): Readonly<Record<string, string>> {
  consume(READ * url.length);
  const at = url.indexOf('?');
  return at === -1 ? {} : firstValues(parseQuery(url.slice(at + 1)));
}

/** Number of leaves in a value; at least one. */
function leavesIn(inner: unknown): number {
  const parts = Array.isArray(inner) ? inner : isObject(inner) ? Object.values(inner) : [];
  return Math.max(
    1,
    parts.reduce<number>((sum, part) => sum + leavesIn(part), 0),
  );
}
