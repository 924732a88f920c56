// Servers with faults that are not in the catalogue, for measuring how conform judges a fault that nobody has foreseen.
import { putPage, removePage } from '../../../server/domain/world/pages.js';
import { favouritesOf, noFavourites, noNames } from '../../../server/domain/world/world.js';
import {
  asAdmin,
  at,
  both,
  breaking,
  copiedName,
  copiedPages,
  empty,
  type FaultyServer,
  failing,
  favourites,
  fields,
  groupsOf,
  isOther,
  isPpf,
  lacksItem,
  list,
  listing,
  members,
  missing,
  parameter,
  permitted,
  refusing,
  removing,
  replaced,
  replacedId,
  replacing,
  reporting,
  responding,
  restricted,
  textField,
  usersOf,
} from './changes.js';

const PUSH = at('push');
const PULL = at('pull');
const COPY = at('spaces/copySpace');
const REPLACE = at('spaces/replaceInPage');

const groups: readonly FaultyServer[] = [
  ...breaking('groups.add-users', {
    'removes users whom it should add if they are members already': members(
      'groups/add-users',
      (after, before, asked) => after.subtract(before.intersect(usersOf(asked))),
    ),
    'adds the caller to the group as well': members('groups/add-users', (after, _, { caller }) =>
      after.add(caller.name ?? ''),
    ),
    'adds the users to every group': {
      world: (after, before, asked) =>
        at('groups/add-users')(asked) && after !== before
          ? { ...after, groups: after.groups.map(group => group.union(usersOf(asked))) }
          : after,
    },
    'keeps at most three members in a group': members('groups/add-users', after => after.take(3)),
  }),
  ...breaking('groups.remove-users', {
    'skips the first user to be removed from a group': listing(at('groups/remove-users'), 'users', users =>
      users.length > 1 ? users.slice(1) : users,
    ),
    'removes the caller instead of the users': members('groups/remove-users', (_, before, { caller }) =>
      before.remove(caller.name ?? ''),
    ),
    'deletes a group with its last member': {
      world: (after, before, asked) => {
        const name = textField('group', asked);
        const isEmptied = at('groups/remove-users')(asked) && after !== before && after.groups.get(name)?.size === 0;
        return isEmptied ? { ...after, groups: after.groups.remove(name) } : after;
      },
    },
  }),
  ...breaking('groups.set-users', {
    'keeps one former member when a group is set': members('groups/set-users', (after, before) =>
      after.union(before.take(1)),
    ),
    'ignores a set with more than two users': members('groups/set-users', (after, before) =>
      after.size > 2 ? before : after,
    ),
  }),
];

const permissions: readonly FaultyServer[] = [
  ...breaking('permissions.edit-add', {
    'replaces the groups of the edit permission and adds the users': permitted('edit', 'add', (after, _, asked) => ({
      ...after,
      groups: after.groups.filter(name => groupsOf(asked).includes(name)),
    })),
    'ignores the users that are added to the edit permission': permitted('edit', 'add', (after, before) => ({
      ...after,
      users: before.users,
    })),
    'fails with 500 after adding to the edit permission': failing(at('permissions/edit', 'PUT'), 500),
    'adds the editors to the same permission of the other pages of the space': {
      world: (after, before, asked) => {
        if (!at('permissions/edit', 'PUT')(asked) || after === before) return after;
        return [...after.pages].reduce(
          (world, [id, page]) =>
            putPage(world, id, { ...page, edit: { ...page.edit, users: page.edit.users.union(usersOf(asked)) } }),
          after,
        );
      },
    },
  }),
  ...breaking('permissions.edit-remove', {
    'removes only the last of the users from the edit permission': listing(removing('edit'), 'users', users =>
      users.slice(-1),
    ),
    'removes the caller instead of the users from the edit permission': permitted(
      'edit',
      'remove',
      (after, before, { caller }) => ({ ...after, users: before.users.remove(caller.name ?? '') }),
    ),
  }),
  ...breaking('permissions.view-add', {
    'adds the caller to the view permission as well': permitted('view', 'add', (after, _, { caller }) => ({
      ...after,
      users: after.users.add(caller.name ?? ''),
    })),
    'empties the edit permission when the view permission grows': restricted(at('permissions/view', 'PUT'), after => ({
      ...after,
      edit: noNames,
    })),
  }),
  ...breaking('permissions.view-remove', {
    'removes the users from the edit permission as well': restricted(removing('view'), (after, _, asked) => ({
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
    'removes groups only from the view permission when all are removed': restricted(
      removing('all'),
      (after, before) => ({ ...after, edit: { ...after.edit, groups: before.edit.groups } }),
    ),
    'removes only users from all permissions': restricted(removing('all'), (after, before) => ({
      ...after,
      edit: { ...after.edit, groups: before.edit.groups },
      view: { ...after.view, groups: before.view.groups },
    })),
  }),
];

const spaces: readonly FaultyServer[] = [
  ...breaking('spaces.copy', {
    'copies only the first twenty characters of each page': copiedPages(own => ({
      ...own,
      body: own.body.slice(0, 20),
    })),
    'writes the titles of copied pages in capitals': copiedPages(page => ({
      ...page,
      title: page.title.toUpperCase(),
    })),
    'appends the key to the name of a copied space': copiedName(
      (name, asked) => `${name} (${parameter('targetSpaceKey', asked)})`,
    ),
  }),
  ...breaking('spaces.is-unique', {
    'fails with 500 if the space exists': responding(
      both(at('spaces/isUnique'), asked => asked.world.spaces.has(parameter('spaceKey', asked))),
      () => true,
      empty(500),
    ),
  }),
  ...breaking('spaces.replace-body', {
    'writes the new text in capitals': replacing(pairs =>
      pairs.map(pair => ({ ...fields(pair), newText: String(fields(pair).newText).toUpperCase() })),
    ),
    'replaces only the first occurrence in the body of a page': replaced((after, before, { json }) => {
      const pairs = list(json).map(fields);
      const body = pairs.reduce(
        (text, { oldText, newText }) => text.replace(String(oldText), () => String(newText)),
        before.body,
      );
      return { ...after, body };
    }),
    'appends the new text to the body and keeps the old': replaced((after, before, { json }) => ({
      ...after,
      body:
        after.body === before.body ? after.body : `${before.body}${textField('newText', { json: list(json).at(-1) })}`,
    })),
  }),
  ...breaking('spaces.replace-list', {
    'applies only the first two replacements': replacing(pairs => pairs.slice(0, 2)),
    'applies the replacements from the last to the first': replacing(pairs => [...pairs].reverse()),
  }),
  ...breaking('spaces.replace-title', {
    'deletes a page whose title changes': {
      world: (after, before, asked) => {
        const id = replacedId(asked);
        const isRenamed = REPLACE(asked) && before.pages.get(id)?.title !== after.pages.get(id)?.title;
        return isRenamed ? removePage(after, id) : after;
      },
    },
    'writes a new title in lower case': replaced((after, { title }) =>
      after.title === title ? after : { ...after, title: after.title.toLowerCase() },
    ),
  }),
  ...breaking('spaces.copy-query-only', {
    'fails on a copy with a body': failing(
      both(COPY, ({ body }) => body !== undefined && body.length > 0),
      500,
    ),
  }),
];

const pushPull: readonly FaultyServer[] = [
  ...breaking('ppf.push', {
    'pushes dashboards only to the users that are named, not to members of groups': favourites(
      'push',
      (after, before, user, asked) =>
        usersOf(asked).includes(user) ? after : { ...after, dashboards: before.dashboards },
    ),
    'pushes only to the first member of each group': favourites('push', (after, before, user, asked) => {
      const firsts = list(fields(asked.json).groups).map(name => asked.world.groups.get(String(name))?.first());
      return usersOf(asked).includes(user) || firsts.includes(user) ? after : before;
    }),
    'pushes only the last of several filters': listing(PUSH, 'filters', ids => ids.slice(-1)),
    'takes favourites away that a user has already': favourites('push', (after, before) => ({
      filters: after.filters.size === before.filters.size ? noFavourites.filters : after.filters,
      dashboards: after.dashboards,
    })),
  }),
  ...breaking('ppf.pull', {
    'pulls only filters from members of groups': favourites('pull', (after, before, user, asked) =>
      usersOf(asked).includes(user) ? after : { ...after, dashboards: before.dashboards },
    ),
    'pulls only from users who have all the items': favourites('pull', (after, before, user, { json, world }) => {
      const own = favouritesOf(world, user);
      const { filters, dashboards } = fields(json);
      const hasAll =
        list(filters).every(id => own.filters.has(Number(id))) &&
        list(dashboards).every(id => own.dashboards.has(Number(id)));
      return hasAll ? after : before;
    }),
    'pulls nothing if more than one user is given': refusing(
      both(PULL, asked => usersOf(asked).length > 1),
      500,
    ),
  }),
  ...breaking('ppf.admin-only', {
    'serves pushes of all members of one group': asAdmin(
      both(
        PUSH,
        both(isOther, ({ caller, world }) => world.groups.get('jira-core-users')?.has(caller.name ?? '') === true),
      ),
    ),
    'redirects users who are not admins': responding(both(isPpf, isOther), status => status === 403, empty(302)),
  }),
  ...breaking('ppf.authenticated', {
    'fails with 500 if there are no credentials': responding(
      both(isPpf, ({ headers }) => !Object.keys(headers).some(name => /^authorization$/i.test(name))),
      status => status === 401 || status === 403,
      empty(500),
    ),
  }),
  ...breaking(['ppf.invalid-is-400', 'ppf.needs-item'], {
    'fails with 500 if a push or pull has no items': responding(lacksItem, status => status === 400, empty(500)),
  }),
  ...breaking(['ppf.processed-is-200', 'ppf.failure-message'], {
    'sends the messages as one text': reporting(isPpf, ({ success, messages }) => ({
      success,
      messages: messages.join(' '),
    })),
  }),
  ...breaking('ppf.processed-is-200', {
    'responds with 202 to a pull': responding(PULL, status => status === 200, { status: 202 }),
  }),
  ...breaking('ppf.failure-message', {
    'cuts messages after ten characters': reporting(isPpf, own => ({
      ...own,
      messages: own.messages.map(text => text.slice(0, 10)),
    })),
  }),
  ...breaking(['ppf.success-flag', 'ppf.processed-is-200'], {
    'sends success as text': reporting(isPpf, own => ({ ...own, success: String(own.success) })),
  }),
];

const addresses: readonly FaultyServer[] = [
  ...breaking(['address.no-context-path', 'address.ppf-path'], {
    'does not find push and pull without a context path': missing(both(isPpf, ({ path }) => path.startsWith('/rest/'))),
  }),
];

export const unseenServers: readonly FaultyServer[] = [...groups, ...permissions, ...spaces, ...pushPull, ...addresses];
