// Servers with a fault in their page permissions.
import { putPage } from '../../../server/domain/world/pages.js';
import { noNames } from '../../../server/domain/world/world.js';
import {
  at,
  both,
  breaking,
  byMethod,
  type FaultyServer,
  fields,
  groupsOf,
  idle,
  isPermissions,
  list,
  listing,
  type Meant,
  mistaking,
  names,
  permitted,
  refusing,
  removing,
  renaming,
  restricted,
  rewriting,
  sending,
  usersOf,
  without,
} from './changes.js';

const EDIT = 'permissions/edit';
const VIEW = 'permissions/view';
const ALL = 'permissions/all';
const namesBoth: Meant = asked => usersOf(asked).length > 0 && groupsOf(asked).length > 0;
const isOneText = (value: unknown) => (typeof value === 'string' ? [value] : value);

export const permissionServers: readonly FaultyServer[] = [
  ...breaking('permissions.edit-add', {
    'adds nothing to the edit permission': idle(at(EDIT, 'PUT')),
    'ignores the groups that are added to the edit permission': permitted('edit', 'add', (after, before) => ({
      ...after,
      groups: before.groups,
    })),
    'replaces the edit permission when users and groups are added': permitted('edit', 'add', (_, __, asked) => ({
      users: noNames.users.union(usersOf(asked).filter(user => asked.world.users.has(user))),
      groups: noNames.groups.union(groupsOf(asked).filter(group => asked.world.groups.has(group))),
    })),
    'adds editors to the view permission instead': mistaking(EDIT, VIEW, 'PUT'),
    'adds editors to the view permission as well': restricted(at(EDIT, 'PUT'), (after, before) => {
      const { users, groups } = without(after.edit, before.edit);
      return { ...after, view: { users: after.view.users.union(users), groups: after.view.groups.union(groups) } };
    }),
  }),
  ...breaking(['permissions.edit-add', 'permissions.body'], {
    'refuses to add users and groups to the edit permission at once': refusing(both(at(EDIT, 'PUT'), namesBoth), 400),
  }),
  ...breaking('permissions.edit-remove', {
    'clears the edit permission when users or groups are removed from it': permitted('edit', 'remove', () => noNames),
    'removes only users from the edit permission': permitted('edit', 'remove', (after, before) => ({
      ...after,
      groups: before.groups,
    })),
    'removes users from the view permission as well as from the edit permission': restricted(
      removing('edit'),
      (after, _, asked) => ({
        ...after,
        view: { ...after.view, users: after.view.users.subtract(usersOf(asked)) },
      }),
    ),
  }),
  ...breaking(['permissions.edit-remove', 'permissions.body'], {
    'drops the body of a DELETE, so that nothing is removed from the edit permission': sending(
      at(EDIT, 'DELETE'),
      () => ({ users: [], groups: [] }),
    ),
  }),
  ...breaking('permissions.view-add', {
    'ignores users that are added to the view permission together with groups': permitted(
      'view',
      'add',
      (after, before, asked) => (groupsOf(asked).length > 0 ? { ...after, users: before.users } : after),
    ),
    'adds the members of a group to the view permission one by one': permitted(
      'view',
      'add',
      (after, before, { world }) => {
        const added = after.groups.subtract(before.groups);
        const users = after.users.union(added.flatMap(group => world.groups.get(group) ?? []));
        return { users, groups: before.groups };
      },
    ),
    'adds nothing to a view permission that has names already': permitted('view', 'add', (after, before) =>
      before.users.size + before.groups.size > 0 ? before : after,
    ),
  }),
  ...breaking('permissions.view-remove', {
    'removes only groups from the view permission': permitted('view', 'remove', (after, before) => ({
      ...after,
      users: before.users,
    })),
    'removes nothing from the view permission when no users are given': permitted(
      'view',
      'remove',
      (after, before, asked) => (usersOf(asked).length === 0 ? before : after),
    ),
    'clears the edit permission when names are removed from the view permission': restricted(
      removing('view'),
      after => ({ ...after, edit: noNames }),
    ),
  }),
  ...breaking('permissions.all-remove', {
    'leaves the view permission as it is when names are removed from all permissions': restricted(
      removing('all'),
      (after, { view }) => ({ ...after, view }),
    ),
    'removes from all permissions only users who are in both': restricted(removing('all'), (after, { edit, view }) => ({
      ...after,
      edit: { ...after.edit, users: after.edit.users.union(edit.users.subtract(view.users)) },
      view: { ...after.view, users: after.view.users.union(view.users.subtract(edit.users)) },
    })),
    'clears both permissions of a page when some names are removed from all permissions': restricted(
      removing('all'),
      after => ({ ...after, edit: noNames, view: noNames }),
    ),
    'removes users from the permissions of all pages': {
      world: (after, before, asked) => {
        if (!removing('all')(asked) || after === before) return after;
        const named = { users: noNames.users.union(usersOf(asked)), groups: noNames.groups };
        return [...after.pages].reduce((world, [id, page]) => {
          const edit = without(page.edit, named);
          return putPage(world, id, { ...page, edit, view: without(page.view, named) });
        }, after);
      },
    },
  }),
  ...breaking(['permissions.heading-method', 'permissions.all-remove'], {
    'serves permissions/all by POST and not by DELETE': byMethod(ALL, 'DELETE', 'POST'),
  }),
  ...breaking(['permissions.heading-method', 'permissions.view-add'], {
    'adds to the view permission by POST and not by PUT': byMethod(VIEW, 'PUT', 'POST'),
  }),
  ...breaking(['permissions.heading-method', 'permissions.edit-remove'], {
    'removes from the edit permission by POST and not by DELETE': byMethod(EDIT, 'DELETE', 'POST'),
  }),
  ...breaking('permissions.heading-method', {
    'adds to the edit permission when it gets a POST': {
      request: asked => (at(EDIT, 'POST')(asked) ? { method: 'PUT' } : {}),
    },
  }),
  ...breaking(['permissions.groups-field', 'permissions.all-remove'], {
    'expects the groups in a field named group when they are removed from all permissions': renaming(
      at(ALL),
      'groups',
      'group',
    ),
  }),
  ...breaking('permissions.groups-field', {
    'ignores groups and reads only group when names are removed from all permissions': sending(
      at(ALL),
      ({ group, ...body }) => ({
        ...body,
        groups:
          Array.isArray(body.groups) && names(body.groups).length === body.groups.length ? list(group) : body.groups,
      }),
    ),
  }),
  ...breaking('permissions.body', {
    'swaps the users and groups of a permission': sending(isPermissions, body =>
      names(body.users).length + names(body.groups).length > 0
        ? { ...body, users: body.groups, groups: body.users }
        : body,
    ),
    'accepts a string instead of the list of users of a permission': rewriting(isPermissions, 'users', isOneText),
    'expects the users of a permission as objects with a name': listing(isPermissions, 'users', users =>
      users.map(user => (typeof user === 'string' ? { name: user } : fields(user).name)),
    ),
  }),
];
