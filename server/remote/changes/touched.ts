// What a step reads and may change, by the names in it, for running steps in parallel. A step counts as changing what it names even if it should be
// refused.
import { isObject } from '../../domain/form/patch.js';
import type { World } from '../../domain/world.js';
import type { Step } from '../../scenario/format/step-format.js';
import type { NameKind } from '../names/name-map.js';
import { familyOf } from '../target/family.js';

/** A name in a step by fixture name, with its kind. */
export type Named = readonly [kind: NameKind, name: string];

export interface Touched {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
}

/** What a step asks for reads and may change. */
export function touchedBy(step: Step, named: readonly Named[], world: World): Touched {
  const of = (...kinds: readonly NameKind[]) =>
    named.flatMap(([kind, name]) => (kinds.includes(kind) ? [name.toLowerCase()] : [])); // some servers know no case
  const groups = of('group').map(group => `group ${group}`);
  if (familyOf(step) === 'ppf')
    return { reads: new Set([...groups, ...sharingGroups(of, world)]), writes: new Set(favourites(of, world)) };
  const pages = of('page').map(page => `page ${page}`);
  if (pages.length > 0) return { reads: new Set(), writes: new Set(pages) }; // who is in a group it names does not matter
  return spacesIn(step, of('space'), of('space name'), groups, world);
}

/** What is read after the request of a step, where the server shows it. */
export function lookedAt({ then, for: probes = {} }: Step, world: World): Touched {
  const reads = [then, ...Object.values(probes).map(probe => probe.then)].filter(isObject).flatMap(one => {
    const keys = (name: string) => Object.keys(isObject(one[name]) ? one[name] : {}).map(key => key.toLowerCase());
    const items = [...world.filters.keys(), ...world.dashboards.keys()];
    return [
      ...keys('groups').map(group => `group ${group}`),
      ...restrictedIn(one.pages).map(page => `page ${page}`),
      ...keys('spaces').map(space => `space ${space}`),
      ...keys('favourites').flatMap(user => items.map(item => `favourite ${item} of ${user}`)),
    ];
  });
  return { reads: new Set(reads), writes: new Set() };
}

/** The pages of which a look tells who may view or edit them: nothing else of a page of the fixture changes. */
function restrictedIn(pages: unknown): string[] {
  const isRestricted = (page: unknown) => !isObject(page) || 'view' in page || 'edit' in page;
  return Object.entries(isObject(pages) ? pages : {}).flatMap(([id, page]) => (isRestricted(page) ? [id] : []));
}

/** The groups whose members may see the named filters and dashboards. Owners see theirs whoever is in a group. */
function sharingGroups(of: (...kinds: readonly NameKind[]) => readonly string[], world: World): string[] {
  const items = [
    ...of('filter').map(id => world.filters.get(Number(id))),
    ...of('dashboard').map(id => world.dashboards.get(Number(id))),
  ];
  const isForOwner = (owner: string) =>
    of('group').length === 0 && of('user').every(name => name === owner.toLowerCase());
  const shared = items.flatMap(item =>
    typeof item?.sharedWith === 'object' && !isForOwner(item.owner) ? [...item.sharedWith.groups] : [],
  );
  return shared.map(group => `group ${group.toLowerCase()}`);
}

/** A group counts as all users: its members are uncertain on a server that breaks rules. */
function favourites(of: (...kinds: readonly NameKind[]) => readonly string[], world: World): string[] {
  const users =
    of('group').length > 0 ? [...[...world.users.keys()].map(name => name.toLowerCase()), ...of('user')] : of('user');
  return users.flatMap(user => of('filter', 'dashboard').map(item => `favourite ${item} of ${user}`));
}

/** The spaces of the fixture change only by sidebar links. Copying and replacing read the pages, with those who may edit them. */
function spacesIn(
  step: Step,
  keys: readonly string[],
  spaceNames: readonly string[],
  groups: readonly string[],
  world: World,
): Touched {
  const { call, request } = step;
  const spaces = [...keys.map(key => `space ${key}`), ...spaceNames.map(name => `name ${name}`)];
  const known = [...world.spaces].flatMap(([key, { name }]) => [
    `space ${key.toLowerCase()}`,
    `name ${name.toLowerCase()}`,
  ]);
  const isLink = call === 'spaces.add-sidebar-link';
  const links = isLink ? keys.map(key => `sidebar ${key}`) : [];
  const isQuestion = call === 'spaces.is-unique' || /\/spaces\/isUnique/i.test(request?.path ?? '');
  const pages = [...world.pages].flatMap(([id, { space }]) =>
    keys.includes(space.toLowerCase()) && !isLink && !isQuestion ? [`page ${id}`] : [],
  );
  const made = isQuestion || isReplacedByItself(step) ? [] : spaces.filter(space => !known.includes(space));
  return { reads: new Set([...spaces, ...pages]), writes: new Set([...groups, ...links, ...made]) };
}

/** Whether every text is replaced with itself, which only shows whether the page exists. */
function isReplacedByItself({ call, body }: Step): boolean {
  return (
    call === 'spaces.replace-in-page' &&
    Array.isArray(body) &&
    body.every(one => isObject(one) && typeof one.oldText === 'string' && one.oldText === one.newText)
  );
}

export function allTouched(some: readonly Touched[]): Touched {
  return {
    reads: new Set(some.flatMap(({ reads }) => [...reads])),
    writes: new Set(some.flatMap(({ writes }) => [...writes])),
  };
}

/** Whether neither changes what the other reads or changes. */
export function areApart(a: Touched, b: Touched): boolean {
  const isFree = (some: ReadonlySet<string>, other: Touched) =>
    ![...some].some(name => other.writes.has(name) || other.reads.has(name));
  return isFree(a.writes, b) && isFree(b.writes, a);
}
