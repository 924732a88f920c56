// What a difference most likely means: the mistakes that people make when they write a step. Pure; a guess, and worded as one.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../domain/form/patch.js';
import type { Difference } from './match.js';
import type { Played } from './player.js';

/** One sentence for each mistake that the differences of a step look like. */
export function hintsFor({ step, received, differences }: Played): string[] {
  const isOtherAnswer = differences.some(({ of }) => of === 'status'); // then its body is another too
  const hints = differences.filter(({ of }) => !isOtherAnswer || of !== 'body').map(hintFor);
  const isAnonymous = step.as === undefined || step.as === 'anonymous';
  const isRefused = received?.status === 401 || received?.status === 403;
  if (isAnonymous && isRefused && isOtherAnswer)
    hints.unshift('Nobody in particular asks here: does the step lack `as: admin`?');
  return [...new Set(hints.filter(hint => hint !== undefined))];
}

function hintFor({ of, pointer, expected, found }: Difference): string | undefined {
  if (of === 'connection' && found === 'broken')
    return 'Where a fault is to break the connection, the step says so: `expect: { connection: broken }`.';
  if (of === 'body' && pointer === '' && found === undefined)
    return 'The answer has no body: leave `body` out, or write `body: { $absent: true }`.';
  if (isSameButForType(expected, found))
    return `${JSON.stringify(expected)} and ${JSON.stringify(found)} differ only in the quotes: one is text.`;
  if (of === 'body' && expected === undefined)
    return 'A body is compared whole: `{ $contains: { … } }` asks for a part of it.';
  if (Array.isArray(expected) && Array.isArray(found)) return listHint(expected, found);
  return undefined;
}

function listHint(expected: readonly unknown[], found: readonly unknown[]): string | undefined {
  const isAmong = (element: unknown) => found.some(other => isDeepStrictEqual(element, other));
  const isPart = expected.length < found.length && expected.every(isAmong);
  return isPart ? 'A list is compared whole: `{ $contains: […] }` asks for a part of it.' : undefined;
}

function isSameButForType(expected: unknown, found: unknown): boolean {
  if (isObject(expected) || isObject(found) || typeof expected === typeof found) return false;
  return found !== undefined && expected !== undefined && String(expected) === String(found);
}
