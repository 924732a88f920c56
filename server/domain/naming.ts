// Which records of a world name something that is to go: a look at each record as it is, since to write a large world out takes seconds.
import type { Set as PSet } from 'immutable';
import { collection } from './form.js';
import type { CollectionName, SparseWorldForm } from './form-shapes.js';
import { type Names, noNames, type World } from './world.js';

type Gone = ReadonlyArray<readonly [name: CollectionName, key: string]>;

/** The first records of each collection that name something of `gone`, written out, by key. */
export function recordsNaming(gone: Gone, world: World, most: number): SparseWorldForm {
  const named = new Naming(gone);
  const parts = (['groups', 'spaces', 'pages', 'filters', 'dashboards', 'favourites'] as const).map(name => {
    const { read } = collection(name);
    const keys = firstKeys(named.inRecords(name, world), most).sort();
    return [name, Object.fromEntries(keys.map(key => [key, read(world, key)]))] as const;
  });
  return Object.fromEntries(parts) as SparseWorldForm; // each is read from its own collection
}

function firstKeys(keys: Iterable<string | number>, most: number): string[] {
  const first: string[] = [];
  for (const key of keys) {
    if (first.length === most) break;
    first.push(String(key));
  }
  return first;
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

  *inRecords(name: Exclude<CollectionName, 'users'>, world: World): Generator<string | number> {
    if (name === 'groups') {
      for (const [key, members] of world.groups) if (meet(members, this.#users)) yield key;
    } else if (name === 'spaces') {
      for (const [key, { admins }] of world.spaces) if (meet(admins, this.#users)) yield key;
    } else if (name === 'pages') {
      for (const [key, { space, author, updatedBy, edit, view }] of world.pages)
        if (
          this.#spaces.has(space) ||
          this.#users.has(author) ||
          this.#users.has(updatedBy) ||
          this.#isIn(edit) ||
          this.#isIn(view)
        )
          yield key;
    } else if (name === 'favourites') {
      for (const [key, { filters, dashboards }] of world.favourites)
        if (world.users.has(key) && (meet(filters, this.#items.filters) || meet(dashboards, this.#items.dashboards)))
          yield key;
    } else
      for (const [key, { owner, sharedWith }] of world[name])
        if (this.#users.has(owner) || (typeof sharedWith === 'object' && this.#isIn(sharedWith))) yield key;
  }

  #isIn(names: Names): boolean {
    return names !== noNames && (meet(names.users, this.#users) || meet(names.groups, this.#groups));
  }
}

/** Whether two sets have something in common; the smaller one is gone through. */
function meet<T>(some: PSet<T>, others: ReadonlySet<T>): boolean {
  if (some.size < others.size) return some.some(one => others.has(one));
  for (const one of others) if (some.has(one)) return true;
  return false;
}
