// Checks references: every name used in a form must exist.

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
    if (key === ANONYMOUS) yield { path: ['users', key], found: key, wanted: 'other user name', allowed: () => [] };
    if (token !== undefined && (world.tokens.get(token) !== key || elsewhere.has(token))) {
      yield {
        path: ['users', key, 'token'],
        found: 'a token of another user',
        wanted: 'other token',
        allowed: () => [],
      };
    }
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
  const { space = '', title = '', author, updatedBy } = page;
  if (!world.spaces.has(space))
    yield { path: ['pages', id, 'space'], found: space, wanted: 'space', allowed: () => world.spaces.keys() };
  if (pagesTitled(world, space, title) > 1) {
    yield { path: ['pages', id, 'title'], found: title, wanted: 'other title', allowed: () => [] };
  }
  if (author !== undefined && author !== ANONYMOUS) yield* users(world, ['pages', id, 'author'], [author], false);
  if (updatedBy !== undefined && updatedBy !== ANONYMOUS)
    yield* users(world, ['pages', id, 'updatedBy'], [updatedBy], false);
  yield* names(world, ['pages', id, 'edit'], page.edit);
  yield* names(world, ['pages', id, 'view'], page.view);
}

function* favouriteProblems(world: World, user: string, favourites: SparseForm<'favourites'>): Generator<Dangling> {
  if (!world.users.has(user))
    yield { path: ['favourites', user], found: user, wanted: 'user', allowed: () => world.users.keys() };
  for (const [kind, wanted] of [
    ['filters', 'filter'],
    ['dashboards', 'dashboard'],
  ] as const) {
    for (const [i, id] of (favourites[kind] ?? []).entries()) {
      if (world[kind].has(id)) continue;
      yield {
        path: ['favourites', user, kind, i],
        found: String(id),
        wanted,
        allowed: () => world[kind].keySeq().map(String),
      };
    }
  }
}

function* names(world: World, path: Path, { users: userNames, groups }: SparseNames = {}): Generator<Dangling> {
  yield* users(world, [...path, 'users'], userNames);
  for (const [i, group] of (groups ?? []).entries()) {
    if (!world.groups.has(group))
      yield { path: [...path, 'groups', i], found: group, wanted: 'group', allowed: () => world.groups.keys() };
  }
}

function* users(world: World, path: Path, userNames: readonly string[] = [], isList = true): Generator<Dangling> {
  for (const [i, user] of userNames.entries()) {
    if (!world.users.has(user))
      yield { path: isList ? [...path, i] : path, found: user, wanted: 'user', allowed: () => world.users.keys() };
  }
}
