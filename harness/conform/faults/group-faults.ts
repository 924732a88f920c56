// Faults of group membership: section 4.2 of the document.
import { Set as PSet } from 'immutable';
import type { World } from '../../../server/domain/world/world.js';
import {
  accepts,
  at,
  both,
  breaking,
  doesNothing,
  fieldsOf,
  has,
  hasSeveral,
  isMistyped,
  makes,
  not,
  onlyFirst,
  otherThan,
  readsAs,
  readsFields,
  readsLists,
  refuses,
  refusesAfterwards,
  servesAs,
  sum,
  takesOneForList,
  textsIn,
  type When,
} from './fault-changes.js';
import type { Asked, Change, ServerFault } from './server-fault.js';

const anyGroup = at('groups/');
const adding = at('groups/add-users');
const removing = at('groups/remove-users');
const setting = at('groups/set-users');

type Members = PSet<string>;
const named = (asked: Asked): Members => PSet(textsIn(asked, 'users'));
const membersIn = (asked: Asked, world: World = asked.world): Members =>
  world.groups.get(String(fieldsOf(asked).group)) ?? PSet();
const hasMember: When = asked => !named(asked).intersect(membersIn(asked)).isEmpty();
const hasStranger: When = asked => !named(asked).subtract(membersIn(asked)).isEmpty();

/** Leaves other members in the group than a correct server. */
function leaves(when: When, members: (before: Members, asked: Asked) => Members): Change {
  return makes(when, (after, asked) => {
    const left = members(membersIn(asked), asked);
    const group = String(fieldsOf(asked).group);
    return left.equals(membersIn(asked, after)) ? after : { ...after, groups: after.groups.set(group, left) };
  });
}

/** Leaves other members in the other groups. */
function leavesElsewhere(when: When, members: (before: Members, asked: Asked) => Members): Change {
  return makes(when, (after, asked) => ({
    ...after,
    groups: after.groups.map((before, group) => (group === fieldsOf(asked).group ? before : members(before, asked))),
  }));
}

const everywhere = sum(
  leavesElsewhere(adding, (before, asked) => before.union(named(asked))),
  leavesElsewhere(removing, (before, asked) => before.subtract(named(asked))),
  leavesElsewhere(setting, (_, asked) => named(asked)),
);

/** Adds only the users before the first that is a member. */
const stopsAtMember = readsLists(adding, ['users'], (list, asked) => {
  const at = list.findIndex(name => membersIn(asked).has(String(name)));
  return at === -1 ? list : list.slice(0, at);
});

/** The faults that each of the operations may have. */
const common = (
  [
    ['add-users', adding, 'adding the users', 'adds'],
    ['remove-users', removing, 'removing the users from the group', 'removes'],
    ['set-users', setting, 'setting the members of the group', 'sets'],
  ] as const
).flatMap(([id, when, doing, does]) =>
  breaking(`groups.${id}`, {
    [`${id}-nothing: reports success without ${doing}`]: doesNothing(when),
    [`${id}-first-only: ${does} only the first user of the list as a member`]: readsLists(when, ['users'], onlyFirst),
  }),
);

export const groupFaults: readonly ServerFault[] = [
  ...breaking('groups.body', {
    'groups-first-only: uses only the first of several users': readsLists(anyGroup, ['users'], onlyFirst),
    'groups-several-refused: refuses group requests for several users': refuses(both(anyGroup, hasSeveral('users'))),
    'groups-other-group: changes another group than the one in the body': readsFields(anyGroup, (fields, { world }) => {
      const other = otherThan(fields.group, world.groups.keys());
      return other === undefined || !world.groups.has(String(fields.group)) ? fields : { ...fields, group: other };
    }),
    'groups-all-groups: changes all groups, not only the one in the body': everywhere,
    'groups-text-for-users: accepts a single name as text for users': takesOneForList(anyGroup, 'users'),
    'groups-mistyped-accepted: reports success when group or users has the wrong type': accepts(
      both(anyGroup, isMistyped({ group: 'text', users: 'texts' })),
    ),
    'groups-reads-members: reads members instead of users in group requests': readsAs(anyGroup, 'users', 'members'),
  }),
  ...common,
  ...breaking('groups.add-users', {
    'add-users-removes: removes the users it should add to a group': servesAs(adding, '/add-users', '/remove-users'),
    'add-users-replaces: replaces the members of a group on adding users': servesAs(adding, '/add-users', '/set-users'),
    'add-users-member-refused: refuses to add several users if one is already a member': refuses(
      both(adding, hasSeveral('users'), hasMember),
    ),
    'add-users-member-stops: stops adding users at the first who is already a member': stopsAtMember,
    'add-users-member-fails: fails at the first user who is already a member, after adding those before': sum(
      stopsAtMember,
      refusesAfterwards(both(adding, hasSeveral('users'), hasMember)),
    ),
  }),
  ...breaking('groups.remove-users', {
    'remove-users-adds: adds users it should remove from a group': servesAs(removing, '/remove-users', '/add-users'),
    'remove-users-clears: removes all members of a group, whichever users are listed': leaves(removing, before =>
      before.clear(),
    ),
    'remove-users-keeps-them: removes every member of a group except the users of the list': leaves(
      removing,
      (before, asked) => before.intersect(named(asked)),
    ),
    'remove-users-stranger-ignored: removes no one if any user is not a member': doesNothing(
      both(removing, hasStranger),
    ),
    'remove-users-stranger-refused: refuses to remove several users if one is not a member': refuses(
      both(removing, hasSeveral('users'), hasStranger),
    ),
  }),
  ...breaking('groups.set-users', {
    'set-users-only-adds: keeps the former members on setting members': leaves(setting, (before, asked) =>
      before.union(named(asked)),
    ),
    'set-users-only-removes: removes former members when members are set, but adds no new ones': leaves(
      setting,
      (before, asked) => before.intersect(named(asked)),
    ),
    'set-users-clears: leaves the group empty when its members are set': leaves(setting, before => before.clear()),
    'set-users-last-only: sets only the last user of the list as a member': readsLists(setting, ['users'], list =>
      list.slice(-1),
    ),
    'set-users-adds-caller: adds the caller when the members of a group are set': leaves(setting, (_, asked) =>
      named(asked).concat(asked.caller.name ?? []),
    ),
    'set-users-leaves-others: removes the users from their other groups when members are set': leavesElsewhere(
      setting,
      (before, asked) => before.subtract(named(asked)),
    ),
    'set-users-empty-ignored: keeps the members on setting an empty list': doesNothing(
      both(setting, not(has('users'))),
    ),
  }),
];
