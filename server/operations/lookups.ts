// Looks up names of a request in the world, with the gap that decides about an unknown name. Decides nothing else.

import type { Fact } from '../domain/facts.js';
import { keptFor } from '../domain/kept-for.js';
import { ANONYMOUS, type Page, type Space } from '../domain/world/world.js';
import type { Reading } from './gaps/gaps.js';
import type { Asks } from './operation-context.js';
import type { Refused } from './provenance.js';

/** A page id where it has to be a number. */
export const PAGE_ID = /^\d+$/;

/** What a world has by name. */
interface Named {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/** The names as the world writes them: if case is ignored (gap name-case), a name that it has in another case only becomes that one. */
export function asNamed(given: Asks<'name-case'>, names: readonly string[], there: Named): readonly string[] {
  const missing = names.filter(name => !there.has(name));
  if (missing.length === 0) return names;
  const others = inAnotherCase(missing, there);
  if (others.size === 0 || given.reading('name-case') === 'exact') return names;
  return names.map(name => others.get(name) ?? name);
}

/** The key of a space, in the same way. */
export function asKey(given: Asks<'name-case'>, key: string): string {
  return asNamed(given, [key], given.world.spaces)[0] ?? key;
}

/** For each name that is not there, the first in order that differs only in case. */
function inAnotherCase(names: readonly string[], there: Named): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const capitalised = capitalisedIn(there);
  for (const name of names) {
    const folded = name.toLowerCase();
    const [known] = [...(capitalised.get(folded) ?? []), ...(there.has(folded) ? [folded] : [])]
      .filter(other => isSameButForCase(other, name))
      .sort();
    if (known !== undefined) found.set(name, known);
  }
  return found;
}

/** The names that are not in lower case, by their lower case. Found once, since most worlds have many names and few of these. */
const capitalisedIn = keptFor((there: Named): ReadonlyMap<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const name of there.keys()) {
    const folded = name.toLowerCase();
    if (folded !== name) found.set(folded, [...(found.get(folded) ?? []), name]);
  }
  return found;
});

/**
 * Names that the world does not have, each once; if case is ignored (gap name-case), of those that differ in case only the first in the list.
 */
export function distinctUnknown(given: Asks<'name-case'>, unknown: readonly string[]): readonly string[] {
  const names = [...new Set(unknown)];
  const firsts = new Map<string, string>();
  for (const name of names) {
    const key = `${name.length} ${name.toLowerCase()}`;
    if (!firsts.has(key)) firsts.set(key, name);
  }
  return firsts.size === names.length || given.reading('name-case') === 'exact' ? names : [...firsts.values()];
}

/** The users or groups that a request names. */
export interface KnownNames {
  /** Each once: those that exist or are created. */
  readonly names: readonly string[];
  /** The facts that create the others, if a reading does. */
  readonly created: readonly Fact[];
  /** What the response says about skipped names, if a reading has it do so. */
  readonly messages: readonly string[];
}

export function knownUsers(
  given: Asks<'unknown-user' | 'name-case', 'unknown-user'>,
  sent: readonly string[],
  isRemoving = false,
): KnownNames | Refused {
  const found = partition(given, sent, given.world.users);
  const reading = found.unknown.length === 0 ? 'skip' : given.reading('unknown-user');
  return (
    meant(given, 'user', found, reading, isRemoving) ?? given.refuse('unknown-user', absent('user', found.unknown))
  );
}

export function knownGroups(
  given: Asks<'unknown-group' | 'name-case', 'unknown-group'>,
  sent: readonly string[],
  isRemoving: boolean,
): KnownNames | Refused {
  const found = partition(given, sent, given.world.groups);
  const reading = found.unknown.length === 0 ? 'skip' : given.reading('unknown-group');
  return (
    meant(given, 'group', found, reading, isRemoving) ?? given.refuse('unknown-group', absent('group', found.unknown))
  );
}

/** `undefined`: the reading is the status of a refusal. */
function meant(
  given: Asks<'name-case'>,
  kind: 'user' | 'group',
  { names, known, unknown }: Partition,
  reading: Reading<'unknown-user' | 'unknown-group'>,
  isRemoving: boolean,
): KnownNames | undefined {
  if (unknown.length === 0) return { names, created: [], messages: [] };
  if (/^\d/.test(reading)) return undefined;
  const isNew = (name: string) => reading === 'create' && !isRemoving && (kind === 'group' || name !== ANONYMOUS);
  const created = distinctUnknown(given, unknown.filter(isNew));
  const all = new Set([...known, ...created]);
  return {
    names: names.filter(name => all.has(name)),
    created: created.map(name =>
      kind === 'user' ? { type: 'user-created', user: name } : { type: 'group-created', group: name },
    ),
    messages: reading === 'message' ? [absent(kind, unknown)] : [],
  };
}

/** The refusal of a request that adds or removes nobody, as its lists are empty (gap empty-lists). */
export function emptyRefusal(
  given: Asks<'empty-lists', 'empty-lists'>,
  lists: Readonly<Record<string, readonly string[]>>,
): Refused | undefined {
  const names = Object.keys(lists);
  if (names.some(name => lists[name]?.length !== 0) || given.reading('empty-lists') === 'ok') return undefined;
  const empty = names.map(name => `/${name}`).join(' and ');
  return given.refuse('empty-lists', `${empty} ${names.length === 1 ? 'is' : 'are'} empty: name at least one.`);
}

/** The refusal of a page id that is not a number (gap page-id-format). */
export function pageIdRefusal(given: Asks<'page-id-format', 'page-id-format'>, id: string): Refused | undefined {
  if (PAGE_ID.test(id) || given.reading('page-id-format') === 'any') return undefined;
  return given.refuse('page-id-format', `The page id ${quoted(id)} is not a number: expected only digits.`);
}

export function knownPage(given: Asks<'unknown-page', 'unknown-page'>, id: string): Page | Refused {
  return given.world.pages.get(id) ?? given.refuse('unknown-page', `There is no page with the id ${quoted(id)}.`);
}

export function knownSpace(given: Asks<'unknown-space', 'unknown-space'>, key: string): Space | Refused {
  return given.world.spaces.get(key) ?? given.refuse('unknown-space', `There is no space with the key ${quoted(key)}.`);
}

/** The message about a page title that another page of the space has. */
export function titleTaken(space: string, title: string): string {
  return `The space ${quoted(space)} has another page with the title ${quoted(title)}.`;
}

/** Whether two names differ, and only in case. */
export function isSameButForCase(one: string, other: string): boolean {
  return one.length === other.length && one !== other && one.toLowerCase() === other.toLowerCase();
}

/** A name in a message: quoted, control characters escaped, cut if long. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}...` : name);
}

/** `There are no users named "bob", "dan".` */
export function absent(kind: 'user' | 'group', names: readonly string[]): string {
  const shown = names.slice(0, 10).map(quoted).join(', ');
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `There ${names.length === 1 ? `is no ${kind}` : `are no ${kind}s`} named ${shown}${more}.`;
}

/** Each name once. */
interface Partition {
  /** As the world writes them. */
  readonly names: readonly string[];
  readonly known: readonly string[];
  readonly unknown: readonly string[];
}

function partition(given: Asks<'name-case'>, sent: readonly string[], there: Named): Partition {
  const distinct = [...new Set(sent)];
  if (distinct.every(name => there.has(name))) return { names: distinct, known: distinct, unknown: [] };
  const names = [...new Set(asNamed(given, distinct, there))];
  return { names, known: names.filter(name => there.has(name)), unknown: names.filter(name => !there.has(name)) };
}
