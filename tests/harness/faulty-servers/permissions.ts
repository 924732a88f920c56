// Servers with a fault in their group operations or page permissions.
import { putPage } from '../../../server/domain/world/pages.js';
import { noNames } from '../../../server/domain/world/world.js';
import {
  at,
  both,
  breaking,
  byMethod,
  type FaultyServer,
  failing,
  fields,
  groupsOf,
  idle,
  isGroups,
  isPermissions,
  list,
  listing,
  type Meant,
  members,
  mistaking,
  names,
  permitted,
  refusing,
  removing,
  renaming,
  restricted,
  rewriting,
  sending,
  textField,
  usersOf,
  without,
} from './changes.js';

const ADD = 'groups/add-users';
const REMOVE = 'groups/remove-users';
const SET = 'groups/set-users';

/** Whether some of the users are members of the group and some are not. */
const isMixed: Meant = asked => {
  const group = asked.world.groups.get(textField('group', asked));
  const users = usersOf(asked);
  return users.some(user => group?.has(user) === true) && users.some(user => group?.has(user) === false);
};

export const groupServers: readonly FaultyServer[] = [
  ...breaking('groups.add-users', {
    'replaces the members of a group when users are added': mistaking(ADD, SET),
    'adds no users to a group, but reports success': idle(at(ADD)),
    'adds only the first of several users to a group': listing(at(ADD), 'users', users => users.slice(0, 1)),
    'refuses to add users to a group when one of them is a member already': refusing(
      asked => at(ADD)(asked) && isMixed(asked),
      409,
    ),
    'stops adding at the first user who is a member already': members(ADD, (after, before, asked) => {
      const users = usersOf(asked);
      const end = users.findIndex(user => before.has(user));
      return end < 0 ? after : before.union(users.slice(0, end));
    }),
    'responds with 500 after users are added to a group': failing(at(ADD), 500),
  }),
  ...breaking('groups.remove-users', {
    'removes only the first of several users from a group': listing(at(REMOVE), 'users', users => users.slice(0, 1)),
    'removes all members of a group instead of the given users': members(REMOVE, after => after.clear()),
    'keeps only the users that are to be removed from a group': members(REMOVE, (after, before) =>
      before.subtract(after),
    ),
    'never removes the last member of a group': members(REMOVE, (after, before) => (after.size === 0 ? before : after)),
    'removes users from all groups': {
      world: (after, before, asked) =>
        at(REMOVE)(asked) && after !== before
          ? { ...after, groups: after.groups.map(group => group.subtract(usersOf(asked))) }
          : after,
    },
    'removes no users from a group when one of them is not a member': idle(
      asked => at(REMOVE)(asked) && isMixed(asked),
    ),
  }),
  ...breaking('groups.set-users', {
    'keeps the former members when a group is set': mistaking(SET, ADD),
    'removes the other members when a group is set, but adds no users': members(SET, (after, before) =>
      before.intersect(after),
    ),
    'makes only the last of several users a member when a group is set': listing(at(SET), 'users', users =>
      users.slice(-1),
    ),
    'makes the caller a member when a group is set': members(SET, (after, _, { caller }) =>
      caller.name === undefined ? after : after.add(caller.name),
    ),
    'removes the users from their other groups when a group is set': {
      world: (after, before, asked) =>
        at(SET)(asked) && after !== before
          ? {
              ...after,
              groups: after.groups.map((group, name) =>
                name === textField('group', asked) ? group : group.subtract(usersOf(asked)),
              ),
            }
          : after,
    },
    'serves set-users by PUT and not by POST': byMethod(SET, 'POST', 'PUT'),
  }),
  ...breaking(['groups.body', 'groups.remove-users'], {
    'expects the group in a field named groupName when users are removed': renaming(at(REMOVE), 'group', 'groupName'),
  }),
  ...breaking('groups.body', {
    'reads the users of a group from the field members': renaming(isGroups, 'users', 'members'),
    'expects the users of a group as one string with commas': rewriting(isGroups, 'users', users => {
      if (typeof users === 'string') return users.split(',');
      return Array.isArray(users) ? names(users).join(',') : users;
    }),
    'skips users of a group that are not strings': listing(isGroups, 'users', users =>
      names(users).length < users.length ? names(users) : users,
    ),
  }),
];

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
