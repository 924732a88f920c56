// The world of the model: plain maps and sets that are changed in place, read from and written out as the document of a world.
// Independent of the server, which is compared with it.

export interface ModelUser {
  displayName: string;
  admin: boolean;
  password?: string;
  token?: string;
}
export interface Named {
  users: Set<string>;
  groups: Set<string>;
}
export interface ModelSpace {
  name: string;
  admins: Set<string>;
  sidebar: Array<{ label: string; url: string }>;
}
export interface ModelPage {
  space: string;
  title: string;
  body: string;
  author: string;
  created: string;
  updatedBy: string;
  updated: string;
  version: number;
  position: number;
  edit: Named;
  view: Named;
}
export interface ModelItem {
  name: string;
  owner: string;
  sharedWith: 'everyone' | 'nobody' | Named;
}
export interface ModelFavourites {
  filters: Set<number>;
  dashboards: Set<number>;
}
export interface ModelWorld {
  users: Map<string, ModelUser>;
  groups: Map<string, Set<string>>;
  spaces: Map<string, ModelSpace>;
  pages: Map<string, ModelPage>;
  filters: Map<string, ModelItem>;
  dashboards: Map<string, ModelItem>;
  favourites: Map<string, ModelFavourites>;
  /** The favourites that were pushed, which the JSON does not tell: user, kind and id. */
  pushed: Set<string>;
  licence: { ppf: string };
  nextPageId: number;
}

/** Any part of a world as JSON. */
export type Json = { readonly [key: string]: unknown };
const tables = ['users', 'groups', 'spaces', 'pages', 'filters', 'dashboards', 'favourites'] as const;

const sets = (lists: unknown): Named => {
  const { users = [], groups = [] } = (lists ?? {}) as { users?: string[]; groups?: string[] };
  return { users: new Set(users), groups: new Set(groups) };
};
const shared = (item: Json) =>
  typeof item.sharedWith === 'object' ? sets(item.sharedWith) : (item.sharedWith ?? 'nobody');

/** A world with every default filled in. */
export function readWorld(form: Json): ModelWorld {
  const rows = (name: string) => Object.entries((form[name] ?? {}) as Record<string, Json>); // the tables of a world
  const table = (name: string, row: (key: string, json: Json) => unknown) =>
    new Map(rows(name).map(([key, json]) => [key, row(key, json)]));
  const places = new Map<unknown, number>();
  const place = (space: unknown, given: unknown) => {
    const at = given === undefined ? (places.get(space) ?? 0) + 1 : Number(given);
    places.set(space, Math.max(at, places.get(space) ?? 0));
    return at;
  };
  const item = (key: string, json: Json) => ({ name: key, ...json, sharedWith: shared(json) });
  const favourites = (form.favourites ?? {}) as Record<string, { filters?: number[]; dashboards?: number[] }>;
  const world = {
    users: table('users', (key, user) => ({ displayName: key, admin: false, ...user })),
    groups: new Map(rows('groups').map(([key, members]) => [key, new Set(members as unknown as string[])])),
    spaces: table('spaces', (key, { name = key, admins = [], sidebar = [] }) => ({
      name,
      admins: new Set(admins as string[]),
      sidebar,
    })),
    pages: table('pages', (_, page) => {
      const { author = 'anonymous', created = '2025-01-01T00:00:00Z', position } = page;
      const stamps = { author, created, updatedBy: author, updated: created, version: 1, body: '' };
      return {
        ...stamps,
        ...page,
        position: place(page.space, position),
        edit: sets(page.edit),
        view: sets(page.view),
      };
    }),
    filters: table('filters', item),
    dashboards: table('dashboards', item),
    favourites: new Map(
      rows('users').map(([key]) => {
        const { filters = [], dashboards = [] } = Object.hasOwn(favourites, key) ? (favourites[key] ?? {}) : {};
        return [key, { filters: new Set(filters), dashboards: new Set(dashboards) }];
      }),
    ),
    pushed: new Set(),
    licence: { ppf: 'valid', ...(form.licence as object) },
    nextPageId: Math.max(Number(form.nextPageId ?? 1), ...rows('pages').map(([id]) => Number(id) + 1)),
  };
  return world as unknown as ModelWorld; // the form has been validated as a world
}

/** The world as JSON: keys and sets sorted. */
export function written({ pushed: _, ...world }: ModelWorld): Json {
  return plain(world) as Json; // a world is not a list
}

function plain(value: unknown): unknown {
  if (value instanceof Set)
    return [...value].sort((a, b) => (typeof a === 'number' ? a - Number(b) : a < b ? -1 : a > b ? 1 : 0));
  if (Array.isArray(value)) return value.map(plain);
  const entries = value instanceof Map ? [...value] : isJson(value) ? Object.entries(value) : undefined;
  return entries === undefined ? value : Object.fromEntries(entries.map(([key, one]) => [key, plain(one)]));
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 7396. */
export function merged(target: unknown, patch: unknown): unknown {
  if (!isJson(patch)) return patch;
  const entries = new Map(isJson(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) entries.delete(key);
    else entries.set(key, merged(entries.get(key), value));
  }
  return Object.fromEntries(entries);
}

/** The world after a merge-patch, or `undefined` if the result would use an unknown name. */
export function patchedWorld(world: ModelWorld, patch: Json): ModelWorld | undefined {
  const before = written(world);
  const rows = (form: Json, name: string) => (form[name] ?? {}) as Record<string, unknown>;
  const gone = tables.flatMap(name =>
    Object.entries(rows(patch, name)).flatMap(([key, row]) => (row === null ? [[name, key] as const] : [])),
  );
  if (tables.some(name => Object.keys(rows(patch, name)).some(key => !/[^ ]/.test(key)))) return undefined;
  if (gone.some(([name, key]) => !Object.hasOwn(rows(before, name), key))) return undefined;
  const form = merged(before, patch) as Json; // a patch is an object, and so is the result
  if (Object.keys(rows(form, 'favourites')).some(user => !gone.some(([, key]) => key === user) && !hasUser(form, user)))
    return undefined;
  const after = readWorld(form);
  after.nextPageId = Math.max(after.nextPageId, world.nextPageId);
  for (const [user, own] of after.favourites)
    for (const kind of ['filters', 'dashboards'] as const)
      for (const id of own[kind])
        if (world.pushed.has(`${user} ${kind} ${id}`)) after.pushed.add(`${user} ${kind} ${id}`);
  const pages = [...after.pages];
  const isClash = ([id, page]: (typeof pages)[number]) =>
    Object.hasOwn(rows(patch, 'pages'), id) &&
    pages.some(([other, { space, title }]) => other !== id && space === page.space && title === page.title);
  return isWhole(after) && !pages.some(isClash) ? after : undefined;
}

function hasUser(form: Json, user: string): boolean {
  return Object.hasOwn(form.users as object, user);
}

/** Whether every name in it is known. */
function isWhole({ users, groups, spaces, pages, filters, dashboards, favourites, licence }: ModelWorld): boolean {
  const are = (names: Iterable<unknown>, known: { has(name: never): boolean }) =>
    [...names].every(name => known.has(name as never));
  const people = { has: (name: string) => name === 'anonymous' || users.has(name) };
  const both = (named: Named) => are(named.users, users) && are(named.groups, groups);
  const tokens = [...users.values()].flatMap(({ token }) => token ?? []);
  return (
    ['valid', 'expired', 'none'].includes(licence.ppf) &&
    !users.has('anonymous') &&
    new Set(tokens).size === tokens.length &&
    [...groups.values()].every(members => are(members, users)) &&
    [...spaces.values()].every(({ admins }) => are(admins, users)) &&
    [...pages.values()].every(
      page =>
        spaces.has(page.space) && are([page.author, page.updatedBy], people) && both(page.edit) && both(page.view),
    ) &&
    [...filters.values(), ...dashboards.values()].every(
      ({ owner, sharedWith }) => users.has(owner) && (typeof sharedWith === 'string' || both(sharedWith)),
    ) &&
    [...favourites.values()].every(
      one => are([...one.filters].map(String), filters) && are([...one.dashboards].map(String), dashboards),
    )
  );
}
