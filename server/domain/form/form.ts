// Converts a world to and from its JSON form, a complete fixture: names sorted where order has no meaning, ids as keys. Worlds leave the process only
// in this form.
import { Set as PSet } from 'immutable';
import { addPages, lastPositionIn, putPage, removePage } from '../world/pages.js';
import { cachedList, sortedNames } from '../world/sorted-names.js';
import {
  ANONYMOUS,
  emptyWorld,
  favouritesOf,
  type Item,
  type ItemKind,
  type Page,
  type World,
} from '../world/world.js';
import { buildInPlace } from '../world/world-builder.js';
import type { CollectionName, Forms, SparseForm, SparseWorldForm, WorldForm } from './form-shapes.js';
import { favouritesForm, favouritesFrom, namesForm, namesFrom, pageFrom } from './record-forms.js';

interface Collection<C extends CollectionName> {
  keys(world: World): Iterable<string>;
  read(world: World, key: string): Forms[C] | undefined;
  write(world: World, key: string, form: SparseForm<C>): World;
  remove(world: World, key: string): World;
}

export const collections: { readonly [C in CollectionName]: Collection<C> } = {
  users: {
    keys: world => world.users.keys(),
    read: (world, key) => world.users.get(key),
    write: (world, key, form) => {
      const { displayName = key, admin = false, password, token } = form;
      const user = Object.freeze({
        displayName,
        admin,
        ...(password !== undefined && { password }),
        ...(token !== undefined && { token }),
      });
      const tokens = tokensWithout(world, key);
      return {
        ...world,
        users: world.users.set(key, user),
        tokens: token === undefined ? tokens : tokens.set(token, key),
      };
    },
    remove: (world, key) => ({
      ...world,
      tokens: tokensWithout(world, key), // before the user is gone, which may be in place
      users: world.users.delete(key),
      favourites: world.favourites.delete(key),
    }),
  },
  groups: {
    keys: world => world.groups.keys(),
    read: (world, key) => {
      const members = world.groups.get(key);
      return members && [...sortedNames(members)];
    },
    write: (world, key, form) => ({ ...world, groups: world.groups.set(key, PSet(form)) }),
    remove: (world, key) => ({ ...world, groups: world.groups.delete(key) }),
  },
  spaces: {
    keys: world => world.spaces.keys(),
    read: (world, key) => {
      const space = world.spaces.get(key);
      return (
        space && {
          ...space,
          admins: [...sortedNames(space.admins)],
          sidebar: space.sidebar.map(link => ({ ...link })),
        }
      );
    },
    write: (world, key, { name = key, admins = [], sidebar = [] }) => ({
      ...world,
      spaces: world.spaces.set(
        key,
        Object.freeze({ name, admins: PSet(admins), sidebar: sidebar.map(link => Object.freeze({ ...link })) }),
      ),
    }),
    remove: (world, key) => ({ ...world, spaces: world.spaces.delete(key) }),
  },
  pages: {
    keys: world => world.pages.keys(),
    read: (world, key) => {
      const page = world.pages.get(key);
      return page && { ...page, edit: namesForm(page.edit), view: namesForm(page.view) };
    },
    write: (world, key, form) => putPage(world, key, pageFrom(form, lastPositionIn(world, form.space ?? ''))),
    remove: removePage,
  },
  filters: items('filters'),
  dashboards: items('dashboards'),
  favourites: {
    keys: world => world.users.keys(),
    read: (world, key) => (world.users.has(key) ? favouritesForm(favouritesOf(world, key)) : undefined),
    write: (world, key, { filters = [], dashboards = [] }) => ({
      ...world,
      favourites:
        filters.length + dashboards.length === 0
          ? world.favourites.delete(key) // users without favourites need no entry
          : world.favourites.set(key, favouritesFrom({ filters, dashboards }, favouritesOf(world, key))),
    }),
    remove: (world, key) => ({ ...world, favourites: world.favourites.delete(key) }),
  },
};

export const collectionNames = Object.keys(collections) as CollectionName[];

/** A collection for code that does not care which. */
export function collection(name: CollectionName): Collection<CollectionName> {
  return collections[name] as unknown as Collection<CollectionName>; // the names are the keys of the table
}

export function formOf(world: World): WorldForm {
  const parts = collectionNames.map(name => [name, Object.fromEntries(recordForms(world, name))] as const);
  return {
    ...Object.fromEntries(parts),
    licence: { ...world.licence },
    nextPageId: world.nextPageId,
  } as unknown as WorldForm; // one entry for each collection
}

/** The records of a collection with their keys, each made when it is taken. */
export function* recordForms(
  world: World,
  name: CollectionName,
): Generator<readonly [key: string, record: unknown], undefined> {
  const { read } = collection(name);
  for (const key of sortedByKey(world, name)) yield [key, read(world, key)];
}

/** The keys of a collection in natural order: ids by number. */
export function sortedByKey(world: World, name: CollectionName): readonly string[] {
  const isId = name === 'pages' || name === 'filters' || name === 'dashboards';
  return cachedList(mapOf(world, name), () => [...collection(name).keys(world)].sort(isId ? byNumber : undefined));
}

/** The map with the keys of a collection: every user has favourites in the form, even if not in the world. */
export function mapOf(world: World, name: CollectionName): World[Exclude<CollectionName, 'favourites'>] {
  return world[name === 'favourites' ? 'users' : name];
}

function byNumber(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** The world of a fixture, laid over `base`. The form must be valid. */
export function worldFrom(form: SparseWorldForm, base: World = emptyWorld): World {
  const world = buildInPlace(base, open => written(open, form));
  return {
    ...world,
    licence: Object.freeze({ ppf: form.licence?.ppf ?? world.licence.ppf }),
    nextPageId: Math.max(world.nextPageId, form.nextPageId ?? 1),
  };
}

function written(open: World, form: SparseWorldForm): World {
  let laid = open;
  for (const name of collectionNames) {
    const { write } = collection(name);
    if (name === 'pages') laid = writePages(laid, Object.entries(form.pages ?? {}));
    else
      for (const [key, record] of Object.entries(form[name] ?? {}))
        laid = write(laid, key, record as SparseForm<CollectionName>); // the form was validated
  }
  return laid;
}

/** New pages of a space are added together, changed pages one by one. */
export function writePages(world: World, records: Iterable<readonly [id: string, form: SparseForm<'pages'>]>): World {
  let laid = world;
  const added = new Map<string, Array<readonly [id: string, page: Page]>>();
  const last = new Map<string, number>();
  for (const [id, form] of records) {
    const { space = '' } = form;
    const before = last.get(space) ?? lastPositionIn(laid, space);
    const page = pageFrom(form, before);
    last.set(space, Math.max(before, page.position));
    const others = added.get(space);
    if (laid.pages.has(id)) laid = putPage(laid, id, page);
    else if (others === undefined) added.set(space, [[id, page]]);
    else others.push([id, page]);
  }
  for (const [space, pages] of added) laid = addPages(laid, space, pages);
  return laid;
}

function items<K extends ItemKind>(kind: K): Collection<K> {
  const table: Collection<ItemKind> = {
    keys: world => world[kind].keySeq().map(String),
    read: (world, key) => {
      const item = world[kind].get(Number(key));
      return (
        item && {
          ...item,
          sharedWith: typeof item.sharedWith === 'string' ? item.sharedWith : namesForm(item.sharedWith),
        }
      );
    },
    write: (world, key, { name = key, owner = ANONYMOUS, sharedWith = 'nobody' }) => {
      const audience: Item['sharedWith'] = typeof sharedWith === 'string' ? sharedWith : namesFrom(sharedWith);
      return { ...world, [kind]: world[kind].set(Number(key), Object.freeze({ name, owner, sharedWith: audience })) };
    },
    remove: (world, key) => ({ ...world, [kind]: world[kind].delete(Number(key)) }),
  };
  return table as unknown as Collection<K>; // filters and dashboards have one form
}

function tokensWithout(world: World, user: string): World['tokens'] {
  const token = world.users.get(user)?.token;
  return token === undefined || world.tokens.get(token) !== user ? world.tokens : world.tokens.delete(token);
}
