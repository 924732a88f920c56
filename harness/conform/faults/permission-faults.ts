// Faults of page permissions: section 4.3 of the document.
import { evolveAll, type Fact } from '../../../server/domain/facts.js';
import type { Permission } from '../../../server/domain/world/world.js';
import {
  accepts,
  also,
  anyOf,
  asksInstead,
  at,
  both,
  breaking,
  doesNothing,
  has,
  hasSeveral,
  isMistyped,
  not,
  onlyFirst,
  otherThan,
  pathOf,
  readsAs,
  readsFields,
  readsLists,
  refuses,
  servesAs,
  takesOneForList,
  textsIn,
  type When,
} from './fault-changes.js';
import type { Asked, ServerFault } from './server-fault.js';

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

/** Ignores these fields of the body. */
function ignores(when: When, ...names: readonly string[]) {
  return readsFields(when, fields => ({
    ...fields,
    ...Object.fromEntries(names.filter(name => name in fields).map(name => [name, []])),
  }));
}

/** Serves a request at another permission, or as another method. */
const serves = (when: When, from: string, to: string, method: string) =>
  servesAs(when, `/permissions/${from}/`, `/permissions/${to}/`, method);

/** The faults that each of the operations may have. */
const common = (
  [
    ['edit-add', editAdd, 'add', 'to the edit permission'],
    ['edit-remove', editRemove, 'remove', 'from the edit permission'],
    ['view-add', viewAdd, 'add', 'to the view permission'],
    ['view-remove', viewRemove, 'remove', 'from the view permission'],
    ['all-remove', allRemove, 'remove', 'from all permissions'],
  ] as const
).flatMap(([id, when, does, where]) =>
  breaking(`permissions.${id}`, {
    [`${id}-nothing: reports success without ${does.replace(/e?$/, 'ing')} anyone ${where} of a page`]:
      doesNothing(when),
    [`${id}-ignores-groups: ignores groups it should ${does} ${where} of a page`]: ignores(when, 'groups', 'group'),
    [`${id}-ignores-users: ignores users it should ${does} ${where} of a page`]: ignores(when, 'users'),
  }),
);

/** The faults of edit, of view, and of both. */
const single = (
  [
    ['edit', ['edit'], editAdd, editRemove],
    ['view', ['view'], viewAdd, viewRemove],
    ['edit and view', ['edit', 'view'], anyOf(editAdd, viewAdd), anyOf(editRemove, viewRemove)],
  ] as const
).flatMap(([name, permissions, adding, removing]) => {
  const id = permissions.join('-');
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
        [`${id}-add-removes: removes users and groups on PUT to the ${name} permission`]: asMethod(adding, 'DELETE'),
        [`${id}-add-to-${other}: adds to the ${other} permission instead of ${name}`]: elsewhere(adding),
        [`${id}-add-to-both: adds to the ${other} permission as well as ${name}`]: onBoth(adding),
        [`${id}-add-replaces: replaces the ${name} permission instead of adding to it`]: also(adding, clearing(true)),
      },
    ),
    ...breaking(
      permissions.map(one => `permissions.${one}-remove`),
      {
        [`${id}-remove-adds: adds those it should remove from the ${name} permission`]: asMethod(removing, 'PUT'),
        [`${id}-remove-from-${other}: removes from the ${other} permission instead of ${name}`]: elsewhere(removing),
        [`${id}-remove-from-both: removes from the ${other} permission as well as ${name}`]: onBoth(removing),
        [`${id}-remove-clears: clears the ${name} permission when names are removed`]: also(removing, clearing(false)),
      },
    ),
  ];
});

/** The lists of the body. */
const lists = (
  [
    ['users', 'groups'],
    ['groups', 'users'],
  ] as const
).flatMap(([list, other]) =>
  breaking('permissions.body', {
    [`permissions-${list}-beside-${other}: ignores ${list} when ${other} are given, in page permissions`]: ignores(
      both(anywhere, has(other)),
      list,
      ...(list === 'groups' ? ['group'] : []),
    ),
    [`permissions-without-${list}-refused: refuses page permissions without ${list}`]: refuses(
      both(anywhere, not(has(list))),
    ),
  }),
);

export const permissionFaults: readonly ServerFault[] = [
  ...lists,
  ...breaking('permissions.body', {
    'permissions-first-only: uses only the first user and the first group of page permissions': readsLists(
      anywhere,
      ['users', 'groups'],
      onlyFirst,
    ),
    'permissions-several-refused: refuses page permissions for more than one user or group': refuses(
      both(anywhere, hasSeveral('users', 'groups')),
    ),
    'permissions-swapped: swaps users and groups of page permissions': readsFields(
      anywhere,
      ({ users, groups, ...fields }) => ({ ...fields, users: groups, groups: users }),
    ),
    'permissions-stored-swapped: swaps users and groups of page permissions': {
      world: (after, before, asked) => {
        const { users, groups } = namesIn(asked);
        const swapped = changing(asked, pageIn(asked), permissionsIn(asked), { users: groups, groups: users });
        return anywhere(asked) && !asked.isRefused ? evolveAll(before, swapped) : after;
      },
    },
    'permissions-reads-group: reads group instead of groups in page permissions': readsAs(anywhere, 'groups', 'group'),
    'permissions-text-for-list: accepts a single name as text for users or groups of page permissions': takesOneForList(
      anywhere,
      'users',
      'groups',
    ),
    'permissions-mistyped-accepted: reports success when users or groups of page permissions have the wrong type':
      accepts(both(anywhere, isMistyped({ users: 'texts', groups: 'texts' }))),
    'permissions-unknown-page-accepted: reports success for permissions of a page that does not exist': accepts(
      both(anywhere, asked => !asked.world.pages.has(pageIn(asked)) && asked.json !== undefined),
    ),
    'permissions-all-pages: changes the permissions of all pages': also(anywhere, asked =>
      [...asked.world.pages.keys()].flatMap(page => changing(asked, page, permissionsIn(asked))),
    ),
  }),
  ...common,
  ...single,
  ...breaking('permissions.all-remove', {
    ...Object.fromEntries(
      ['edit', 'view'].map(id => [
        `all-remove-${id}-only: removes only ${id} permissions instead of all`,
        serves(allRemove, 'all', id, 'DELETE'),
      ]),
    ),
    'all-remove-clears: clears all permissions instead of removing the given names': also(allRemove, clearing(false)),
  }),
  ...breaking('permissions.edit-add', {
    'permissions-other-page: changes the permissions of another page': asksInstead(anywhere, asked => {
      const page = pageIn(asked);
      const other = asked.world.pages.has(page) ? otherThan(page, asked.world.pages.keys()) : undefined;
      return other === undefined ? {} : { path: asked.path.replace(`/${page}`, `/${other}`) };
    }),
  }),
  ...breaking('permissions.heading-method', {
    'heading-methods-only: serves only the methods of the headings, not those of the request lines': refuses(
      asked => (isDelete(asked) && anywhere(asked)) || viewAdd(asked),
      405,
    ),
    'delete-not-served: serves no DELETE on page permissions': refuses(both(anywhere, isDelete), 405),
    'delete-body-ignored: ignores the body of DELETE and removes nothing from page permissions': doesNothing(
      both(anywhere, isDelete),
    ),
    'delete-clears: ignores the body of DELETE and clears permissions': also(both(anywhere, isDelete), clearing(false)),
    'edit-post-adds: adds to the edit permission on POST instead of removing from it': serves(
      both(at('permissions/edit'), isPost),
      'edit',
      'edit',
      'PUT',
    ),
  }),
  ...breaking('permissions.groups-field', {
    'all-remove-reads-group: reads only group, not groups, when all permissions are removed': readsFields(
      allRemove,
      ({ groups: _, group = [], ...fields }) => ({ ...fields, groups: group }),
    ),
  }),
];
