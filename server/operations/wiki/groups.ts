// Group membership: section 4.2 of the document.
import type { Fact } from '../../domain/facts.js';
import { groupAccess } from '../access.js';
import type { StatementText } from '../document/statement.js';
import { absent, emptyRefusal, knownGroups, knownUsers, quoted } from '../lookups.js';
import { operation } from '../operation.js';
import type { Asks } from '../operation-context.js';
import { isRefused, type Refused } from '../provenance.js';
import { array, object, string, titled } from '../schema.js';
import { namingReplies, wikiSuccess } from './wiki.js';

const body = {
  schema: titled(
    'GroupMembershipBody',
    object(
      { group: string('The name of the group.'), users: array(string('A user name.'), 'The users, by name.') },
      'groups.body',
      'A group and users, by name.',
    ),
  ),
};
const shared = { family: 'wiki', method: 'POST', body, access: groupAccess, replies: namingReplies } as const;
const changing = {
  ...shared,
  refusals: ['unknown-user', 'unknown-group', 'empty-lists', 'no-change'],
  gaps: ['name-case', 'unknown-user', 'unknown-group', 'empty-lists', 'no-change', 'wiki-success'],
  check: (given: Asks<'empty-lists', 'empty-lists'> & Sent) => emptyRefusal(given, { users: given.input.body.users }),
} as const;
const bodyRule = {
  'groups.body': {
    says: 'The body names one group and a list of users, all as strings.',
    source: '2, first two rows; 4.2',
  },
};
const vendor = { group: 'team-members', users: ['demouser1', 'demouser2'] };

const ids = ['groups.add-users', 'groups.remove-users', 'groups.set-users'];

/** Section 4.2 of the document. */
export const groupStatements: readonly StatementText[] = [
  ['All three take a group body.', { rules: ['groups.body'] }],
  ['All three are POST requests.', { rules: ids, gaps: ['trailing-slash'] }],
  [
    'POST groups/add-users adds members to a group.',
    { rules: ['groups.add-users'], gaps: ['empty-lists', 'no-change', 'unknown-user', 'unknown-group'] },
  ],
  [
    'POST groups/remove-users removes members from it.',
    { rules: ['groups.remove-users'], gaps: ['empty-lists', 'no-change', 'unknown-user', 'unknown-group'] },
  ],
  [
    'POST groups/set-users sets its members.',
    { rules: ['groups.set-users'], gaps: ['set-users-empty', 'no-change', 'unknown-user', 'unknown-group'] },
  ],
];

export const addUsers = operation({
  id: 'groups.add-users',
  ...changing,
  summary: 'Add members to a group',
  path: '/groups/add-users',
  rules: {
    ...bodyRule,
    'groups.add-users': {
      says: 'The users become members of the group; existing members stay.',
      source: '4.2, first row',
      effect: true,
    },
  },
  examples: [
    { title: 'two users join', as: 'admin', body: vendor, response: { status: 200, body: {} } },
    {
      title: 'a user that does not exist',
      as: 'admin',
      body: { group: 'team-members', users: ['bob'] },
      response: {
        status: 404,
        body: { statusCode: 404, message: 'There is no user named "bob".', reason: 'Not Found' },
      },
    },
  ],
  decide(given) {
    const named = membership(given);
    if (isRefused(named)) return named;
    const { group, users, created } = named;
    given.applies('groups.add-users');
    const members = given.world.groups.get(group);
    const joining = users.filter(user => !members?.has(user));
    const message = () => `All of these users are already members of ${quoted(group)}.`;
    const unchanged = unchangedRefusal(given, named, joining.length, message);
    if (unchanged !== undefined) return unchanged;
    return given.accept(
      [...created, ...joining.map(user => ({ type: 'group-member-added', group, user }) as const)],
      wikiSuccess(given, named.messages),
    );
  },
});

export const removeUsers = operation({
  id: 'groups.remove-users',
  ...changing,
  summary: 'Remove members from a group',
  path: '/groups/remove-users',
  rules: {
    ...bodyRule,
    'groups.remove-users': {
      says: 'The users are no longer members of the group.',
      source: '4.2, second row',
      effect: true,
    },
  },
  examples: [{ title: 'a user leaves', as: 'admin', body: vendor, response: { status: 200, body: {} } }],
  decide(given) {
    const named = membership(given, true);
    if (isRefused(named)) return named;
    const { group, users } = named;
    given.applies('groups.remove-users');
    const members = given.world.groups.get(group);
    const leaving = users.filter(user => members?.has(user));
    const message = () => `None of these users is a member of ${quoted(group)}.`;
    const unchanged = unchangedRefusal(given, named, leaving.length, message);
    if (unchanged !== undefined) return unchanged;
    return given.accept(
      leaving.map(user => ({ type: 'group-member-removed', group, user }) as const),
      wikiSuccess(given, named.messages),
    );
  },
});

export const setUsers = operation({
  id: 'groups.set-users',
  ...shared,
  summary: 'Replace the members of a group',
  path: '/groups/set-users',
  rules: {
    ...bodyRule,
    'groups.set-users': {
      says: 'The users in the list become the only members of the group.',
      source: '4.2, third row',
      effect: true,
    },
  },
  refusals: ['unknown-user', 'unknown-group', 'set-users-empty', 'no-change'],
  gaps: ['name-case', 'unknown-user', 'unknown-group', 'set-users-empty', 'no-change', 'wiki-success'],
  examples: [{ title: 'the group is just these two', as: 'admin', body: vendor, response: { status: 200, body: {} } }],
  check(given) {
    const { group, users } = given.input.body;
    if (users.length > 0 || given.reading('set-users-empty') === 'clears') return undefined;
    return given.refuse('set-users-empty', `/users is empty: name at least one user for ${quoted(group)}.`);
  },
  decide(given) {
    const named = membership(given);
    if (isRefused(named)) return named;
    const { group, users, created, isGroupSkipped } = named;
    given.applies('groups.set-users');
    const members = given.world.groups.get(group);
    const isSame = members?.size === users.length && users.every(user => members.has(user));
    const isSkipped = given.input.body.users.length > 0 && users.length === 0; // no name is left, and nobody was meant to leave
    const set: Fact[] = isGroupSkipped || isSame || isSkipped ? [] : [{ type: 'group-members-set', group, users }];
    const message = () => `${quoted(group)} already has exactly these members.`;
    const unchanged = unchangedRefusal(given, named, set.length, message);
    if (unchanged !== undefined) return unchanged;
    return given.accept([...created, ...set], wikiSuccess(given, named.messages));
  },
});

interface Membership {
  readonly group: string;
  readonly users: readonly string[];
  /** The facts that create the group and users, if a reading does. */
  readonly created: readonly Fact[];
  readonly messages: readonly string[];
  /** The group does not exist and a reading skips it: nothing to do. */
  readonly isGroupSkipped: boolean;
}

interface Sent {
  readonly input: { readonly body: { readonly group: string; readonly users: readonly string[] } };
}

/** The refusal of a request that names users, also skipped ones, and changes nothing (gap no-change). */
function unchangedRefusal(
  given: Asks<'no-change', 'no-change'> & Sent,
  { group, users, created, isGroupSkipped }: Membership,
  changes: number,
  message: () => string,
): Refused | undefined {
  if (given.input.body.users.length === 0 || created.length + changes > 0) return undefined;
  if (given.deciding('no-change') === 'ok') return undefined;
  if (isGroupSkipped) return given.refuse('no-change', absent('group', [group]));
  const isSkipped = users.length === 0;
  return given.refuse(
    'no-change',
    isSkipped ? `None of the users exists, so ${quoted(group)} stays unchanged.` : message(),
  );
}

/** Group and users of the body, looked up in the world. */
function membership(
  given: Asks<'name-case' | 'unknown-user' | 'unknown-group', 'unknown-user' | 'unknown-group'> & Sent,
  isRemoving = false,
): Membership | Refused {
  const { group, users } = given.input.body;
  const groups = knownGroups(given, [group], isRemoving);
  if (isRefused(groups)) return groups;
  const known = knownUsers(given, users, isRemoving);
  if (isRefused(known)) return known;
  const [named] = groups.names;
  const isGroupSkipped = named === undefined;
  return {
    group: named ?? group,
    users: isGroupSkipped ? [] : known.names,
    created: isGroupSkipped ? [] : [...groups.created, ...known.created],
    messages: [...groups.messages, ...known.messages],
    isGroupSkipped,
  };
}
