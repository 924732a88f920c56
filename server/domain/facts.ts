// The facts that can happen to a world, and their effects. Pure.
import * as Type from '@sinclair/typebox';
import { Set as PSet } from 'immutable';
import { applyPatch, type WorldPatch } from './form/patch.js';
import { oneOf, type Shape, typed } from './json/shape.js';
import { addPages, pagesOf, putPage, withRestriction } from './world/pages.js';
import { keepSorted } from './world/sorted-names.js';
import {
  type Favourites,
  type Items,
  type Names,
  noFavourites,
  noNames,
  type Page,
  type Permission,
  type SidebarLink,
  type World,
  withPushed,
} from './world/world.js';

const text = Type.String();
const texts = Type.Array(text);
const fact = <const T extends string, P extends Type.TProperties>(type: T, properties: P) =>
  Type.Object({ type: oneOf([type]), ...properties });

const membership = { group: text, user: text };
const permission = { page: text, permission: oneOf(['edit', 'view']), users: texts, groups: texts };
const link = { space: text, label: text, url: text };
const favourite = { item: oneOf(['filters', 'dashboards']), ids: Type.Array(Type.Integer()), users: texts };

/** @internal */
export const factSchema = Type.Union(
  [
    fact('user-created', { user: text }),
    fact('group-created', { group: text }),
    fact('group-member-added', membership),
    fact('group-member-removed', membership),
    fact('group-members-set', { group: text, users: { ...texts, description: 'The whole membership.' } }),
    fact('page-permission-added', permission),
    fact('page-permission-removed', permission),
    fact('sidebar-link-added', link),
    fact('sidebar-link-replaced', {
      ...link,
      label: { ...text, description: 'All links with this label are replaced.' },
    }),
    fact('space-copied', {
      source: text,
      target: text,
      name: text,
      admins: texts,
      firstPageId: Type.Integer({ description: 'The first of as many consecutive ids as the source has pages.' }),
      content: Type.Optional(
        oneOf(['pages'], { description: 'Absent: links of the sidebar and restrictions of pages are copied too.' }),
      ),
      restamp: Type.Optional(
        Type.Object(
          { author: text, at: text },
          { description: 'Author and date of the copied pages. Absent: those of their originals.' },
        ),
      ),
    }),
    fact('page-text-replaced', { page: text, title: text, body: text, by: text, at: text }),
    fact('favourite-added', { ...favourite, users: { ...texts, description: 'Each of them gets each of the items.' } }),
    fact('favourite-removed', favourite),
    fact('world-patched', {
      patch: typed<WorldPatch>('WorldPatch', {
        type: 'object',
        description: 'A merge-patch (RFC 7396) of the world.',
      }),
    }),
  ],
  { title: 'Fact', description: 'One thing that happened to the world.' },
);

/** What can happen to a world, as plain JSON. */
export type Fact = Shape<typeof factSchema>;
export type FactType = Fact['type'];
type FactOf<T extends FactType> = Extract<Fact, { type: T }>;

const evolvers: { [T in FactType]: (world: World, fact: FactOf<T>) => World } = {
  'user-created': (world, { user }) => ({
    ...world,
    users: world.users.set(user, { displayName: user, admin: false }),
  }),
  'group-created': (world, { group }) => withMembers(world, group, members => members),
  'group-member-added': (world, { group, user }) => withMembers(world, group, members => members.add(user), [user]),
  'group-member-removed': (world, { group, user }) =>
    withMembers(world, group, members => members.delete(user), [user]),
  'group-members-set': (world, { group, users }) => withMembers(world, group, () => PSet(users)),
  'page-permission-added': (world, fact) =>
    withPermission(world, fact, ({ users, groups }) => ({
      users: users.union(fact.users),
      groups: groups.union(fact.groups),
    })),
  'page-permission-removed': (world, fact) =>
    withPermission(world, fact, ({ users, groups }) => ({
      users: without(users, fact.users),
      groups: without(groups, fact.groups),
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
  'favourite-added': changeFavourites,
  'favourite-removed': changeFavourites,
  'world-patched': (world, { patch }) => applyPatch(world, patch),
};

export function isFactType(type: string): type is FactType {
  return Object.hasOwn(evolvers, type);
}

/** A fact, with the copied paths to the records that it changes. */
const FACT = 200;
/** Each of the users in it. */
const NAME = 40;

/** Bytes that a fact counts while it is kept. */
export function bytesOfFact(fact: Fact): number {
  if (fact.type === 'world-patched') return FACT + JSON.stringify(fact.patch).length;
  if (fact.type === 'page-text-replaced') return FACT + fact.body.length;
  return 'users' in fact ? FACT + NAME * fact.users.length : FACT;
}

export function evolve(world: World, fact: Fact): World {
  const evolver = evolvers[fact.type] as (world: World, fact: Fact) => World; // the table pairs each type with its own fact
  return evolver(world, fact);
}

/** The world after several facts in order. Consecutive joins or leaves of one group are applied in one step. */
export function evolveAll(world: World, facts: readonly Fact[]): World {
  let after = world;
  for (let i = 0; i < facts.length; ) {
    const fact = facts[i] as Fact; // i is below the length
    if (!isMembership(fact)) {
      after = evolve(after, fact);
      i += 1;
      continue;
    }
    const users = usersOfRun(facts, i, fact);
    const isJoining = fact.type === 'group-member-added';
    const change = (members: PSet<string>) => (isJoining ? members.union(users) : without(members, users));
    after = withMembers(after, fact.group, change, users);
    i += users.length;
  }
  return after;
}

type Membership = FactOf<'group-member-added'> | FactOf<'group-member-removed'>;

function isMembership(fact: Fact): fact is Membership {
  return fact.type === 'group-member-added' || fact.type === 'group-member-removed';
}

/** The users of a run of facts of one type about one group. */
function usersOfRun(facts: readonly Fact[], start: number, { type, group }: Membership): string[] {
  const users: string[] = [];
  for (let i = start; i < facts.length; i += 1) {
    const next = facts[i];
    if (next?.type !== type || next.group !== group) break;
    users.push(next.user);
  }
  return users;
}

/** `subtract` would search the whole list for each element of the set. */
function without<T>(set: PSet<T>, elements: readonly T[]): PSet<T> {
  return set.withMutations(left => {
    for (const element of elements) left.delete(element);
  });
}

/** `changed`: possible new or former members, unless all may differ. */
function withMembers(
  world: World,
  group: string,
  change: (members: PSet<string>) => PSet<string>,
  changed?: readonly string[],
): World {
  const before = world.groups.get(group) ?? PSet<string>();
  const after = change(before);
  if (changed !== undefined) keepSorted(before, after, changed);
  return { ...world, groups: world.groups.set(group, after) };
}

function withPermission(
  world: World,
  { page, permission }: { page: string; permission: Permission },
  change: (names: Names) => Names,
): World {
  const before = world.pages.get(page);
  if (before === undefined) return world;
  const after: Page = { ...before, [permission]: Object.freeze(change(before[permission])) };
  const changed = { ...world, pages: world.pages.set(page, Object.freeze(after)) };
  return permission === 'view' ? withRestriction(changed, page, after) : changed;
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

/** Users with the same favourites share the result: a group of 100,000 needs little more than its names. */
function changeFavourites(
  world: World,
  { type, item, ids, users }: FactOf<'favourite-added'> | FactOf<'favourite-removed'>,
): World {
  const isAdding = type === 'favourite-added';
  const changed = new Map<Favourites, Favourites>();
  const favourites = world.favourites.asMutable();
  for (const user of users) {
    const before = favourites.get(user) ?? noFavourites;
    let after = changed.get(before);
    if (after === undefined) {
      const pushed: Items = before.pushed ?? noFavourites;
      const added = ids.filter(id => !before[item].has(id));
      const changedIn = (own: PSet<number>, more: readonly number[]) =>
        isAdding ? own.union(more) : without(own, ids);
      after = withPushed(
        { ...before, [item]: changedIn(before[item], ids) },
        { ...pushed, [item]: changedIn(pushed[item], added) },
      );
      changed.set(before, after);
    }
    favourites.set(user, after);
  }
  return { ...world, favourites: favourites.wasAltered() ? favourites.asImmutable() : world.favourites };
}

function copySpace(world: World, fact: FactOf<'space-copied'>): World {
  const source = world.spaces.get(fact.source);
  if (source === undefined) return world;
  const isPagesOnly = fact.content === 'pages';
  const sidebar = isPagesOnly ? [] : source.sidebar;
  const space = Object.freeze({ name: fact.name, admins: PSet(fact.admins), sidebar });
  const open = isPagesOnly && { edit: noNames, view: noNames };
  const stamp = fact.restamp && {
    author: fact.restamp.author,
    updatedBy: fact.restamp.author,
    created: fact.restamp.at,
    updated: fact.restamp.at,
  };
  const pages = pagesOf(world, fact.source).map(
    ([, page], i) =>
      [String(fact.firstPageId + i), { ...page, ...stamp, ...open, space: fact.target, version: 1 }] as const,
  );
  return addPages({ ...world, spaces: world.spaces.set(fact.target, space) }, fact.target, pages);
}
