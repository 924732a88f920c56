// Likely reasons for the differences of a failed step, worded as guesses.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../domain/form/patch.js';
import type { MatchDifference } from '../../engine/patterns/match.js';
import type { Played } from './player.js';

/** One sentence for each typical error that the differences look like. */
export function hintsFor({ step, received, differences }: Played): string[] {
  const isOtherResponse = differences.some(({ of }) => of === 'status'); // then its body differs too
  const hints = differences.filter(({ of }) => !isOtherResponse || of !== 'body').map(hintFor);
  const isAnonymous = step.as === undefined || step.as === 'anonymous';
  const isRefused = received?.status === 401 || received?.status === 403;
  if (isAnonymous && isRefused && isOtherResponse) hints.unshift('The caller is anonymous: is `as: admin` missing?');
  return [...new Set(hints.filter(hint => hint !== undefined))];
}

function hintFor({ of, pointer, expected, found }: MatchDifference): string | undefined {
  if (of === 'connection' && found === 'broken')
    return 'If a fault is supposed to break the connection, write `expect: { connection: broken }`.';
  if (of === 'body' && pointer === '' && found === undefined)
    return 'The response has no body: omit `body`, or write `body: { $absent: true }`.';
  if (isSameButForType(expected, found))
    return `${JSON.stringify(expected)} and ${JSON.stringify(found)} differ only in their type: one of them is text.`;
  if (of === 'body' && expected === undefined)
    return 'A body is compared as a whole. To compare only a part, use `{ $contains: { … } }`.';
  if (Array.isArray(expected) && Array.isArray(found)) return listHint(expected, found);
  return undefined;
}

function listHint(expected: readonly unknown[], found: readonly unknown[]): string | undefined {
  const isAmong = (element: unknown) => found.some(other => isDeepStrictEqual(element, other));
  const isPart = expected.length < found.length && expected.every(isAmong);
  return isPart ? 'A list is compared as a whole. To compare only a part, use `{ $contains: […] }`.' : undefined;
}

function isSameButForType(expected: unknown, found: unknown): boolean {
  if (isObject(expected) || isObject(found) || typeof expected === typeof found) return false;
  return found !== undefined && expected !== undefined && String(expected) === String(found);
}
