// Faults of group membership and page permissions: sections 4.2 and 4.3 of the document.
import { putPage } from '../../../server/domain/world/pages.js';
import {
  asksInstead,
  at,
  both,
  breaking,
  doesNothing,
  has,
  listIn,
  makes,
  not,
  otherThan,
  pathOf,
  readsAs,
  readsFields,
  refuses,
  servesAs,
  type When,
} from './fault-changes.js';
import type { Asked, ServerFault } from './server-fault.js';

const anyGroup = at('groups/');
const adding = at('groups/add-users');
const removing = at('groups/remove-users');
const setting = at('groups/set-users');

export const groupFaults: readonly ServerFault[] = [
  ...breaking('groups.body', {
    'changes another group than the one in the body': readsFields(anyGroup, (fields, { world }) => {
      const other = otherThan(fields.group, world.groups.keys());
      return other === undefined || !world.groups.has(String(fields.group)) ? fields : { ...fields, group: other };
    }),
    'reads members instead of users in group requests': readsAs(anyGroup, 'users', 'members'),
  }),
  ...breaking('groups.add-users', {
    'removes the users it should add to a group': servesAs(adding, '/add-users', '/remove-users'),
    'replaces the members of a group on adding users': servesAs(adding, '/add-users', '/set-users'),
  }),
  ...breaking('groups.remove-users', {
    'adds users it should remove from a group': servesAs(removing, '/remove-users', '/add-users'),
  }),
  ...breaking('groups.set-users', {
    'keeps the former members on setting members': servesAs(setting, '/set-users', '/add-users'),
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
/** Leaves only the names of a request in the permission that it should add to. */
const replaces = makes(both(anywhere, isPut), (after, asked) => {
  const kind = asked.place === 'permissions/edit' ? 'edit' : 'view';
  const page = after.pages.get(pageIn(asked));
  const named = (list: 'users' | 'groups') => page?.[kind][list].filter(name => listIn(asked, list).includes(name));
  return page === undefined
    ? after
    : putPage(after, pageIn(asked), { ...page, [kind]: { users: named('users'), groups: named('groups') } });
});

/** Serves a request at another permission, or as another method. */
const serves = (when: When, from: string, to: string, method: string) =>
  servesAs(when, `/permissions/${from}/`, `/permissions/${to}/`, method);

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
    'reads group instead of groups in page permissions': readsAs(anywhere, 'groups', 'group'),
  }),
  ...(['edit', 'view'] as const).flatMap(name => {
    const other = name === 'edit' ? 'view' : 'edit';
    const [adding, removing] = name === 'edit' ? [editAdd, editRemove] : [viewAdd, viewRemove];
    return [
      ...breaking(`permissions.${name}-add`, {
        [`adds to the ${other} permission instead of ${name}`]: serves(adding, name, other, 'PUT'),
      }),
      ...breaking(`permissions.${name}-remove`, {
        [`removes from the ${other} permission instead of ${name}`]: serves(removing, name, other, 'DELETE'),
      }),
    ];
  }),
  ...breaking('permissions.edit-add', {
    'changes the permissions of another page': asksInstead(anywhere, asked => {
      const page = pageIn(asked);
      const other = asked.world.pages.has(page) ? otherThan(page, asked.world.pages.keys()) : undefined;
      return other === undefined ? {} : { path: asked.path.replace(`/${page}`, `/${other}`) };
    }),
  }),
  ...breaking(['permissions.edit-add', 'permissions.view-add'], {
    'replaces page permissions instead of adding to them': replaces,
  }),
  ...breaking('permissions.heading-method', {
    'serves only the methods of the headings, not those of the request lines': refuses(
      asked => (isDelete(asked) && anywhere(asked)) || viewAdd(asked),
      405,
    ),
    'serves no DELETE on page permissions': refuses(both(anywhere, isDelete), 405),
    'ignores the body of DELETE and removes nothing from page permissions': doesNothing(both(anywhere, isDelete)),
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
