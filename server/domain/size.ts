// Approximate size of the records of a world in bytes. A text counts for each record that contains it, as in the JSON form.

import type { Fact } from './facts.js';
import { differing } from './form/difference.js';
import { collectionNames } from './form/form.js';
import type { CollectionName } from './form/form-shapes.js';
import type { WorldPatch } from './form/patch.js';
import { pagesIn } from './page-order.js';
import {
  favouritesOf,
  type Item,
  type ItemKind,
  MAX_SESSIONS,
  type Names,
  noPages,
  type Page,
  type Space,
  type User,
  type World,
} from './world.js';

/** A record and its place in the collections. */
const RECORD = 500;
/** A name or an id in a set. */
const MEMBER = 64;
/** An element of a list, which becomes a set. */
const ELEMENT = 180;
/** A session and its user. */
const SESSION = 300;
/** A text or an object, without its content. */
const VALUE = 48;

/** Added and removed bytes. */
export interface Growth {
  readonly added: number;
  readonly removed: number;
}

/** Pairs of a user and an item that are ignored. */
const FEW = 10_000;

/** A world before and after a fact, and the world that both derive from, whose own records cost nothing. */
interface Step {
  readonly origin: World;
  readonly before: World;
  readonly after: World;
}

/** The effect of facts on the size of a world. `before` and `after`: the world before the first, and after the last. */
export function growth(facts: readonly Fact[], step: Step): Growth {
  let added = 0;
  let removed = 0;
  for (const fact of facts) {
    const one = growthOf(fact, step);
    added += one.added;
    removed += one.removed;
  }
  return { added, removed };
}

function growthOf(fact: Fact, step: Step): Growth {
  switch (fact.type) {
    case 'group-created':
      return { added: RECORD, removed: 0 };
    case 'group-member-added':
      return { added: MEMBER, removed: 0 };
    case 'group-member-removed':
      return { added: 0, removed: MEMBER };
    case 'favourite-added':
      return { added: sizeOfFavourites(fact, step.after), removed: 0 };
    case 'favourite-removed':
      return { added: 0, removed: sizeOfFavourites(fact, step.before) };
    case 'group-members-set':
      return replaced('groups', fact.group, step);
    case 'page-permission-added':
    case 'page-permission-removed':
      return between(sizeOf('pages', fact.page, step.before), sizeOf('pages', fact.page, step.after));
    case 'page-text-replaced':
      return replaced('pages', fact.page, step);
    case 'sidebar-link-added':
    case 'sidebar-link-replaced':
      return replaced('spaces', fact.space, step);
    case 'space-copied':
      return { added: sizeOfSpace(step.after, fact.target), removed: 0 };
    case 'session-started':
      return { added: SESSION, removed: step.before.sessions.size >= MAX_SESSIONS ? SESSION : 0 };
    case 'session-ended':
      return { added: 0, removed: step.before.sessions.has(fact.key) ? SESSION : 0 };
    case 'world-patched':
      return patched(fact.patch, step);
  }
}

/** Many users share their common favourites. */
function sizeOfFavourites({ item, ids, users }: Extract<Fact, { item: ItemKind }>, world: World): number {
  if (users.length * ids.length <= FEW) return MEMBER * users.length * ids.length;
  const sets = new Set<unknown>();
  if (users.length * 2 < world.favourites.size) for (const user of users) sets.add(favouritesOf(world, user)[item]);
  else world.favourites.forEach(favourites => void sets.add(favourites[item])); // faster than looking up half of them
  return MEMBER * (users.length + sets.size * ids.length);
}

/** One record replaces another. */
function replaced(name: CollectionName, key: string, { origin, before, after }: Step): Growth {
  const isShared = recordOf(name, key, before) === recordOf(name, key, origin);
  return { added: sizeOf(name, key, after), removed: isShared ? 0 : sizeOf(name, key, before) };
}

function recordOf(name: CollectionName, key: string, world: World): unknown {
  return name === 'filters' || name === 'dashboards' ? world[name].get(Number(key)) : world[name].get(key);
}

/** The common parts of both records are shared. */
function between(before: number, after: number): Growth {
  return after > before ? { added: after - before, removed: 0 } : { added: 0, removed: before - after };
}

function patched(patch: WorldPatch, step: Step): Growth {
  let added = 0;
  let removed = 0;
  for (const name of collectionNames) {
    for (const key in patch[name]) {
      const one = replaced(name, key, step);
      added += one.added;
      removed += one.removed;
    }
  }
  return { added, removed };
}

/** The size of the records of a world, without those of the world it derives from. */
export function sizeBeyond(origin: World, world: World): number {
  let bytes = SESSION * world.sessions.size;
  for (const name of collectionNames)
    for (const key of differing(origin[name], world[name])) bytes += sizeOf(name, key, world);
  return bytes;
}

function sizeOfSpace(world: World, key: string): number {
  let bytes = sizeOf('spaces', key, world);
  for (const { id } of pagesIn((world.pageIndex.get(key) ?? noPages).order)) bytes += sizeOf('pages', id, world);
  return bytes;
}

/** The size of a record; 0 if there is none. */
function sizeOf(name: CollectionName, key: string, world: World): number {
  switch (name) {
    case 'users':
      return of(world.users.get(key), ofUser);
    case 'groups':
      return of(world.groups.get(key), members => MEMBER * members.size);
    case 'spaces':
      return of(world.spaces.get(key), ofSpace);
    case 'pages':
      return of(world.pages.get(key), ofPage);
    case 'filters':
    case 'dashboards':
      return of(world[name].get(Number(key)), ofItem);
    case 'favourites':
      return of(world.favourites.get(key), ({ filters, dashboards }) => MEMBER * (filters.size + dashboards.size));
  }
}

function of<T>(record: T | undefined, bytes: (record: T) => number): number {
  return record === undefined ? 0 : RECORD + bytes(record);
}

function ofUser({ displayName, password = '', token = '' }: User): number {
  return displayName.length + password.length + token.length;
}

function ofSpace({ name, admins, sidebar }: Space): number {
  return (
    name.length +
    MEMBER * admins.size +
    sidebar.reduce((sum, { label, url }) => sum + MEMBER + label.length + url.length, 0)
  );
}

function ofPage({ title, body, edit, view }: Page): number {
  return Buffer.byteLength(title) + Buffer.byteLength(body) + ofNames(edit) + ofNames(view);
}

function ofItem({ name, sharedWith }: Item): number {
  return name.length + (typeof sharedWith === 'string' ? 0 : ofNames(sharedWith));
}

function ofNames({ users, groups }: Names): number {
  return MEMBER * (users.size + groups.size);
}

/** Every text and every element in it, at any depth. */
export function weighValue(value: unknown): number {
  if (typeof value === 'string') return VALUE + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = VALUE + (Array.isArray(value) ? ELEMENT * value.length : 0);
  for (const key in value) bytes += weighValue(value[key as keyof typeof value]);
  return bytes;
}
