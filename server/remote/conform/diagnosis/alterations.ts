// Ways in which an operation can do something else than it is asked: nothing, a part of it, what another operation does, or more. Tried on our own
// server they show what a server answers that does so. They change what is asked, or what becomes of the world; none knows a step.
import type { HttpRequest } from '../../../derive/sending/call.js';
import { isObject } from '../../../domain/form/patch.js';
import { putPage, removePage } from '../../../domain/pages.js';
import type { Names, Page, World } from '../../../domain/world.js';
import { rules } from '../../../operations/catalog.js';
import { bodyOf } from '../../../scenario/play/judging.js';

export interface Alteration {
  /** Of all of them its own. */
  readonly name: string;
  /** What is done in the place of a request. Left out: what it asks for. */
  readonly asked?: (request: HttpRequest) => HttpRequest;
  /** The world afterwards, in the place of the one that should be. Left out: that one. */
  readonly world?: (after: World, before: World, request: HttpRequest) => World;
}

export const nothing: Alteration = { name: 'nothing', world: (_, before) => before };

/** Those by which an operation breaks a rule, the likeliest first. Empty: no effect shows it. */
export function alterationsOf(rule: string, operation: string): readonly Alteration[] {
  const own = ofRule[rule];
  if (own !== undefined) return own;
  if (rules[rule]?.effect !== true) return [];
  const [family = ''] = operation.split('.');
  return [nothing, ...(ofFamily[family] ?? []), ...inPlaceOf(operation)];
}

const named = ['users', 'groups', 'filters', 'dashboards'] as const;
type List = (typeof named)[number];
type Elements = readonly unknown[];

/** What is left of a list. */
const parts: Readonly<Record<string, (elements: Elements) => Elements>> = {
  'only the first of': elements => elements.slice(0, 1),
  'only the last of': elements => elements.slice(-1),
  'all but the first of': elements => (elements.length > 1 ? elements.slice(1) : elements),
  'all but the last of': elements => (elements.length > 1 ? elements.slice(0, -1) : elements),
  'none of': () => [],
};

const inLists = (lists: readonly List[]): Alteration[] =>
  lists.flatMap(list => [
    ...Object.entries(parts).map(
      ([part, change]): Alteration => ({
        name: `${part} the ${list}`,
        asked: withBody(body => changed(body, list, change)),
      }),
    ),
    {
      name: `none of the ${list} beside others`,
      asked: withBody(body => (hasOthers(body, list) ? changed(body, list, () => []) : body)),
    },
  ]);

const whereSeveral: Alteration = {
  name: 'nothing where several are named',
  world: (after, before, request) => (isOfSeveral(request) ? before : after),
};

const withoutTheRest: Alteration = { name: 'what was there goes', world: withoutOthers };
const without: Alteration = { name: 'everything goes', world: emptied };

const lastOneStays: Alteration = {
  name: 'the last one stays',
  world: (after, before) => ({
    ...after,
    groups: after.groups.map((members, group) => {
      const old = before.groups.get(group);
      return members.size > 0 || old === undefined ? members : members.union(old.take(1));
    }),
  }),
};

/** Nothing where these are all that is named. */
const whereOnly = (lists: readonly List[]): Alteration[] =>
  lists.map(list => ({
    name: `nothing where only ${list} are named`,
    world: (after, before, request) => (hasOthers(jsonIn(request), list) || !has(request, list) ? after : before),
  }));

const ofFamily: Readonly<Record<string, readonly Alteration[]>> = {
  groups: [...inLists(['users']), whereSeveral, withoutTheRest, without, leavingOtherGroups(), lastOneStays],
  permissions: [
    ...inLists(['users', 'groups']),
    ...whereOnly(['users', 'groups']),
    whereSeveral,
    withoutTheRest,
    without,
    inBothPermissions(),
  ],
  ppf: [...inLists([...named]), whereSeveral, withoutTheRest, without],
};

/** Nothing, or a copy without pages, where a parameter has a value. */
const whereParameter = (parameter: string, values: readonly string[]): Alteration[] =>
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

/** Operations that one may be taken for, as what stands in the place of what in a request. */
const others: Readonly<Record<string, ReadonlyArray<readonly [from: RegExp, to: string]>>> = {
  'groups.add-users': [
    [/add-users/, 'set-users'],
    [/add-users/, 'remove-users'],
  ],
  'groups.remove-users': [
    [/remove-users/, 'set-users'],
    [/remove-users/, 'add-users'],
  ],
  'groups.set-users': [
    [/set-users/, 'add-users'],
    [/set-users/, 'remove-users'],
  ],
  'permissions.edit-add': [[/\/edit\//, '/view/']],
  'permissions.edit-remove': [[/\/edit\//, '/view/']],
  'permissions.view-add': [[/\/view\//, '/edit/']],
  'permissions.view-remove': [[/\/view\//, '/edit/']],
  'permissions.all-remove': [
    [/\/all\//, '/view/'],
    [/\/all\//, '/edit/'],
  ],
  'ppf.push': [[/\/push/, '/pull']],
  'ppf.pull': [[/\/pull/, '/push']],
};

const onePlace = (
  field: 'oldText' | 'newText',
  name: string,
  text: (element: Readonly<Record<string, unknown>>) => unknown,
): Alteration => ({
  name,
  asked: withBody(body =>
    Array.isArray(body)
      ? body.map(one => (isObject(one) && field in one ? { ...one, [field]: text(one) } : one))
      : body,
  ),
});

/** What a replacement makes of the texts of its elements. */
const ofTexts: readonly Alteration[] = [
  onePlace('newText', 'the new text is empty', () => ''),
  onePlace('newText', 'the new text is the old one', ({ oldText }) => oldText),
  {
    name: 'the texts stand for one another',
    asked: withBody(body =>
      Array.isArray(body)
        ? body.map(one => (isObject(one) ? { ...one, oldText: one.newText, newText: one.oldText } : one))
        : body,
    ),
  },
];

const ofRule: Readonly<Record<string, readonly Alteration[]>> = {
  'permissions.heading-method': [nothing],
  'permissions.groups-field': inLists(['groups']),
  'permissions.all-remove': [nothing, ...inLists(['users']), whereSeveral, ...inPlaceOf('permissions.all-remove')],
  'spaces.replace-list': [
    whereSeveral,
    { name: 'only the first element', asked: withBody(body => (Array.isArray(body) ? body.slice(0, 1) : body)) },
    { name: 'only the last element', asked: withBody(body => (Array.isArray(body) ? body.slice(-1) : body)) },
  ],
  'spaces.replace-body': [
    nothing,
    ...ofTexts,
    { name: 'the body stays', world: ofPages((after, before) => ({ ...after, body: (before ?? after).body })) },
  ],
  'spaces.replace-title': [
    nothing,
    ...ofTexts,
    { name: 'the title stays', world: ofPages((after, before) => ({ ...after, title: (before ?? after).title })) },
  ],
  'spaces.copy': [
    nothing,
    { name: 'no pages', world: withoutNewPages },
    {
      name: 'the pages are moved',
      world: (after, before) => (after.spaces.size > before.spaces.size ? withoutSources(after, before) : after),
    },
    {
      name: 'pages without text',
      world: ofPages((after, before) => (before === undefined ? { ...after, body: '' } : after)),
    },
  ],
  // What a parameter asks for beside the copy no documented operation shows; that there is no copy because of it, some do.
  'spaces.copy-default-admin': whereParameter('targetSpaceAdmin', ['']),
  'spaces.copy-remove-admin': whereParameter('removeAdminPermissions', ['true', 'false']),
  'spaces.copy-keep-metadata': whereParameter('keepPagesMetadata', ['true', 'false']),
};

function inPlaceOf(operation: string): Alteration[] {
  const swapped = (others[operation] ?? []).map(
    ([from, to]): Alteration => ({
      name: `${to} for ${from.source}`,
      asked: request => ({ ...request, path: request.path.replace(from, to) }),
    }),
  );
  const [, what] = /^permissions\.(?:edit|view)-(add|remove)$/.exec(operation) ?? [];
  if (what === undefined) return swapped;
  const method = what === 'add' ? 'DELETE' : 'PUT';
  return [...swapped, { name: `${method} for ${what}`, asked: request => ({ ...request, method }) }];
}

function withBody(change: (body: unknown) => unknown): (request: HttpRequest) => HttpRequest {
  return request => {
    const body = jsonIn(request);
    const other = body === undefined ? body : change(body);
    return other === body ? request : { ...request, body: JSON.stringify(other) };
  };
}

function jsonIn({ body }: HttpRequest): unknown {
  return body === undefined ? undefined : bodyOf({ text: Buffer.from(body).toString('utf8') });
}

function changed(body: unknown, list: List, change: (elements: Elements) => Elements): unknown {
  if (!isObject(body)) return body;
  const elements = body[list];
  return Array.isArray(elements) ? { ...body, [list]: change(elements) } : body;
}

const size = (value: unknown) => (Array.isArray(value) ? value.length : 0);
const beside: Readonly<Record<List, List>> = {
  users: 'groups',
  groups: 'users',
  filters: 'dashboards',
  dashboards: 'filters',
};

function hasOthers(body: unknown, list: List): boolean {
  return isObject(body) && size(body[list]) > 0 && size(body[beside[list]]) > 0;
}

function has(request: HttpRequest, list: List): boolean {
  const body = jsonIn(request);
  return isObject(body) && size(body[list]) > 0;
}

function isOfSeveral(request: HttpRequest): boolean {
  const body = jsonIn(request);
  return Array.isArray(body) ? body.length > 1 : isObject(body) && named.some(list => size(body[list]) > 1);
}

/** Where a set has changed, only what came to it is left. */
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

/** Where a set has changed, it is empty. */
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

/** Who comes into a group leaves the others. */
function leavingOtherGroups(): Alteration {
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

/** What comes of one permission comes of the other. */
function inBothPermissions(): Alteration {
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

/** The names to which the same is done as was done to others. */
function moved(names: Names, after: Names, before: Names): Names {
  const alike = (of: 'users' | 'groups') =>
    names[of].union(after[of].subtract(before[of])).subtract(before[of].subtract(after[of]));
  return { users: alike('users'), groups: alike('groups') };
}

function withoutNewPages(after: World, before: World): World {
  const added = [...after.pages.keys()].filter(id => !before.pages.has(id));
  return added.reduce(removePage, after);
}

/** The pages that have a copy now are no longer where they were. */
function withoutSources(after: World, before: World): World {
  const titles = [...after.pages].flatMap(([id, { title }]) => (before.pages.has(id) ? [] : [title]));
  const sources = [...before.pages].flatMap(([id, { title }]) => (titles.includes(title) ? [id] : []));
  return sources.reduce(removePage, after);
}

function ofPages(change: (after: Page, before: Page | undefined) => Page): (after: World, before: World) => World {
  return (after, before) => {
    let world = after;
    for (const [id, page] of after.pages) {
      const old = before.pages.get(id);
      if (old !== page) world = putPage(world, id, change(page, old));
    }
    return world;
  };
}
