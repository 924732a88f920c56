// Alterations of the effect: nothing changes, or less or more than should.
import type { HttpRequest } from '../../../../derive/sending/call.js';
import { putPage, removePage } from '../../../../domain/pages.js';
import { favouritesOf, type Names, type Page, type World } from '../../../../domain/world.js';
import { type Alteration, has, hasOthers, isOfSeveral, jsonIn, type List, namesIn } from './altered-requests.js';

export const nothing: Alteration = { name: 'nothing', world: (_, before) => before };

/** Nothing comes of a permission under the method of its request line. */
export const nothingByMethod: readonly Alteration[] = (['edit', 'view', 'all'] as const).flatMap(permission =>
  (permission === 'all' ? ['DELETE'] : ['PUT', 'DELETE']).map(method => ({
    name: `nothing at ${method} ${permission}`,
    world: (after: World, before: World, request: HttpRequest) =>
      request.method === method && request.path.includes(`/permissions/${permission}/`) ? before : after,
  })),
);

/** What a server that does not do what it should leaves behind for later requests. */
export interface Left {
  /** Unique among all. */
  readonly name: string;
  into(world: World): World;
}

/** What is otherwise at the end of a file than on a correct server, of what was there before it. */
export function leftBehind(
  name: string,
  before: World,
  ends: ReadonlyArray<readonly [World, right: World]>,
): Left | undefined {
  const changes: Array<(world: World) => World> = [];
  for (const [end, right] of ends) {
    for (const group of before.groups.keys()) {
      const members = end.groups.get(group);
      if (members !== undefined && !members.equals(right.groups.get(group) ?? members.clear()))
        changes.push(world => ({ ...world, groups: world.groups.set(group, members) }));
    }
    for (const user of before.users.keys()) {
      const own = favouritesOf(end, user);
      const due = favouritesOf(right, user);
      if (own.filters.equals(due.filters) && own.dashboards.equals(due.dashboards)) continue;
      changes.push(world => ({ ...world, favourites: world.favourites.set(user, own) }));
    }
    for (const id of before.pages.keys()) {
      const [page, due] = [end.pages.get(id), right.pages.get(id)];
      if (due === undefined || (page !== undefined && isAlike(page, due))) continue;
      changes.push(world => (page === undefined ? removePage(world, id) : putPage(world, id, page)));
    }
  }
  if (changes.length === 0) return undefined;
  return { name, into: world => changes.reduce((changed, change) => change(changed), world) };
}

function isAlike(page: Page, other: Page): boolean {
  const names = ({ edit, view }: Page) => [edit.users, edit.groups, view.users, view.groups];
  const [own, theirs] = [names(page), names(other)];
  return page.title === other.title && page.body === other.body && own.every((set, i) => theirs[i]?.equals(set));
}

type Members = Names['users'];

/** Applies a change only if the request names several. */
export function whereSeveralOnly(change: (after: World, before: World) => World): NonNullable<Alteration['world']> {
  return (after, before, request) => (isOfSeveral(request) ? change(after, before) : after);
}

export const whereSeveral: Alteration = {
  name: 'nothing where several are named',
  world: (after, before, request) => (isOfSeveral(request) ? before : after),
};

export const withoutTheRest: Alteration = { name: 'what was there goes', world: withoutOthers };

export const without: Alteration = { name: 'everything goes', world: emptied };

/** Nothing changes if a part of the request is done already. */
export const whereAllIsNew: Alteration = {
  name: 'nothing where a part is done already',
  world: (after, before, request) => (changesIn(after, before) < namesIn(request) ? before : after),
};

export const nobodyComes: Alteration = {
  name: 'nobody comes',
  world: (after, before) => ({
    ...after,
    groups: after.groups.map((members, group) => members.intersect(before.groups.get(group) ?? members)),
  }),
};

export const leavingAllGroups: Alteration = {
  name: 'those who leave a group leave all',
  world: (after, before) => {
    const gone = [...before.groups].flatMap(([group, members]) => [
      ...members.subtract(after.groups.get(group) ?? members),
    ]);
    return { ...after, groups: after.groups.map(members => members.subtract(gone)) };
  },
};

export const lastOneStays: Alteration = {
  name: 'the last one stays',
  world: (after, before) => ({
    ...after,
    groups: after.groups.map((members, group) => {
      const old = before.groups.get(group);
      return members.size > 0 || old === undefined ? members : members.union(old.take(1));
    }),
  }),
};

/** Nothing changes if the request names nothing else. */
export const whereOnly = (lists: readonly List[]): Alteration[] =>
  lists.map(list => ({
    name: `nothing where only ${list} are named`,
    world: (after, before, request) => (hasOthers(jsonIn(request), list) || !has(request, list) ? after : before),
  }));

/** No copy, or one without pages, if a parameter has a value. */
export const whereParameter = (parameter: string, values: readonly string[]): Alteration[] =>
  values.flatMap((value): Alteration[] => {
    const isMeant = ({ path }: HttpRequest) =>
      new RegExp(`[?&]${parameter}=([^&]*)`).exec(path)?.[1]?.toLowerCase() === value;
    const where = `where ${parameter} is ${value === '' ? 'empty' : value}`;
    return [
      { name: `nothing ${where}`, world: (after, before, request) => (isMeant(request) ? before : after) },
      {
        name: `no pages ${where}`,
        world: (after, before, request) => (isMeant(request) ? withoutNewPages(after, before) : after),
      },
    ];
  });

/** The number of names that were added to groups and restrictions, or removed from them. */
function changesIn(after: World, before: World): number {
  const between = (names: Members, old: Members) =>
    names === old ? 0 : names.subtract(old).size + old.subtract(names).size;
  let sum = 0;
  for (const [group, members] of after.groups) sum += between(members, before.groups.get(group) ?? members);
  for (const [id, page] of after.pages) {
    const old = before.pages.get(id);
    if (old === undefined || old === page) continue;
    for (const kind of ['edit', 'view'] as const)
      sum += between(page[kind].users, old[kind].users) + between(page[kind].groups, old[kind].groups);
  }
  return sum;
}

/** A changed set has only what was added to it. */
function withoutOthers(after: World, before: World): World {
  const groups = after.groups.map((members, group) => {
    const old = before.groups.get(group);
    return old === undefined || old.equals(members) ? members : members.subtract(old);
  });
  const favourites = after.favourites.map((own, user) => {
    const old = before.favourites.get(user);
    if (old === undefined || old === own) return own;
    return { filters: own.filters.subtract(old.filters), dashboards: own.dashboards.subtract(old.dashboards) };
  });
  const only = (names: Names, old: Names): Names =>
    names.users.equals(old.users) && names.groups.equals(old.groups)
      ? names
      : { users: names.users.subtract(old.users), groups: names.groups.subtract(old.groups) };
  const restricted = ofPages((page, old) =>
    old === undefined ? page : { ...page, edit: only(page.edit, old.edit), view: only(page.view, old.view) },
  )(after, before);
  return { ...restricted, groups, favourites };
}

/** A changed set is empty. */
function emptied(after: World, before: World): World {
  const groups = after.groups.map((members, group) =>
    before.groups.get(group)?.equals(members) === false ? members.clear() : members,
  );
  const favourites = after.favourites.map((own, user) =>
    before.favourites.get(user) === own ? own : { filters: own.filters.clear(), dashboards: own.dashboards.clear() },
  );
  const none = (names: Names, old: Names): Names =>
    names.users.equals(old.users) && names.groups.equals(old.groups)
      ? names
      : { users: names.users.clear(), groups: names.groups.clear() };
  const open = ofPages((page, old) =>
    old === undefined ? page : { ...page, edit: none(page.edit, old.edit), view: none(page.view, old.view) },
  )(after, before);
  return { ...open, groups, favourites };
}

/** Users who are added to a group are removed from the others. */
export function leavingOtherGroups(): Alteration {
  return {
    name: 'members leave other groups',
    world: (after, before) => {
      const changed = [...after.groups].filter(
        ([group, members]) => before.groups.get(group)?.equals(members) === false,
      );
      const groups = after.groups.map((members, group) =>
        changed.reduce((left, [other, moved]) => (other === group ? left : left.subtract(moved)), members),
      );
      return { ...after, groups };
    },
  };
}

/** A change of one permission is made in the other too. */
export function inBothPermissions(): Alteration {
  return {
    name: 'both permissions change',
    world: ofPages((page, old) => {
      if (old === undefined) return page;
      if (page.edit !== old.edit && page.view === old.view)
        return { ...page, view: moved(page.view, page.edit, old.edit) };
      if (page.view !== old.view && page.edit === old.edit)
        return { ...page, edit: moved(page.edit, page.view, old.view) };
      return page;
    }),
  };
}

/** The names after the same additions and removals as from `before` to `after`. */
function moved(names: Names, after: Names, before: Names): Names {
  const alike = (of: 'users' | 'groups') =>
    names[of].union(after[of].subtract(before[of])).subtract(before[of].subtract(after[of]));
  return { users: alike('users'), groups: alike('groups') };
}

export function withoutNewPages(after: World, before: World): World {
  const added = [...after.pages.keys()].filter(id => !before.pages.has(id));
  return added.reduce(removePage, after);
}

/** A page that gets another title leaves one of the old title behind. */
export function besideOldTitles(after: World, before: World): World {
  let world = after;
  for (const [id, old] of before.pages) {
    const title = after.pages.get(id)?.title;
    if (title !== undefined && title !== old.title) world = putPage(world, String(world.nextPageId), old);
  }
  return world;
}

/** Pages that were copied are removed from the source. */
export function withoutSources(after: World, before: World): World {
  const titles = [...after.pages].flatMap(([id, { title }]) => (before.pages.has(id) ? [] : [title]));
  const sources = [...before.pages].flatMap(([id, { title }]) => (titles.includes(title) ? [id] : []));
  return sources.reduce(removePage, after);
}

export function ofPages(
  change: (after: Page, before: Page | undefined) => Page,
): (after: World, before: World) => World {
  return (after, before) => {
    let world = after;
    for (const [id, page] of after.pages) {
      const old = before.pages.get(id);
      if (old !== page) world = putPage(world, id, change(page, old));
    }
    return world;
  };
}

/** One of the two permissions is not touched. */
export const oneStays: readonly Alteration[] = (['edit', 'view'] as const).map(which => ({
  name: `the ${which} permission stays`,
  world: ofPages((after, before) => (before === undefined ? after : { ...after, [which]: before[which] })),
}));
