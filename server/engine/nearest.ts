// The nearest of the right names to a wrong one, for messages.
import { closestMatch, default as distance } from 'leven';
import { isSameButForCase } from '../operations/lookups.js';

/** Beyond this many names a comparison with each would be felt. */
const MOST_NAMES = 2000;
/** Of a longer name only the start is compared. */
const LONGEST_NAME = 200;
/** Pairs of characters that are compared to find the nearest name: fewer long names than short ones. */
const MOST_PAIRS = 500_000;

/** The name that was probably meant, if one is near enough. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  const candidates: string[] = [];
  for (const name of names) {
    if (candidates.length === MOST_NAMES) break;
    candidates.push(name);
  }
  const sameButForCase = candidates.find(name => isSameButForCase(name, wrong));
  if (sameButForCase !== undefined) return sameButForCase;
  const start = wrong.slice(0, LONGEST_NAME);
  const lastPart = start === '' ? undefined : candidates.find(name => name.endsWith(`.${start}`)); // of an id such as ppf.push
  if (lastPart !== undefined && start === wrong) return lastPart;
  const maxDistance = start.length < 4 ? 1 : Math.max(2, Math.floor(start.length / 3));
  const comparable = candidates.filter(({ length }) => Math.abs(length - start.length) <= maxDistance);
  const match = closestMatch(start, comparable.slice(0, MOST_PAIRS / (start.length + 1) ** 2), { maxDistance });
  return match !== undefined && distance(start, match) <= maxDistance ? match : undefined;
}

/** ` (did you mean "x"?)` for the middle of a message, or nothing. */
export function nearest(wrong: string, names: Iterable<string>): string {
  const name = nearestName(wrong, names);
  return name === undefined ? '' : ` (did you mean ${JSON.stringify(name)}?)`;
}
