// The fixture's world with the names of a foreign server.
import { formOf, worldFrom } from '../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../server/domain/form/form-shapes.js';
import type { World } from '../../server/domain/world/world.js';
import type { NameKind, NamesThere } from './name-map.js';

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
