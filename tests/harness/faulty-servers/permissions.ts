// Servers with a fault in their group operations or page permissions.
import {
  at,
  both,
  doesNothing,
  fieldsOf,
  isText,
  makes,
  readsAs,
  readsFields,
  readsLists,
  refuses,
  respondsWith,
  servesAs,
  type When,
} from '../../../harness/conform/faults/fault-changes.js';
import { noNames } from '../../../server/domain/world/world.js';
import {
  breaking,
  by,
  byMethod,
  type FaultyServer,
  groupsOf,
  isGroups,
  isPermissions,
  members,
  names,
  pages,
  permitted,
  removing,
  rewriting,
  usersOf,
} from './changes.js';

const adding = at('groups/add-users');
const taking = at('groups/remove-users');
const setting = at('groups/set-users');

/** Whether some of the users are members of the group and some are not. */
const isMixed: When = asked => {
  const group = asked.world.groups.get(String(fieldsOf(asked).group));
  const users = usersOf(asked);
  return users.some(user => group?.has(user) === true) && users.some(user => group?.has(user) === false);
};

export const groupServers: readonly FaultyServer[] = [
  ...breaking('groups.add-users', {
    'replaces the members of a group when users are added': servesAs(adding, '/add-users', '/set-users'),
    'adds only the first of several users to a group': readsLists(adding, ['users'], users => users.slice(0, 1)),
    'refuses to add users to a group when one of them is a member already': refuses(both(adding, isMixed), 409),
    'responds with 500 after users are added to a group': respondsWith(adding, 200, 500, ''),
    'adds the caller to the group as well': members(adding, (after, _, { caller }) => after.add(caller.name ?? '')),
    'adds the users to every group': makes(adding, (after, asked) => ({
      ...after,
      groups: after.groups.map(group => group.union(usersOf(asked))),
    })),
    'keeps at most three members in a group': members(adding, after => after.take(3)),
  }),
  ...breaking('groups.remove-users', {
    'keeps only the users that are to be removed from a group': members(taking, (after, before) =>
      before.subtract(after),
    ),
    'never removes the last member of a group': members(taking, (after, before) => (after.size === 0 ? before : after)),
    'removes no users from a group when one of them is not a member': doesNothing(both(taking, isMixed)),
    'removes the caller instead of the users': members(taking, (_, before, { caller }) =>
      before.remove(caller.name ?? ''),
    ),
    'deletes a group with its last member': makes(taking, after => ({
      ...after,
      groups: after.groups.filter(({ size }) => size > 0),
    })),
  }),
  ...breaking('groups.set-users', {
    'keeps one former member when a group is set': members(setting, (after, before) => after.union(before.take(1))),
    'ignores a set with more than two users': members(setting, (after, before) => (after.size > 2 ? before : after)),
    'serves set-users by PUT and not by POST': byMethod('groups/set-users', 'POST', 'PUT'),
  }),
  ...breaking('groups.body', {
    'reads the users of a group from the field members': readsAs(isGroups, 'users', 'members'),
    'expects the users of a group as one string with commas': rewriting(isGroups, 'users', users => {
      if (isText(users)) return users.split(',');
      return Array.isArray(users) ? names(users).join(',') : users;
    }),
    'skips users of a group that are not strings': readsLists(isGroups, ['users'], names),
  }),
];

const editAdd = both(at('permissions/edit'), by('PUT'));

export const permissionServers: readonly FaultyServer[] = [
  ...breaking('permissions.edit-add', {
    'replaces the groups of the edit permission and adds the users': permitted('edit', 'add', (after, _, asked) => ({
      ...after,
      groups: after.groups.filter(name => groupsOf(asked).includes(name)),
    })),
    'adds editors to the view permission instead': servesAs(editAdd, '/edit', '/view'),
    'adds editors to the view permission as well': pages(editAdd, (after, _, asked) => ({
      ...after,
      view: { ...after.view, users: after.view.users.union(usersOf(asked)) },
    })),
  }),
  ...breaking(['permissions.edit-add', 'permissions.body'], {
    'refuses to add users and groups to the edit permission at once': refuses(
      both(editAdd, asked => usersOf(asked).length > 0 && groupsOf(asked).length > 0),
    ),
  }),
  ...breaking('permissions.edit-remove', {
    'clears the edit permission when users or groups are removed from it': permitted('edit', 'remove', () => noNames),
    'removes only users from the edit permission': permitted('edit', 'remove', (after, { groups }) => ({
      ...after,
      groups,
    })),
  }),
  ...breaking(['permissions.edit-remove', 'permissions.body'], {
    'drops the body of a DELETE, so that nothing is removed from the edit permission': readsFields(
      both(at('permissions/edit'), by('DELETE')),
      () => ({ users: [], groups: [] }),
    ),
  }),
  ...breaking('permissions.view-add', {
    'adds the members of a group to the view permission one by one': permitted(
      'view',
      'add',
      (after, { groups }, asked) => {
        const added = after.groups.subtract(groups);
        return { users: after.users.union(added.flatMap(group => asked.world.groups.get(group) ?? [])), groups };
      },
    ),
    'adds nothing to a view permission that has names already': permitted('view', 'add', (after, before) =>
      before.users.size + before.groups.size > 0 ? before : after,
    ),
  }),
  ...breaking('permissions.view-remove', {
    'removes nothing from the view permission when no users are given': permitted(
      'view',
      'remove',
      (after, before, asked) => (usersOf(asked).length === 0 ? before : after),
    ),
    'removes the users from the edit permission as well': pages(removing('view'), (after, _, asked) => ({
      ...after,
      edit: { ...after.edit, users: after.edit.users.subtract(usersOf(asked)) },
    })),
    'removes the groups of the view permission together with any user': permitted(
      'view',
      'remove',
      (after, _, asked) => (usersOf(asked).length > 0 ? { ...after, groups: after.groups.clear() } : after),
    ),
  }),
  ...breaking('permissions.all-remove', {
    'leaves the view permission as it is when names are removed from all permissions': pages(
      removing('all'),
      (after, { view }) => ({ ...after, view }),
    ),
    'removes from all permissions only users who are in both': pages(removing('all'), (after, { edit, view }) => ({
      ...after,
      edit: { ...after.edit, users: after.edit.users.union(edit.users.subtract(view.users)) },
      view: { ...after.view, users: after.view.users.union(view.users.subtract(edit.users)) },
    })),
  }),
  ...breaking(['permissions.heading-method', 'permissions.view-add'], {
    'adds to the view permission by POST and not by PUT': byMethod('permissions/view', 'PUT', 'POST'),
  }),
  ...breaking('permissions.heading-method', {
    'adds to the edit permission when it gets a POST': servesAs(
      both(at('permissions/edit'), by('POST')),
      '/edit',
      '/edit',
      'PUT',
    ),
  }),
  ...breaking('permissions.groups-field', {
    'ignores groups and reads only group when names are removed from all permissions': readsFields(
      at('permissions/all'),
      ({ groups: _, group = [], ...body }) => ({ ...body, groups: group }),
    ),
  }),
  ...breaking('permissions.body', {
    'swaps the users and groups of a permission': readsFields(isPermissions, body => ({
      ...body,
      users: body.groups,
      groups: body.users,
    })),
    'accepts a string instead of the list of users of a permission': rewriting(isPermissions, 'users', users =>
      isText(users) ? [users] : users,
    ),
  }),
];
