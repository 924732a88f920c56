// Generates a large world from a recipe, directly in persistent collections: its YAML form would take longer. The same numbers give the same world.

import { type Map as PMap, Set as PSet } from 'immutable';
import { addPages } from '../../domain/world/pages.js';
import { sortedNames } from '../../domain/world/sorted-names.js';
import {
  ANONYMOUS,
  type Item,
  type Names,
  noNames,
  type Page,
  type Space,
  type User,
  type World,
} from '../../domain/world/world.js';
import { type Random, randomOf } from '../../engine/faults/random.js';
import type { Recipe } from '../format/fixture-format.js';

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
/** Size limits of groups: the first group has all users, the others up to this number. */
const ALL_USERS = 'all-users';
const MAX_MEMBERS = 50;
/** Maximum records of a recipe: some hundred megabytes. */
const MAX_RECORDS = 1_100_000;
/** In a running server: a quarter of that, while others wait now and then. */
const MAX_RECORDS_RUNNING = 250_000;
/** Records that a group counts for, because of its members. */
const GROUP = 20;

/** Why a recipe is impossible, if it is. */
export function recipeProblem(recipe: Recipe, base: World, isRunning: boolean): string | undefined {
  const { users = 0, groups = 0, spaces = 0, pages = 0, filters = 0, dashboards = 0 } = recipe;
  const records = users + GROUP * groups + spaces + pages + filters + dashboards;
  const most = isRunning ? MAX_RECORDS_RUNNING : MAX_RECORDS;
  if (records > most)
    return `This recipe has ${records} records, counting each group ${GROUP} times for its members, but ${isRunning ? 'a running server' : 'this fake'} generates at most ${most}.${isRunning ? ' Use a smaller recipe, or start the server with this file.' : ''}`;
  if (pages > 0 && spaces + base.spaces.size === 0) return 'A recipe with pages needs at least one space.';
  if (filters + dashboards > 0 && users + base.users.size === 0)
    return 'A recipe with filters or dashboards needs at least one user.';
  return undefined;
}

/** Things generated in one piece. */
const PIECE = 1_000;

/** Names sorted in one piece. */
const MAX_SORTED = 100_000;

/** The world of a recipe, laid over another; interruptible after each thousand things. */
export function* making(recipe: Recipe, base: World): Generator<unknown, World> {
  const { users = 0, groups = 0, spaces = 0, pages = 0, filters = 0, dashboards = 0, seed = 1 } = recipe;
  const random = randomOf(seed);
  const people = counted('user', users);
  const peopled: World = { ...base, users: yield* withUsers(base.users, people, random) };
  const owners = people.length > 0 ? people : [...base.users.keys()].sort();
  const grouped: World = { ...peopled, groups: yield* withGroups(base.groups, groups, people, random) };
  const shared: Names = Object.freeze({ users: PSet<string>(), groups: PSet(groups > 0 ? [ALL_USERS] : []) });
  const keys = spaces > 0 ? counted('space', spaces) : [...base.spaces.keys()].sort();
  const spaced: World = { ...grouped, spaces: yield* withSpaces(base.spaces, spaces > 0 ? keys : [], owners, random) };
  const paged = yield* withPages(spaced, keys, pages, { owners, shared, random });
  const means = { owners, shared, random };
  return {
    ...paged,
    filters: yield* withItems(base.filters, 'filter', filters, means),
    dashboards: yield* withItems(base.dashboards, 'dashboard', dashboards, means),
  };
}

interface Means {
  readonly owners: readonly string[];
  readonly shared: Names;
  readonly random: Random;
}

/** A collection with the entries of some keys. */
function* filled<K extends string | number, T, V>(
  before: PMap<K, V>,
  things: Iterable<T>,
  entry: (thing: T) => readonly [key: K, value: V],
): Generator<unknown, PMap<K, V>> {
  const map = before.asMutable();
  let made = 0;
  for (const thing of things) {
    map.set(...entry(thing));
    made += 1;
    if (made % PIECE === 0) yield;
  }
  return map.wasAltered() ? map.asImmutable() : before;
}

function withUsers(before: World['users'], people: readonly string[], random: Random) {
  return filled(before, people, (name): [string, User] => {
    const user: User = { displayName: `${pick(FIRST_NAMES, random)} ${pick(LAST_NAMES, random)}`, admin: false };
    return [name, Object.freeze(user)];
  });
}

function* withGroups(
  before: World['groups'],
  many: number,
  people: readonly string[],
  random: Random,
): Generator<unknown, World['groups']> {
  if (many === 0) return before;
  const all = PSet<string>().asMutable();
  for (const [i, name] of people.entries()) {
    all.add(name);
    if (i % PIECE === 0) yield;
  }
  const some = () => Array.from({ length: random(MAX_MEMBERS + 1) }, () => pick(people, random)).filter(isName);
  const others = Array.from({ length: many - 1 }, (_, i) => `group${i + 2}`);
  const everybody = all.asImmutable();
  if (people.length <= MAX_SORTED) sortedNames(everybody); // otherwise the first request that needs the order would sort them
  yield;
  return yield* filled(before.set(ALL_USERS, everybody), others, name => [name, PSet(some())]);
}

function withSpaces(before: World['spaces'], keys: readonly string[], owners: readonly string[], random: Random) {
  return filled(before, keys.entries(), ([i, key]): [string, Space] => {
    const name = `${pick(PHRASES, random)} ${i + 1}`;
    const space: Space = { name, admins: PSet([pick(owners, random)].filter(isName)), sidebar: [] };
    return [key, Object.freeze(space)];
  });
}

/** Spread evenly, space by space, so that each space is filled in few pieces. */
function* withPages(before: World, keys: readonly string[], many: number, means: Means): Generator<unknown, World> {
  let world = before;
  let next = Math.max(FIRST_PAGE, before.nextPageId);
  for (const [i, key] of keys.entries()) {
    const end = next + Math.floor((many * (i + 1)) / keys.length) - Math.floor((many * i) / keys.length);
    let position = before.pageIndex.get(key)?.lastPosition ?? 0;
    while (next < end) {
      const made: Array<readonly [string, Page]> = [];
      for (; next < end && made.length < PIECE; next += 1) {
        position += 1;
        made.push([String(next), page(key, next, position, means)]);
      }
      world = addPages(world, key, made);
      yield;
    }
  }
  return world;
}

/** One page in ten is editable only for all-users. Phrases and instants are shared, so a page needs little memory. */
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

function withItems(before: PMap<number, Item>, what: string, many: number, { owners, shared, random }: Means) {
  const first = Math.max(FIRST_ITEM, (before.keySeq().max() ?? 0) + 1);
  const ids = Array.from({ length: many }, (_, i) => first + i);
  return filled(before, ids, (id): [number, Item] => {
    const audience = ([shared, 'everyone', 'everyone', 'nobody'] as const)[random(4)] ?? 'everyone';
    const name = `${pick(PHRASES, random)} ${what} ${id}`;
    return [id, Object.freeze({ name, owner: pick(owners, random) ?? ANONYMOUS, sharedWith: audience })];
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
