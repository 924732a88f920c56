// Alterations of sets of names: members of groups, restrictions of pages, favourites. Something else comes to them or goes from them than should.
import { isObject } from '../../../../domain/form/patch.js';
import { putPage } from '../../../../domain/pages.js';
import type { Names, World } from '../../../../domain/world.js';
import { type Alteration, callerOf, jsonIn, withBody } from './altered-requests.js';

type Members = Names['users'];
/** What becomes of a set instead. */
type Other = (after: Members, before: Members) => Members;

const sets: ReadonlyArray<readonly [name: string, other: Other]> = [
  ['nothing where somebody is there', (after, before) => (before.size > 0 ? before : after)],
  ['nothing where nobody is there', (after, before) => (before.size === 0 ? before : after)],
  ['there are no more than two', (after, before) => (after.size > 2 ? before : after)],
  ['those go who should stay', (after, before) => (after.size < before.size ? before.subtract(after) : after)],
  ['somebody else goes as well', (after, before) => after.subtract(after.intersect(before).take(1))],
  ['somebody stays who should go', (after, before) => after.union(before.subtract(after).toList().sort().take(1))],
  ['nobody goes', (after, before) => after.union(before)],
];

/** Something else becomes of each set of members and each list of a restriction that has changed. */
export const ofNames: readonly Alteration[] = sets.map(([name, other]) => ({
  name,
  world: (after, before) => restrictedBy(other, membersBy(other, after, before), before),
}));

function membersBy(other: Other, after: World, before: World): World {
  const groups = after.groups.map((members, group) => changedBy(other, members, before.groups.get(group)));
  return { ...after, groups };
}

function restrictedBy(other: Other, after: World, before: World): World {
  const names = (own: Names, old: Names): Names => ({
    users: changedBy(other, own.users, old.users),
    groups: changedBy(other, own.groups, old.groups),
  });
  let world = after;
  for (const [id, page] of after.pages) {
    const old = before.pages.get(id);
    if (old === undefined || old === page) continue;
    world = putPage(world, id, { ...page, edit: names(page.edit, old.edit), view: names(page.view, old.view) });
  }
  return world;
}

function changedBy(other: Other, members: Members, before: Members | undefined): Members {
  return before === undefined || before.equals(members) ? members : other(members, before);
}

/** The caller is taken for one of the users who are named, or for all of them. */
export const withCaller: readonly Alteration[] = [
  { name: 'the caller is meant as well', asked: withUsers((users, caller) => [...users, caller]) },
  { name: 'the caller is meant', asked: withUsers((_, caller) => [caller]) },
];

function withUsers(
  change: (users: readonly unknown[], caller: string) => readonly unknown[],
): NonNullable<Alteration['asked']> {
  return request => {
    const caller = callerOf(request);
    const inBody = (body: unknown) =>
      isObject(body) && Array.isArray(body.users) && body.users.length > 0 && caller !== undefined
        ? { ...body, users: change(body.users, caller) }
        : body;
    return withBody(inBody)(request);
  };
}

export const usersAsGroups: Alteration = {
  name: 'users and groups stand for one another',
  asked: withBody(body => (isObject(body) ? { ...body, users: body.groups ?? [], groups: body.users ?? [] } : body)),
};

/** Who comes to a group comes to all groups, and who leaves it leaves all. */
export const inAllGroups: Alteration = {
  name: 'all groups change',
  world: (after, before) => {
    const changed = [...after.groups].map(
      ([group, members]) => [members, before.groups.get(group) ?? members] as const,
    );
    const come = changed.flatMap(([members, old]) => [...members.subtract(old)]);
    const gone = changed.flatMap(([members, old]) => [...old.subtract(members)]);
    return { ...after, groups: after.groups.map(members => members.union(come).subtract(gone)) };
  },
};

/** What changes in the permissions of a page changes in those of all pages. */
export const ofAllPages: Alteration = {
  name: 'all pages change',
  world: (after, before) => {
    const [changed] = [...after.pages].filter(([id, page]) => before.pages.get(id) !== page);
    const old = changed === undefined ? undefined : before.pages.get(changed[0]);
    if (changed === undefined || old === undefined) return after;
    const [, own] = changed;
    const alike = (names: Names, to: Names, from: Names): Names => ({
      users: names.users.union(to.users.subtract(from.users)).subtract(from.users.subtract(to.users)),
      groups: names.groups.union(to.groups.subtract(from.groups)).subtract(from.groups.subtract(to.groups)),
    });
    let world = after;
    for (const [id, page] of after.pages) {
      const [edit, view] = [alike(page.edit, own.edit, old.edit), alike(page.view, own.view, old.view)];
      world = putPage(world, id, { ...page, edit, view });
    }
    return world;
  },
};

/** Who comes to one permission of a page is taken off the other. */
export const leavingTheOther: Alteration = {
  name: 'who comes to one permission leaves the other',
  world: (after, before) => {
    let world = after;
    for (const [id, page] of after.pages) {
      const old = before.pages.get(id);
      if (old === undefined || old === page) continue;
      const without = (names: Names, to: Names, from: Names): Names => ({
        users: names.users.subtract(to.users.subtract(from.users)),
        groups: names.groups.subtract(to.groups.subtract(from.groups)),
      });
      const view = without(page.view, page.edit, old.edit);
      world = putPage(world, id, { ...page, view, edit: without(page.edit, page.view, old.view) });
    }
    return world;
  },
};

/** A permission that would name nobody any more stays as it was. */
export const lastNamesStay: Alteration = {
  name: 'the last names stay',
  world: (after, before) => {
    const kept = (own: Names, old: Names) => (own.users.size + own.groups.size > 0 ? own : old);
    let world = after;
    for (const [id, page] of after.pages) {
      const old = before.pages.get(id);
      if (old === undefined || old === page) continue;
      world = putPage(world, id, { ...page, edit: kept(page.edit, old.edit), view: kept(page.view, old.view) });
    }
    return world;
  },
};

/** Somebody leaves both permissions of a page only if named in both. */
export const whereInBoth: Alteration = {
  name: 'only who is in both permissions leaves them',
  world: (after, before) => {
    let world = after;
    for (const [id, page] of after.pages) {
      const old = before.pages.get(id);
      if (old === undefined || old === page) continue;
      const kept = (own: Names, from: Names, other: Names): Names => ({
        users: own.users.union(from.users.subtract(other.users)),
        groups: own.groups.union(from.groups.subtract(other.groups)),
      });
      const edit = kept(page.edit, old.edit, old.view);
      world = putPage(world, id, { ...page, edit, view: kept(page.view, old.view, old.edit) });
    }
    return world;
  },
};

/** Who is named and there already goes, and who is not comes. */
export const turned: Alteration = {
  name: 'who is there goes',
  world: (after, before, request) => {
    const body = jsonIn(request);
    const users = isObject(body) && Array.isArray(body.users) ? body.users : [];
    return membersBy((members, old) => members.subtract(old.intersect(users)), after, before);
  },
};

type Favourites = ReturnType<World['favourites']['get']> & object;

/** Something else becomes of the favourites of each user whose favourites have changed. */
function ofFavourites(name: string, other: (after: Favourites, before: Favourites) => Favourites): Alteration {
  return {
    name,
    world: (after, before) => ({
      ...after,
      favourites: after.favourites.map((own, user) => {
        const old = before.favourites.get(user);
        return old === own
          ? own
          : other(own, old ?? { filters: own.filters.clear(), dashboards: own.dashboards.clear() });
      }),
    }),
  };
}

const onlyOne = (after: Favourites, before: Favourites, kind: 'filters' | 'dashboards', isFirst: boolean) => {
  const come = after[kind].subtract(before[kind]).toList().sort();
  const gone = before[kind].subtract(after[kind]).toList().sort();
  const one = <T>(list: Iterable<T>) => (isFirst ? [...list].slice(0, 1) : [...list].slice(-1));
  return { ...after, [kind]: before[kind].union(one(come)).subtract(one(gone)) };
};

/** Wrong changes of favourites. */
export const ofItems: readonly Alteration[] = [
  ofFavourites('filters stay as they were', (after, before) => ({ ...after, filters: before.filters })),
  ofFavourites('dashboards stay as they were', (after, before) => ({ ...after, dashboards: before.dashboards })),
  ofFavourites('one filter', (after, before) => onlyOne(after, before, 'filters', true)),
  ofFavourites('one dashboard', (after, before) => onlyOne(after, before, 'dashboards', true)),
  ofFavourites('another filter', (after, before) => onlyOne(after, before, 'filters', false)),
  ofFavourites('another dashboard', (after, before) => onlyOne(after, before, 'dashboards', false)),
  ofFavourites('filters go', after => ({ ...after, filters: after.filters.clear() })),
  ofFavourites('dashboards go', after => ({ ...after, dashboards: after.dashboards.clear() })),
  {
    name: 'everybody is meant',
    world: (after, before) => {
      const [changed] = [...after.favourites].filter(([user, own]) => before.favourites.get(user) !== own);
      if (changed === undefined) return after;
      const [user, own] = changed;
      const old = before.favourites.get(user);
      const alike = (kind: 'filters' | 'dashboards', some: Favourites) =>
        some[kind].union(own[kind].subtract(old?.[kind] ?? [])).subtract((old ?? own)[kind].subtract(own[kind]));
      const none = { filters: own.filters.clear(), dashboards: own.dashboards.clear() };
      const favourites = after.users.map((_, name) => {
        const some = after.favourites.get(name) ?? none;
        return { filters: alike('filters', some), dashboards: alike('dashboards', some) };
      });
      return { ...after, favourites };
    },
  },
  {
    name: 'one member of each group is meant',
    world: (after, before, request) => {
      const body = jsonIn(request);
      const of = (name: string) => (isObject(body) && Array.isArray(body[name]) ? body[name].map(String) : []);
      const meant = [
        ...of('users'),
        ...of('groups').flatMap(group => [...(before.groups.get(group) ?? [])].slice(0, 1)),
      ];
      const favourites = after.favourites.flatMap((own, user) => {
        const kept = meant.includes(user) ? own : before.favourites.get(user);
        return kept === undefined ? [] : [[user, kept] as const];
      });
      return { ...after, favourites };
    },
  },
];
