// The nearest of the right names to a wrong one, for messages.
import { closestMatch, default as distance } from 'leven';

/** Beyond this many names a comparison with each would be felt. */
const MOST_NAMES = 5000;
/** Of a longer name only the start is compared. */
const LONGEST_NAME = 200;

/** The name that was probably meant, if one is near enough. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  const candidates: string[] = [];
  for (const name of names) {
    if (candidates.length === MOST_NAMES) break;
    candidates.push(name);
  }
  const sameButForCase = candidates.find(name => isSameButForCase(name, wrong));
  if (sameButForCase !== undefined) return sameButForCase;
  const lastPart = candidates.find(name => name.endsWith(`.${wrong}`)); // of an id such as ppf.push
  if (lastPart !== undefined && wrong !== '') return lastPart;
  const start = wrong.slice(0, LONGEST_NAME);
  const maxDistance = start.length < 4 ? 1 : Math.max(2, Math.floor(start.length / 3));
  const match = closestMatch(start, candidates, { maxDistance });
  return match !== undefined && distance(start, match) <= maxDistance ? match : undefined;
}

export function isSameButForCase(one: string, other: string): boolean {
  return one !== other && one.toLowerCase() === other.toLowerCase();
}

/** ` (did you mean "x"?)` for the middle of a message, or nothing. */
export function nearest(wrong: string, names: Iterable<string>): string {
  const name = nearestName(wrong, names);
  return name === undefined ? '' : ` (did you mean ${JSON.stringify(name)}?)`;
}
