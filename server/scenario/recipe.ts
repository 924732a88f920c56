// A large world made from a recipe: straight into the persistent collections, since its written form would take longer than the world.
// The same numbers always make the same world. Knows no file.

import { type Map as PMap, Set as PSet } from 'immutable';
import { addPages } from '../domain/pages.js';
import {
  ANONYMOUS,
  type Item,
  type Names,
  noNames,
  type Page,
  type Space,
  type User,
  type World,
} from '../domain/world.js';
import { type Random, randomOf } from '../engine/random.js';
import type { Recipe } from './fixture-format.js';

const ADJECTIVES = ['Quiet', 'Bright', 'Early', 'Plain', 'Steady', 'Open', 'Small', 'Green', 'Late', 'Round', 'Warm'];
const NOUNS = ['Harbour', 'Garden', 'Bridge', 'Window', 'Market', 'River', 'Station', 'Meadow', 'Library', 'Tower'];
const FIRST_NAMES = ['Ada', 'Alan', 'Barbara', 'Carlos', 'Dana', 'Edsger', 'Frances', 'Grace', 'Hedy', 'Ivan', 'Joan'];
const LAST_NAMES = ['Abbot', 'Brook', 'Castle', 'Dale', 'Easton', 'Field', 'Grove', 'Hill', 'Lane', 'Marsh', 'North'];
const PHRASES = ADJECTIVES.flatMap(adjective => NOUNS.map(noun => `${adjective} ${noun}`));
/** Spread over 2025, a little more than eight hours apart. */
const INSTANTS = Array.from({ length: 1000 }, (_, i) =>
  new Date(Date.UTC(2025, 0, 1) + i * 31_536_000).toISOString().replace('.000Z', 'Z'),
);

/** Above the ids that people write by hand. */
const FIRST_PAGE = 1_000_001;
const FIRST_ITEM = 100_001;
/** The first group of a recipe, with all its users; the others have up to so many. */
const ALL_USERS = 'all-users';
const MOST_MEMBERS = 50;

/** What cannot be made of a recipe, if anything. */
export function recipeProblem(recipe: Recipe, base: World): string | undefined {
  const { users = 0, spaces = 0, pages = 0, filters = 0, dashboards = 0 } = recipe;
  if (pages > 0 && spaces + base.spaces.size === 0) return 'Pages are in spaces: a recipe with pages takes a space.';
  if (filters + dashboards > 0 && users + base.users.size === 0)
    return 'Filters and dashboards belong to users: a recipe with some takes a user.';
  return undefined;
}

/** The world of a recipe, laid over another. */
export function worldOf(recipe: Recipe, base: World): World {
  const { users = 0, groups = 0, spaces = 0, pages = 0, filters = 0, dashboards = 0, seed = 1 } = recipe;
  const random = randomOf(seed);
  const people = counted('user', users);
  const peopled: World = { ...base, users: withUsers(base.users, people, random) };
  const owners = people.length > 0 ? people : [...base.users.keys()].sort();
  const grouped: World = { ...peopled, groups: withGroups(base.groups, groups, people, random) };
  const shared: Names = Object.freeze({ users: PSet<string>(), groups: PSet(groups > 0 ? [ALL_USERS] : []) });
  const keys = spaces > 0 ? counted('space', spaces) : [...base.spaces.keys()].sort();
  const spaced: World = { ...grouped, spaces: withSpaces(base.spaces, spaces > 0 ? keys : [], owners, random) };
  const paged = withPages(spaced, keys, pages, { owners, shared, random });
  const items = (what: string, many: number, old: PMap<number, Item>) =>
    withItems(old, what, many, { owners, shared, random });
  return {
    ...paged,
    filters: items('filter', filters, base.filters),
    dashboards: items('dashboard', dashboards, base.dashboards),
  };
}

interface Means {
  readonly owners: readonly string[];
  readonly shared: Names;
  readonly random: Random;
}

function withUsers(before: World['users'], people: readonly string[], random: Random): World['users'] {
  return before.withMutations(map => {
    for (const name of people) {
      const user: User = { displayName: `${pick(FIRST_NAMES, random)} ${pick(LAST_NAMES, random)}`, admin: false };
      map.set(name, Object.freeze(user));
    }
  });
}

function withGroups(before: World['groups'], many: number, people: readonly string[], random: Random): World['groups'] {
  return before.withMutations(map => {
    for (let i = 1; i <= many; i += 1) {
      if (i === 1) map.set(ALL_USERS, PSet(people));
      else
        map.set(
          `group${i}`,
          PSet(Array.from({ length: random(MOST_MEMBERS + 1) }, () => pick(people, random)).filter(isName)),
        );
    }
  });
}

function withSpaces(
  before: World['spaces'],
  keys: readonly string[],
  owners: readonly string[],
  random: Random,
): World['spaces'] {
  return before.withMutations(map => {
    for (const [i, key] of keys.entries()) {
      const name = `${pick(PHRASES, random)} ${i + 1}`;
      const space: Space = { name, admins: PSet([pick(owners, random)].filter(isName)), sidebar: [] };
      map.set(key, Object.freeze(space));
    }
  });
}

/** Spread evenly, space by space, so that each space is filled in one go. */
function withPages(before: World, keys: readonly string[], many: number, means: Means): World {
  let world = before;
  let next = Math.max(FIRST_PAGE, before.nextPageId);
  for (const [i, key] of keys.entries()) {
    const here = Math.floor((many * (i + 1)) / keys.length) - Math.floor((many * i) / keys.length);
    const last = before.pageIndex.get(key)?.lastPosition ?? 0;
    const made = Array.from({ length: here }, (_, j): readonly [string, Page] => [
      String(next + j),
      page(key, next + j, last + j + 1, means),
    ]);
    if (here > 0) world = addPages(world, key, made);
    next += here;
  }
  return world;
}

/** One page in ten may be edited only by those in all-users. Phrases and instants are shared: a page costs little beyond itself. */
function page(space: string, id: number, position: number, { owners, shared, random }: Means): Page {
  const author = pick(owners, random) ?? ANONYMOUS;
  const created = pick(INSTANTS, random) ?? '';
  return {
    space,
    title: `${pick(NOUNS, random)} ${id}`,
    body: `<p>${pick(PHRASES, random)} NAME begins here, on page ${id}.</p>`,
    author,
    created,
    updatedBy: author,
    updated: created,
    version: 1,
    position,
    edit: random(10) === 0 ? shared : noNames,
    view: noNames,
  };
}

function withItems(
  before: PMap<number, Item>,
  what: string,
  many: number,
  { owners, shared, random }: Means,
): PMap<number, Item> {
  const first = Math.max(FIRST_ITEM, (before.keySeq().max() ?? 0) + 1);
  return before.withMutations(map => {
    for (let id = first; id < first + many; id += 1) {
      const audience = ([shared, 'everyone', 'everyone', 'nobody'] as const)[random(4)] ?? 'everyone';
      const name = `${pick(PHRASES, random)} ${what} ${id}`;
      map.set(id, Object.freeze({ name, owner: pick(owners, random) ?? ANONYMOUS, sharedWith: audience }));
    }
  });
}

function counted(name: string, many: number): string[] {
  return Array.from({ length: many }, (_, i) => `${name}${i + 1}`);
}

function pick<T>(among: readonly T[], random: Random): T | undefined {
  return among[random(among.length)];
}

function isName(name: string | undefined): name is string {
  return name !== undefined;
}
