// Finds records that refer to removed things. Reads the records directly, because writing a large world takes seconds.
import type { Set as PSet } from 'immutable';
import { collection } from './form/form.js';
import type { CollectionName, SparseWorldForm } from './form/form-shapes.js';
import { firstOf } from './iterables.js';
import { type Names, noNames, type Page, type World } from './world/world.js';

type Gone = ReadonlyArray<readonly [name: CollectionName, key: string]>;

/** The first records of each collection that refer to something in `gone`, by key. */
export function recordsNaming(gone: Gone, world: World, most: number): SparseWorldForm {
  const named = new Naming(gone);
  const parts = (['groups', 'spaces', 'pages', 'filters', 'dashboards', 'favourites'] as const).map(name => {
    const { read } = collection(name);
    const keys = firstOf(named.inRecords(name, world), most).sort();
    return [name, Object.fromEntries(keys.map(key => [key, read(world, key)]))] as const;
  });
  return Object.fromEntries(parts) as SparseWorldForm; // each is read from its own collection
}

class Naming {
  readonly #users: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;
  readonly #spaces: ReadonlySet<string>;
  readonly #items: { readonly filters: ReadonlySet<number>; readonly dashboards: ReadonlySet<number> };

  constructor(gone: Gone) {
    const keysOf = (name: CollectionName) => gone.flatMap(([other, key]) => (other === name ? [key] : []));
    this.#users = new Set(keysOf('users'));
    this.#groups = new Set(keysOf('groups'));
    this.#spaces = new Set(keysOf('spaces'));
    this.#items = {
      filters: new Set(keysOf('filters').map(Number)),
      dashboards: new Set(keysOf('dashboards').map(Number)),
    };
  }

  /** The keys of the records that refer to something removed. */
  *inRecords(name: Exclude<CollectionName, 'users'>, world: World): Generator<string> {
    if (name === 'groups') {
      for (const [key, members] of world.groups) if (meet(members, this.#users)) yield key;
    } else if (name === 'spaces') {
      for (const [key, { admins }] of world.spaces) if (meet(admins, this.#users)) yield key;
    } else if (name === 'pages') {
      for (const [key, page] of world.pages) if (this.#isInPage(page)) yield key;
    } else if (name === 'favourites') {
      const { filters, dashboards } = this.#items;
      if (filters.size + dashboards.size === 0) return;
      for (const [key, own] of world.favourites)
        if ((meet(own.filters, filters) || meet(own.dashboards, dashboards)) && world.users.has(key)) yield key;
    } else
      for (const [key, { owner, sharedWith }] of world[name])
        if (this.#users.has(owner) || (typeof sharedWith === 'object' && this.#isIn(sharedWith))) yield String(key);
  }

  #isInPage({ space, author, updatedBy, edit, view }: Page): boolean {
    return (
      this.#spaces.has(space) ||
      this.#users.has(author) ||
      this.#users.has(updatedBy) ||
      this.#isIn(edit) ||
      this.#isIn(view)
    );
  }

  #isIn(names: Names): boolean {
    return names !== noNames && (meet(names.users, this.#users) || meet(names.groups, this.#groups));
  }
}

/** Whether two sets have a common element; iterates over the smaller one. */
function meet<T>(some: PSet<T>, others: ReadonlySet<T>): boolean {
  if (some.size < others.size) return some.some(one => others.has(one));
  for (const one of others) if (some.has(one)) return true;
  return false;
}
