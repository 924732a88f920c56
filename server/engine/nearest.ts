// The nearest of the right names to a wrong one, for messages.
import { closestMatch, default as distance } from 'leven';

/** Beyond this many names a comparison with each would be felt. */
const MOST_NAMES = 5000;

/** The name that was probably meant, if one is near enough. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  const candidates: string[] = [];
  for (const name of names) {
    if (candidates.length === MOST_NAMES) break;
    candidates.push(name);
  }
  const sameButForCase = candidates.find(name => name !== wrong && name.toLowerCase() === wrong.toLowerCase());
  if (sameButForCase !== undefined) return sameButForCase;
  const maxDistance = wrong.length < 4 ? 1 : Math.max(2, Math.floor(wrong.length / 3));
  const match = closestMatch(wrong.slice(0, 200), candidates, { maxDistance });
  return match !== undefined && distance(wrong.slice(0, 200), match) <= maxDistance ? match : undefined;
}

/** ` (did you mean "x"?)` for the middle of a message, or nothing. */
export function nearest(wrong: string, names: Iterable<string>): string {
  const name = nearestName(wrong, names);
  return name === undefined ? '' : ` (did you mean ${JSON.stringify(name)}?)`;
}
