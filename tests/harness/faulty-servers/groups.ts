// Servers with a fault in their group operations.
import {
  at,
  breaking,
  byMethod,
  type FaultyServer,
  failing,
  idle,
  isGroups,
  listing,
  type Meant,
  members,
  mistaking,
  names,
  refusing,
  renaming,
  rewriting,
  textField,
  usersOf,
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
