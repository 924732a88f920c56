// The nearest valid name for a wrong one.
import { closestMatch, default as distance } from 'leven';
import { firstOf } from '../domain/iterables.js';
import { isSameButForCase } from '../operations/lookups.js';

/** With more names, comparing all would take noticeable time. */
const MAX_NAMES = 2000;
/** Only the beginning of a longer name is compared. */
const LONGEST_NAME = 200;
/** Maximum number of character pairs to compare: fewer long names than short ones. */
const MAX_PAIRS = 500_000;

/** Shorter texts begin too many names by chance. */
const SHORTEST_BEGINNING = 4;

/** The nearest name, if it is near enough; else the only one that begins with the wrong one. */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  const candidates = firstOf(names, MAX_NAMES);
  const sameButForCase = candidates.find(name => isSameButForCase(name, wrong));
  if (sameButForCase !== undefined) return sameButForCase;
  const start = wrong.slice(0, LONGEST_NAME);
  const lastPart = start === '' ? undefined : candidates.find(name => name.endsWith(`.${start}`)); // the last part of an id such as ppf.push
  if (lastPart !== undefined && start === wrong) return lastPart;
  const maxDistance = start.length < 4 ? 1 : Math.max(2, Math.floor(start.length / 3));
  const comparable = candidates.filter(({ length }) => Math.abs(length - start.length) <= maxDistance);
  const match = closestMatch(start, comparable.slice(0, MAX_PAIRS / (start.length + 1) ** 2), { maxDistance });
  if (match !== undefined && distance(start, match) <= maxDistance && isAlike(start, match)) return match;
  const longer = start.length < SHORTEST_BEGINNING ? [] : candidates.filter(name => name.startsWith(wrong));
  return longer.length === 1 ? longer[0] : undefined;
}

/** `a, b or c` */
export function orList(names: readonly string[]): string {
  return joinNames(names, ' or ');
}

/** `a, b and c` */
export function andList(names: readonly string[]): string {
  return joinNames(names, ' and ');
}

function joinNames(names: readonly string[], conjunction: string): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(part => part !== '').join(conjunction);
}

/** `expected a, b or c` */
export function expectedOf(names: readonly string[]): string {
  return `expected ${orList(names)}`;
}

/** Of four letters two may be wrong, as in "prot", but not the first. */
function isAlike(wrong: string, name: string): boolean {
  return wrong.length !== 4 || wrong[0] === name[0] || distance(wrong, name) === 1;
}

/** ` (did you mean "x"?)` for a message, or nothing. */
export function nearest(wrong: string, names: Iterable<string>): string {
  const name = nearestName(wrong, names);
  return name === undefined ? '' : ` (did you mean ${JSON.stringify(name)}?)`;
}
