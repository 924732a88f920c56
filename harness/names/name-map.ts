// Maps names of the fixture to names on a foreign server, with known passwords, and renames the fixture's world.

import { formOf, worldFrom } from '../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../server/domain/form/form-shapes.js';
import type { World } from '../../server/domain/world/world.js';
import type { NameMap } from '../../server/scenario/load/map-file.js';
import type { Account } from '../../server/settings/flag-checks.js';

export type NameKind = 'user' | 'group' | 'space' | 'space name' | 'page' | 'page title' | 'filter' | 'dashboard';

/** Server names by fixture names; `undefined`: unmapped. */
type Table = ReadonlyMap<string, string | undefined>;

export class NamesThere {
  readonly #tables: Readonly<Record<NameKind, Table>>;
  readonly #passwords: ReadonlyMap<string, string>;
  /** Whether the passwords were given, instead of the fixture's. */
  readonly areGiven: boolean;
  /** Whether there is a map: without one, names are the same. */
  readonly areMapped: boolean;

  /** `world`: of the fixture; the first account is the admin's, unless the map says otherwise. */
  constructor(
    readonly world: World,
    map?: NameMap,
    accounts: readonly Account[] = [],
  ) {
    this.#tables = tablesOf(world, map, accounts[0]?.user);
    this.areMapped = map !== undefined;
    this.areGiven = accounts.length > 0;
    this.#passwords = this.areGiven
      ? new Map(accounts.map(({ user, password }) => [user, password]))
      : this.#passwordsOfFixture();
  }

  /** The server's name for a fixture name; `undefined`: unmapped. */
  real(kind: NameKind, name: string): string | undefined {
    const table = this.#tables[kind];
    if (table.has(name)) return table.get(name);
    const like = [...table.keys()].find(known => known.toLowerCase() === name.toLowerCase());
    if (like === undefined) return name;
    const real = table.get(like);
    return real === like ? name : real === undefined ? undefined : inAnotherCase(real);
  }

  /** The fixture's name for a server name; `undefined`: none. */
  fixture(kind: NameKind, real: string): string | undefined {
    return [...this.#tables[kind]].find(([, there]) => there === real)?.[0];
  }

  /** The server's id for a fixture id. */
  realId(kind: 'filter' | 'dashboard', id: number): number | undefined {
    const real = this.real(kind, String(id));
    return real === undefined ? undefined : Number(real);
  }

  /** Known passwords by server name. */
  get passwords(): ReadonlyMap<string, string> {
    return this.#passwords;
  }

  /** The fixture's admin, who sends the administrative requests. */
  get admin(): string {
    return adminOf(this.world);
  }

  /** The admin's name on the server. */
  get adminThere(): string {
    return this.real('user', this.admin) ?? this.admin;
  }

  #passwordsOfFixture(): ReadonlyMap<string, string> {
    const known = [...this.#tables.user].flatMap(([name, real]) =>
      real === undefined ? [] : [[real, this.world.users.get(name)?.password ?? name] as const],
    );
    return new Map(known);
  }
}

function tablesOf(world: World, map: NameMap | undefined, admin: string | undefined): Record<NameKind, Table> {
  const table = <T>(keys: Iterable<T>, real: (key: T) => string | undefined, shown: (key: T) => string = String) =>
    new Map([...keys].map(key => [shown(key), map === undefined ? shown(key) : real(key)] as const));
  const users = table(world.users.keys(), name => map?.users.get(name));
  const first = adminOf(world);
  users.set(first, map?.users.get(first) ?? admin ?? first);
  return {
    user: users,
    group: table(world.groups.keys(), name => map?.groups.get(name)),
    space: table(world.spaces.keys(), key => map?.spaces.get(key)?.key),
    'space name': table(
      world.spaces.keys(),
      key => map?.spaces.get(key)?.name,
      key => world.spaces.get(key)?.name ?? key,
    ),
    page: table(world.pages.keys(), id => map?.pages.get(id)?.id),
    'page title': table(
      world.pages.keys(),
      id => map?.pages.get(id)?.title,
      id => world.pages.get(id)?.title ?? id,
    ),
    filter: table(world.filters.keys(), id => numberOf(map?.filters.get(id))),
    dashboard: table(world.dashboards.keys(), id => numberOf(map?.dashboards.get(id))),
  };
}

function numberOf(id: number | undefined): string | undefined {
  return id === undefined ? undefined : String(id);
}

function adminOf(world: World): string {
  return (
    world.users
      .filter(({ admin }) => admin)
      .keySeq()
      .min() ?? 'admin'
  );
}

/** The name with its first letter in the other case; `undefined` without letters. */
function inAnotherCase(name: string): string | undefined {
  const at = [...name].findIndex(letter => letter.toLowerCase() !== letter.toUpperCase());
  if (at === -1) return undefined;
  const turned = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
  return [...name].map((letter, i) => (i === at ? turned(letter) : letter)).join('');
}

/** Unmapped names stay. */
export function renamedWorld(world: World, names: NamesThere): World {
  const { users, groups, spaces, pages, filters, dashboards, favourites, licence, nextPageId } = formOf(world);
  const real = (kind: NameKind, name: string) => names.real(kind, name) ?? name;
  const keys = <T>(kind: NameKind, table: Readonly<Record<string, T>>, change: (value: T, key: string) => unknown) =>
    Object.fromEntries(Object.entries(table).map(([key, value]) => [real(kind, key), change(value, key)]));
  const all = (kind: NameKind, some: readonly string[]) => some.map(name => real(kind, name));
  const both = (lists: { readonly users: readonly string[]; readonly groups: readonly string[] }) => ({
    users: all('user', lists.users),
    groups: all('group', lists.groups),
  });
  const items = (kind: 'filter' | 'dashboard', table: typeof filters) =>
    keys(kind, table, ({ owner, sharedWith, ...item }) => ({
      ...item,
      owner: real('user', owner),
      sharedWith: typeof sharedWith === 'string' ? sharedWith : both(sharedWith),
    }));
  const ids = (kind: 'filter' | 'dashboard', some: readonly number[]) => some.map(id => names.realId(kind, id) ?? id);
  const form = {
    users: keys('user', users, ({ password: _, ...user }, name) => {
      const known = names.passwords.get(real('user', name));
      return { ...user, ...(known !== undefined && { password: known }) };
    }),
    groups: keys('group', groups, members => all('user', members)),
    spaces: keys('space', spaces, ({ name, admins, ...space }) => ({
      ...space,
      name: real('space name', name),
      admins: all('user', admins),
    })),
    pages: keys('page', pages, ({ space, title, author, updatedBy, edit, view, ...page }) => ({
      ...page,
      space: real('space', space),
      title: real('page title', title),
      author: real('user', author),
      updatedBy: real('user', updatedBy),
      edit: both(edit),
      view: both(view),
    })),
    filters: items('filter', filters),
    dashboards: items('dashboard', dashboards),
    favourites: keys('user', favourites, ({ filters: some, dashboards: others }) => ({
      filters: ids('filter', some),
      dashboards: ids('dashboard', others),
    })),
    licence,
    nextPageId,
  };
  return worldFrom(form as SparseWorldForm); // the same form with other names in it
}
