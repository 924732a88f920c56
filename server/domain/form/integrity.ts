// Checks references: every name used in a form must exist.
import type { Map as PMap } from 'immutable';
import type { Path } from '../json/json-pointer.js';
import { pagesTitled } from '../world/pages.js';
import { ANONYMOUS, type World } from '../world/world.js';
import type { SparseForm, SparseNames, SparseWorldForm } from './form-shapes.js';

export interface Dangling {
  /** Path in the form; for a key, the last step is the key itself. */
  readonly path: Path;
  readonly found: string;
  readonly wanted:
    | 'user'
    | 'group'
    | 'space'
    | 'filter'
    | 'dashboard'
    | 'other title'
    | 'other user name'
    | 'other token';
  /** The valid names, if there are any. */
  readonly allowed: () => Iterable<string>;
}

/** Every name in `form` that does not exist in the world with this form. */
export function* danglingIn(form: SparseWorldForm, world: World): Generator<Dangling> {
  yield* userProblems(form, world);
  for (const [key, members] of Object.entries(form.groups ?? {})) yield* users(world, ['groups', key], members);
  for (const [key, space] of Object.entries(form.spaces ?? {}))
    yield* users(world, ['spaces', key, 'admins'], space.admins);
  for (const [key, page] of Object.entries(form.pages ?? {})) {
    yield* pageProblems(world, key, page);
  }
  for (const kind of ['filters', 'dashboards'] as const) {
    for (const [key, item] of Object.entries(form[kind] ?? {})) {
      if (item.owner !== undefined) yield* users(world, [kind, key, 'owner'], [item.owner], false);
      if (typeof item.sharedWith === 'object') yield* names(world, [kind, key, 'sharedWith'], item.sharedWith);
    }
  }
  for (const [key, favourites] of Object.entries(form.favourites ?? {})) {
    yield* favouriteProblems(world, key, favourites);
  }
}

function* userProblems(form: SparseWorldForm, world: World): Generator<Dangling> {
  const users = Object.entries(form.users ?? {});
  const elsewhere = users.some(([, { token }]) => token !== undefined) ? tokensBesides(form, world) : new Set<string>();
  for (const [key, { token }] of users) {
    if (key === ANONYMOUS) yield dangling(['users', key], key, 'other user name');
    if (token !== undefined && (world.tokens.get(token) !== key || elsewhere.has(token)))
      yield dangling(['users', key, 'token'], 'a token of another user', 'other token');
  }
}

function tokensBesides({ users = {} }: SparseWorldForm, world: World): Set<string> {
  const tokens = new Set<string>();
  world.users.forEach(({ token }, key) => {
    if (token !== undefined && !Object.hasOwn(users, key)) tokens.add(token);
  });
  return tokens;
}

function* pageProblems(world: World, id: string, page: SparseForm<'pages'>): Generator<Dangling> {
  const { space = '', title = '' } = page;
  if (!world.spaces.has(space)) yield dangling(['pages', id, 'space'], space, 'space', world.spaces);
  if (pagesTitled(world, space, title) > 1) yield dangling(['pages', id, 'title'], title, 'other title');
  for (const field of ['author', 'updatedBy'] as const) {
    const user = page[field];
    if (user !== undefined && user !== ANONYMOUS) yield* users(world, ['pages', id, field], [user], false);
  }
  yield* names(world, ['pages', id, 'edit'], page.edit);
  yield* names(world, ['pages', id, 'view'], page.view);
}

function* favouriteProblems(world: World, user: string, favourites: SparseForm<'favourites'>): Generator<Dangling> {
  if (!world.users.has(user)) yield dangling(['favourites', user], user, 'user', world.users);
  for (const [kind, wanted] of [
    ['filters', 'filter'],
    ['dashboards', 'dashboard'],
  ] as const) {
    for (const [i, id] of (favourites[kind] ?? []).entries())
      if (!world[kind].has(id)) yield dangling(['favourites', user, kind, i], String(id), wanted, world[kind]);
  }
}

function* names(world: World, path: Path, { users: userNames, groups = [] }: SparseNames = {}): Generator<Dangling> {
  yield* users(world, [...path, 'users'], userNames);
  for (const [i, group] of groups.entries())
    if (!world.groups.has(group)) yield dangling([...path, 'groups', i], group, 'group', world.groups);
}

function* users(world: World, path: Path, userNames: readonly string[] = [], isList = true): Generator<Dangling> {
  for (const [i, user] of userNames.entries())
    if (!world.users.has(user)) yield dangling(isList ? [...path, i] : path, user, 'user', world.users);
}

function dangling(
  path: Path,
  found: string,
  wanted: Dangling['wanted'],
  among?: PMap<string | number, unknown>,
): Dangling {
  return { path, found, wanted, allowed: () => among?.keySeq().map(String) ?? [] };
}
