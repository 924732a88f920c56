// Approximate size of the records of a world in bytes. A text counts for each record that contains it, as in the JSON form.

import type { Set as PSet } from 'immutable';
import type { Fact } from './facts.js';
import { differing } from './form/difference.js';
import { collectionNames } from './form/form.js';
import type { CollectionName } from './form/form-shapes.js';
import { runToEnd } from './world/run-to-end.js';
import {
  type Favourites,
  type Item,
  type Names,
  noFavourites,
  noPages,
  type Page,
  type Space,
  type User,
  type World,
} from './world/world.js';

/** A record and its place in the collections. */
const RECORD = 500;
/** A name or an id in a set. */
const MEMBER = 64;
/** An element of a list, which becomes a set. */
const ELEMENT = 180;
/** A user with favourites, and the name in a fact. */
const FAVOURITES = 100;
/** Members of a large group that are looked up. */
const SAMPLE = 1_000;
/** A text or an object, without its content. */
const VALUE = 48;
/** Names up to this length are part of the other figures. */
const SHORT = 32;

/** Bytes that V8 keeps for a text, at most: two for each character if one of them is beyond Latin-1. */
export function textSize(text: string): number {
  const { length } = text;
  return VALUE + (length > SHORT && Buffer.byteLength(text) === length ? length : 2 * length);
}

/** The same for a name that is counted as a part of something else. */
export function nameSize(name: string): number {
  return name.length > SHORT ? textSize(name) : 0;
}

/** Approximate memory that a fact adds to this world, at most. */
export function weighFact(fact: Fact, world: World): number {
  if (fact.type === 'favourite-added' || fact.type === 'favourite-removed')
    return VALUE + fact.users.length * (FAVOURITES + 2 * MEMBER * fact.ids.length);
  const bytes = weighValue(fact);
  if (fact.type === 'space-copied') return bytes + sizeOfSpace(world, fact.source);
  if (fact.type === 'world-patched')
    return bytes + collectionNames.reduce((sum, name) => sum + RECORD * Object.keys(fact.patch[name] ?? {}).length, 0);
  return bytes;
}

/** The size of the records of a world, without those of the world it derives from. */
export function sizeBeyond(origin: World, world: World): number {
  return runToEnd(weighing(origin, world));
}

/** The same, interruptible after each record. */
export function* weighing(origin: World, world: World): Generator<undefined, number> {
  let bytes = 0;
  const shared = new Set<Favourites>(); // many users share their favourites
  for (const name of collectionNames)
    for (const key of differing(origin[name], world[name])) {
      bytes +=
        name === 'favourites'
          ? FAVOURITES + sizeOfFavourites(world.favourites.get(key), shared)
          : nameSize(key) + (name === 'groups' ? sizeOfGroup(key, origin, world) : sizeOf(name, key, world));
      yield;
    }
  return bytes;
}

/** The size of favourites that are not counted yet. */
function sizeOfFavourites(favourites: Favourites | undefined, counted: Set<Favourites>): number {
  if (favourites === undefined || counted.has(favourites)) return 0;
  counted.add(favourites);
  const { filters, dashboards, pushed = noFavourites } = favourites;
  return RECORD + MEMBER * (filters.size + dashboards.size + pushed.filters.size + pushed.dashboards.size);
}

/** The size of a group without the members it had before, since sets of names share their parts. */
function sizeOfGroup(key: string, origin: World, world: World): number {
  const before = origin.groups.get(key);
  return of(world.groups.get(key), members => {
    if (before === undefined) return ofSet(members);
    const step = Math.ceil(members.size / SAMPLE);
    let i = 0;
    return step * members.reduce((sum, name) => (i++ % step > 0 || before.has(name) ? sum : sum + ofName(name)), 0);
  });
}

function sizeOfSpace(world: World, key: string): number {
  let bytes = sizeOf('spaces', key, world);
  for (const id of (world.pageIndex.get(key) ?? noPages).ids) bytes += sizeOf('pages', id, world);
  return bytes;
}

/** The size of a record; 0 if there is none. */
function sizeOf(name: Exclude<CollectionName, 'favourites'>, key: string, world: World): number {
  switch (name) {
    case 'users':
      return of(world.users.get(key), ofUser);
    case 'groups':
      return of(world.groups.get(key), ofSet);
    case 'spaces':
      return of(world.spaces.get(key), ofSpace);
    case 'pages':
      return of(world.pages.get(key), ofPage);
    case 'filters':
    case 'dashboards':
      return of(world[name].get(Number(key)), ofItem);
  }
}

function of<T>(record: T | undefined, bytes: (record: T) => number): number {
  return record === undefined ? 0 : RECORD + bytes(record);
}

function ofUser({ displayName, password = '', token = '' }: User): number {
  return textSize(displayName) + textSize(password) + textSize(token);
}

function ofSpace({ name, admins, sidebar }: Space): number {
  return (
    textSize(name) +
    ofSet(admins) +
    sidebar.reduce((sum, { label, url }) => sum + MEMBER + textSize(label) + textSize(url), 0)
  );
}

function ofPage({ title, body, edit, view }: Page): number {
  return textSize(title) + textSize(body) + ofNames(edit) + ofNames(view);
}

function ofItem({ name, sharedWith }: Item): number {
  return textSize(name) + (typeof sharedWith === 'string' ? 0 : ofNames(sharedWith));
}

function ofNames({ users, groups }: Names): number {
  return ofSet(users) + ofSet(groups);
}

function ofSet(names: PSet<string>): number {
  return names.reduce((sum, name) => sum + ofName(name), 0);
}

function ofName(name: string): number {
  return MEMBER + nameSize(name);
}

/** Every text and every element in it, at any depth. */
export function weighValue(value: unknown): number {
  if (typeof value === 'string') return textSize(value);
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = VALUE + (Array.isArray(value) ? ELEMENT * value.length : 0);
  for (const key in value) bytes += weighValue(value[key as keyof typeof value]);
  return bytes;
}
