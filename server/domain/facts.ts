// What can happen to a world, and what the world is afterwards. Pure; knows nothing of who asked or why.
import { Set as PSet } from 'immutable';
import { addPages, pagesOf, putPage } from './pages.js';
import { applyPatch, type WorldPatch } from './patch.js';
import {
  favouritesOf,
  type ItemKind,
  type Names,
  type Page,
  type Permission,
  type SidebarLink,
  type World,
} from './world.js';

/** The payload of each fact, by its name. Each is plain JSON. */
export interface Facts {
  'group-created': { group: string };
  'group-member-added': { group: string; user: string };
  'group-member-removed': { group: string; user: string };
  /** The whole membership replaced at once. */
  'group-members-set': { group: string; users: readonly string[] };
  'page-permission-added': {
    page: string;
    permission: Permission;
    users: readonly string[];
    groups: readonly string[];
  };
  'page-permission-removed': {
    page: string;
    permission: Permission;
    users: readonly string[];
    groups: readonly string[];
  };
  'sidebar-link-added': { space: string; label: string; url: string };
  /** Takes the place of every link with the same label. */
  'sidebar-link-replaced': { space: string; label: string; url: string };
  /** `restamp` absent: each page keeps its authors and dates. `firstPageId`: the first of as many ids as the source has pages. */
  'space-copied': {
    source: string;
    target: string;
    name: string;
    admins: readonly string[];
    firstPageId: number;
    restamp?: { author: string; at: string };
  };
  'page-text-replaced': { page: string; title: string; body: string; by: string; at: string };
  'favourite-added': { item: ItemKind; id: number; users: readonly string[] };
  'favourite-removed': { item: ItemKind; id: number; users: readonly string[] };
  /** A merge-patch (RFC 7396) of the world's JSON form, checked before it became a fact. */
  'world-patched': { patch: WorldPatch };
}

export type FactType = keyof Facts;
export type Fact = { [T in FactType]: { readonly type: T } & Readonly<Facts[T]> }[FactType];
type FactOf<T extends FactType> = Extract<Fact, { type: T }>;

const evolvers: { [T in FactType]: (world: World, fact: FactOf<T>) => World } = {
  'group-created': (world, { group }) => withMembers(world, group, members => members),
  'group-member-added': (world, { group, user }) => withMembers(world, group, members => members.add(user)),
  'group-member-removed': (world, { group, user }) => withMembers(world, group, members => members.delete(user)),
  'group-members-set': (world, { group, users }) => withMembers(world, group, () => PSet(users)),
  'page-permission-added': (world, fact) =>
    withPermission(world, fact, ({ users, groups }) => ({
      users: users.union(fact.users),
      groups: groups.union(fact.groups),
    })),
  'page-permission-removed': (world, fact) =>
    withPermission(world, fact, ({ users, groups }) => ({
      users: users.subtract(fact.users),
      groups: groups.subtract(fact.groups),
    })),
  'sidebar-link-added': (world, { space, label, url }) =>
    withSidebar(world, space, links => [...links, { label, url }]),
  'sidebar-link-replaced': (world, { space, label, url }) =>
    withSidebar(world, space, links => {
      const at = links.findIndex(link => link.label === label);
      return links.flatMap((link, i) => (link.label !== label ? [link] : i === at ? [{ label, url }] : []));
    }),
  'space-copied': copySpace,
  'page-text-replaced': (world, { page, title, body, by, at }) => {
    const before = world.pages.get(page);
    if (before === undefined) return world;
    return putPage(world, page, { ...before, title, body, updatedBy: by, updated: at, version: before.version + 1 });
  },
  'favourite-added': (world, { item, id, users }) => withFavourites(world, item, users, ids => ids.add(id)),
  'favourite-removed': (world, { item, id, users }) => withFavourites(world, item, users, ids => ids.delete(id)),
  'world-patched': (world, { patch }) => applyPatch(world, patch),
};

/** The world after one fact. The same world and fact always give the same world. */
export function evolve(world: World, fact: Fact): World {
  const evolver = evolvers[fact.type] as (world: World, fact: Fact) => World; // the table pairs each type with its own fact
  return evolver(world, fact);
}

/** The world after several facts, in their order. Members who join one group in a row come to it in one step. */
export function evolveAll(world: World, facts: readonly Fact[]): World {
  let after = world;
  for (let i = 0; i < facts.length; ) {
    const run = joiningFrom(facts, i);
    const fact = facts[i];
    if (run.length > 1)
      after = withMembers(after, run[0]?.group ?? '', members => members.union(run.map(({ user }) => user)));
    else if (fact !== undefined) after = evolve(after, fact);
    i += Math.max(1, run.length);
  }
  return after;
}

/** The facts from a place on that add members to one and the same group. */
function joiningFrom(facts: readonly Fact[], start: number): Array<FactOf<'group-member-added'>> {
  const run: Array<FactOf<'group-member-added'>> = [];
  for (let i = start; i < facts.length; i += 1) {
    const fact = facts[i];
    if (fact?.type !== 'group-member-added' || (run[0] !== undefined && fact.group !== run[0].group)) break;
    run.push(fact);
  }
  return run;
}

function withMembers(world: World, group: string, change: (members: PSet<string>) => PSet<string>): World {
  return { ...world, groups: world.groups.set(group, change(world.groups.get(group) ?? PSet<string>())) };
}

function withPermission(
  world: World,
  { page, permission }: { page: string; permission: Permission },
  change: (names: Names) => Names,
): World {
  const before = world.pages.get(page);
  if (before === undefined) return world;
  const after: Page = { ...before, [permission]: Object.freeze(change(before[permission])) };
  return { ...world, pages: world.pages.set(page, Object.freeze(after)) };
}

function withSidebar(
  world: World,
  key: string,
  change: (links: readonly SidebarLink[]) => readonly SidebarLink[],
): World {
  const space = world.spaces.get(key);
  if (space === undefined) return world;
  return { ...world, spaces: world.spaces.set(key, Object.freeze({ ...space, sidebar: change(space.sidebar) })) };
}

function withFavourites(
  world: World,
  item: ItemKind,
  users: readonly string[],
  change: (ids: PSet<number>) => PSet<number>,
): World {
  const favourites = world.favourites.withMutations(map => {
    for (const user of users) {
      const before = favouritesOf(world, user);
      map.set(user, Object.freeze({ ...before, [item]: change(before[item]) }));
    }
  });
  return { ...world, favourites };
}

function copySpace(world: World, fact: FactOf<'space-copied'>): World {
  const source = world.spaces.get(fact.source);
  if (source === undefined) return world;
  const space = Object.freeze({ name: fact.name, admins: PSet(fact.admins), sidebar: source.sidebar });
  const stamp = fact.restamp && {
    author: fact.restamp.author,
    updatedBy: fact.restamp.author,
    created: fact.restamp.at,
    updated: fact.restamp.at,
  };
  const pages = pagesOf(world, fact.source).map(
    ([, page], i) => [String(fact.firstPageId + i), { ...page, ...stamp, space: fact.target, version: 1 }] as const,
  );
  return addPages({ ...world, spaces: world.spaces.set(fact.target, space) }, fact.target, pages);
}
