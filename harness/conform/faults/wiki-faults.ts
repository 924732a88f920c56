// Faults of group membership and page permissions: sections 4.2 and 4.3 of the document.
import { Set as PSet } from 'immutable';
import { evolveAll, type Fact } from '../../../server/domain/facts.js';
import type { Permission, World } from '../../../server/domain/world/world.js';
import {
  accepts,
  also,
  anyOf,
  asksInstead,
  at,
  both,
  breaking,
  doesNothing,
  fieldsOf,
  has,
  hasSeveral,
  makes,
  not,
  otherThan,
  pathOf,
  readsAs,
  readsFields,
  readsLists,
  refuses,
  refusesAfterwards,
  servesAs,
  sum,
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

export const groupFaults: readonly ServerFault[] = [
  ...breaking('groups.body', {
    'changes another group than the one in the body': readsFields(anyGroup, (fields, { world }) => {
      const other = otherThan(fields.group, world.groups.keys());
      return other === undefined || !world.groups.has(String(fields.group)) ? fields : { ...fields, group: other };
    }),
    'changes all groups, not only the one in the body': everywhere,
    'reads members instead of users in group requests': readsAs(anyGroup, 'users', 'members'),
  }),
  ...breaking('groups.add-users', {
    'removes the users it should add to a group': servesAs(adding, '/add-users', '/remove-users'),
    'replaces the members of a group on adding users': servesAs(adding, '/add-users', '/set-users'),
    'refuses to add several users if one is already a member': refuses(both(adding, hasSeveral('users'), hasMember)),
    'stops adding users at the first who is already a member': stopsAtMember,
    'fails at the first user who is already a member, after adding those before': sum(
      stopsAtMember,
      refusesAfterwards(both(adding, hasSeveral('users'), hasMember)),
    ),
  }),
  ...breaking('groups.remove-users', {
    'adds users it should remove from a group': servesAs(removing, '/remove-users', '/add-users'),
    'removes all members of a group, whichever users are listed': leaves(removing, before => before.clear()),
    'removes every member of a group except the users of the list': leaves(removing, (before, asked) =>
      before.intersect(named(asked)),
    ),
    'removes no one if any user is not a member': doesNothing(both(removing, hasStranger)),
    'refuses to remove several users if one is not a member': refuses(both(removing, hasSeveral('users'), hasStranger)),
  }),
  ...breaking('groups.set-users', {
    'keeps the former members on setting members': leaves(setting, (before, asked) => before.union(named(asked))),
    'removes former members when members are set, but adds no new ones': leaves(setting, (before, asked) =>
      before.intersect(named(asked)),
    ),
    'leaves the group empty when its members are set': leaves(setting, before => before.clear()),
    'sets only the last user of the list as a member': readsLists(setting, ['users'], list => list.slice(-1)),
    'adds the caller when the members of a group are set': leaves(setting, (_, asked) =>
      named(asked).concat(asked.caller.name ?? []),
    ),
    'removes the users from their other groups when members are set': leavesElsewhere(setting, (before, asked) =>
      before.subtract(named(asked)),
    ),
    'keeps the members on setting an empty list': doesNothing(both(setting, not(has('users')))),
  }),
];

const anywhere = at('permissions/');
const isPut: When = ({ method }) => method === 'PUT';
const isDelete: When = ({ method }) => method === 'DELETE';
const isPost: When = ({ method }) => method === 'POST';
const editAdd = both(at('permissions/edit'), isPut);
const viewAdd = both(at('permissions/view'), isPut);
const editRemove = both(at('permissions/edit'), not(isPut));
/** POST may also add: a gap decides. */
const viewRemove = both(at('permissions/view'), isDelete);
const allRemove = at('permissions/all');

const pageIn = (asked: Asked): string => pathOf(asked).split('/').at(-1) ?? '';
const namesIn = (asked: Asked) => ({
  users: textsIn(asked, 'users').filter(name => asked.world.users.has(name)),
  groups: [...textsIn(asked, 'groups'), ...textsIn(asked, 'group')].filter(name => asked.world.groups.has(name)),
});
const permissionsIn = ({ place }: Asked): readonly Permission[] =>
  (['edit', 'view'] as const).filter(permission => place !== `permissions/${permission === 'edit' ? 'view' : 'edit'}`);

/** Adds or removes the names of the request. */
function changing(asked: Asked, page: string, permissions: readonly Permission[], names = namesIn(asked)): Fact[] {
  const type = isPut(asked) ? 'page-permission-added' : 'page-permission-removed';
  return permissions.map(permission => ({ type, page, permission, ...names }));
}

/** Removes all from the permissions whom the request does not name; or all, whomever it names. */
function clearing(isSparing: boolean) {
  return (asked: Asked): Fact[] => {
    const page = asked.world.pages.get(pageIn(asked));
    if (page === undefined) return [];
    const spared = new Set(isSparing ? Object.values(namesIn(asked)).flat() : []);
    return permissionsIn(asked).map(permission => ({
      type: 'page-permission-removed',
      page: pageIn(asked),
      permission,
      users: [...page[permission].users].filter(name => !spared.has(name)),
      groups: [...page[permission].groups].filter(name => !spared.has(name)),
    }));
  };
}

/** Serves a request at another permission, or as another method. */
const serves = (when: When, from: string, to: string, method: string) =>
  servesAs(when, `/permissions/${from}/`, `/permissions/${to}/`, method);

/** The faults of edit, of view, and of both. */
const single = (
  [
    ['edit', ['edit'], editAdd, editRemove],
    ['view', ['view'], viewAdd, viewRemove],
    ['edit and view', ['edit', 'view'], anyOf(editAdd, viewAdd), anyOf(editRemove, viewRemove)],
  ] as const
).flatMap(([name, permissions, adding, removing]) => {
  const otherOf = (asked: Asked): Permission => (at('permissions/edit')(asked) ? 'view' : 'edit');
  const elsewhere = (when: When) =>
    asksInstead(when, asked => ({ path: asked.path.replace(/\/(?:edit|view)\//, `/${otherOf(asked)}/`) }));
  const asMethod = (when: When, method: string) => asksInstead(when, () => ({ method }));
  const onBoth = (when: When) => also(when, asked => changing(asked, pageIn(asked), [otherOf(asked)]));
  const other = name === 'edit' ? 'view' : name === 'view' ? 'edit' : 'other';
  return [
    ...breaking(
      permissions.map(one => `permissions.${one}-add`),
      {
        [`removes users and groups on PUT to the ${name} permission`]: asMethod(adding, 'DELETE'),
        [`adds to the ${other} permission instead of ${name}`]: elsewhere(adding),
        [`adds to the ${other} permission as well as ${name}`]: onBoth(adding),
        [`replaces the ${name} permission instead of adding to it`]: also(adding, clearing(true)),
      },
    ),
    ...breaking(
      permissions.map(one => `permissions.${one}-remove`),
      {
        [`adds those it should remove from the ${name} permission`]: asMethod(removing, 'PUT'),
        [`removes from the ${other} permission instead of ${name}`]: elsewhere(removing),
        [`removes from the ${other} permission as well as ${name}`]: onBoth(removing),
        [`clears the ${name} permission when names are removed`]: also(removing, clearing(false)),
      },
    ),
  ];
});

export const permissionFaults: readonly ServerFault[] = [
  ...breaking('permissions.body', {
    ...Object.fromEntries(
      ['users', 'groups'].map(list => [
        `refuses page permissions without ${list}`,
        refuses(both(anywhere, not(has(list)))),
      ]),
    ),
    'swaps users and groups of page permissions': readsFields(anywhere, ({ users, groups, ...fields }) => ({
      ...fields,
      users: groups,
      groups: users,
    })),
    'stores users of page permissions as groups, and groups as users': {
      world: (after, before, asked) => {
        const { users, groups } = namesIn(asked);
        const swapped = changing(asked, pageIn(asked), permissionsIn(asked), { users: groups, groups: users });
        return anywhere(asked) && !asked.isRefused ? evolveAll(before, swapped) : after;
      },
    },
    'reads group instead of groups in page permissions': readsAs(anywhere, 'groups', 'group'),
    'reports success for permissions of a page that does not exist': accepts(
      both(anywhere, asked => !asked.world.pages.has(pageIn(asked)) && asked.json !== undefined),
    ),
    'changes the permissions of all pages': also(anywhere, asked =>
      [...asked.world.pages.keys()].flatMap(page => changing(asked, page, permissionsIn(asked))),
    ),
  }),
  ...single,
  ...breaking('permissions.all-remove', {
    ...Object.fromEntries(
      ['edit', 'view'].map(id => [
        `removes only ${id} permissions instead of all`,
        serves(allRemove, 'all', id, 'DELETE'),
      ]),
    ),
    'clears all permissions instead of removing the given names': also(allRemove, clearing(false)),
  }),
  ...breaking('permissions.edit-add', {
    'changes the permissions of another page': asksInstead(anywhere, asked => {
      const page = pageIn(asked);
      const other = asked.world.pages.has(page) ? otherThan(page, asked.world.pages.keys()) : undefined;
      return other === undefined ? {} : { path: asked.path.replace(`/${page}`, `/${other}`) };
    }),
  }),
  ...breaking('permissions.heading-method', {
    'serves only the methods of the headings, not those of the request lines': refuses(
      asked => (isDelete(asked) && anywhere(asked)) || viewAdd(asked),
      405,
    ),
    'serves no DELETE on page permissions': refuses(both(anywhere, isDelete), 405),
    'ignores the body of DELETE and removes nothing from page permissions': doesNothing(both(anywhere, isDelete)),
    'ignores the body of DELETE and clears permissions': also(both(anywhere, isDelete), clearing(false)),
    'adds to the edit permission on POST instead of removing from it': serves(
      both(at('permissions/edit'), isPost),
      'edit',
      'edit',
      'PUT',
    ),
  }),
  ...breaking('permissions.groups-field', {
    'reads only group, not groups, when all permissions are removed': readsFields(
      allRemove,
      ({ groups: _, group = [], ...fields }) => ({ ...fields, groups: group }),
    ),
  }),
];
