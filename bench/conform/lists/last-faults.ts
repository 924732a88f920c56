// A list of servers that are correct but for one plain mistake, and of correct but unusual ones: written by somebody who knew the document and neither
// the diagnosis nor the suite.

import { removePage } from '../../../server/domain/pages.js';
import { noFavourites, noNames } from '../../../server/domain/world.js';
import {
  answering,
  asAdmin,
  at,
  changedPages,
  changingPage,
  type Fields,
  fields,
  headerOf,
  isGroups,
  isIds,
  isNames,
  isOther,
  isPermissions,
  isPpf,
  isWithoutCredentials,
  json,
  list,
  members,
  namesIn,
  type OneFault,
  ok,
  parameter,
  refused,
  reporting,
  sending,
  without,
} from '../faults.js';
import type { Asked, Change } from '../proxied-server.js';

type IsMeant = (asked: Asked) => boolean;

const isFilled = (value: unknown) => list(value).length > 0;
const isNone = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);
const hasNames = (value: unknown) => isNames(value) && value.length > 0;
/** Where the caller is permitted, these requests are refused, and nothing comes of them. */
const refusing = (isMeant: IsMeant, status: number): Change => ({
  ...answering((answered, asked) => answered !== 401 && answered !== 403 && isMeant(asked), refused(status)),
  ...without(isMeant),
});
/** A path with another value for a parameter that it has. */
const withParameter = (asked: Asked, name: string, value: string) => {
  const [path = '', query = ''] = asked.path.split('?');
  const parameters = new URLSearchParams(query);
  if (!parameters.has(name)) return {};
  parameters.set(name, value);
  return { path: `${path}?${parameters}` };
};
const lowerCased = (body: Fields) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
const numbers = (value: unknown) =>
  list(value).map(one => (typeof one === 'string' && /^\d+$/.test(one) ? Number(one) : one));

const groups: readonly OneFault[] = [
  {
    rule: 'groups.add-users',
    description: 'adding to a group does nothing',
    change: without(at('groups/add-users')),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'only the first of the users is added to a group',
    change: sending(at('groups/add-users'), some =>
      isNames(some.users) ? { ...some, users: some.users.slice(0, 1) } : some,
    ),
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'removing a member empties the group',
    change: { world: members('groups/remove-users', after => after.clear()) },
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'setting the members of a group removes nobody',
    change: { world: members('groups/set-users', (after, before) => after.union(before)) },
    seen: 'always',
  },
  {
    rule: 'groups.body',
    description: 'the list of users of a group is read from members',
    change: sending(isGroups, ({ members: named, ...some }) => ({ ...some, users: named })),
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'the operations on groups refuse application/json with 415',
    change: refusing(
      asked => isGroups(asked) && (headerOf(asked, 'content-type') ?? '').toLowerCase().startsWith('application/json'),
      415,
    ),
    seen: 'always',
  },
];

const permissions: readonly OneFault[] = [
  {
    rule: 'permissions.edit-add',
    description: 'adding to the edit permission does nothing',
    change: without(at('permissions/edit', 'PUT')),
    seen: 'with effects',
  },
  {
    rule: ['permissions.heading-method', 'permissions.edit-remove'],
    description: 'DELETE on the edit permission is 405',
    change: refusing(at('permissions/edit', 'DELETE'), 405),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-remove',
    description: 'groups stay in the edit permission when they are removed',
    change: {
      world: changingPage(at('permissions/edit', 'DELETE'), (after, before) => ({
        ...after,
        edit: { ...after.edit, groups: before.edit.groups },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'what is added to the view permission goes to the edit permission',
    change: {
      request: asked =>
        at('permissions/view', 'PUT')(asked)
          ? { path: asked.path.replace('permissions/view', 'permissions/edit') }
          : {},
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'removing from the view permission does nothing',
    change: without(at('permissions/view', 'DELETE')),
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'removing one from the view permission removes everybody from it',
    change: { world: changingPage(at('permissions/view', 'DELETE'), after => ({ ...after, view: noNames })) },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'removing from all permissions leaves the view permission alone',
    change: { world: changingPage(at('permissions/all'), (after, before) => ({ ...after, view: before.view })) },
    seen: 'with effects',
  },
  {
    rule: ['permissions.groups-field', 'permissions.body'],
    description: 'removing from all permissions reads group and not groups',
    change: sending(at('permissions/all'), some => ({ ...some, groups: undefined })),
    seen: 'always',
  },
  {
    rule: 'permissions.body',
    description: 'a permission body with groups and users is refused with 400',
    change: refusing(
      asked => isPermissions(asked) && isFilled(fields(asked).groups) && isFilled(fields(asked).users),
      400,
    ),
    seen: 'always',
  },
];

const spaces: readonly OneFault[] = [
  {
    rule: 'spaces.sidebar-link',
    description: 'the sidebar keeps only its newest link',
    change: {
      world: (asked, after) =>
        at('spaces/add-sidebar-link')(asked)
          ? { ...after, spaces: after.spaces.map(one => ({ ...one, sidebar: one.sidebar.slice(-1) })) }
          : undefined,
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.sidebar-link',
    description: 'adding a sidebar link answers 500, and the link is there',
    change: answering((status, asked) => at('spaces/add-sidebar-link')(asked) && ok(status), refused(500)),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'copying a space does nothing',
    change: without(at('spaces/copySpace')),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'the copy of a space has no pages',
    change: {
      world: (asked, after, before) =>
        at('spaces/copySpace')(asked)
          ? [...after.pages.keys()].filter(id => !before.pages.has(id)).reduce(removePage, after)
          : undefined,
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'the copy of a space has its key as its title',
    change: {
      request: asked =>
        at('spaces/copySpace')(asked)
          ? withParameter(asked, 'targetSpaceTitle', parameter('targetSpaceKey', asked) ?? '')
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'an empty targetSpaceAdmin is refused with 400',
    change: refusing(asked => at('spaces/copySpace')(asked) && parameter('targetSpaceAdmin', asked) === '', 400),
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique is always false',
    change: answering((status, asked) => at('spaces/isUnique')(asked) && ok(status), { json: false }),
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique looks at the name alone',
    change: { request: asked => (at('spaces/isUnique')(asked) ? withParameter(asked, 'spaceKey', 'NOBODYS') : {}) },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-body',
    description: 'text is replaced in the title only',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({ ...after, body: before?.body ?? after.body })),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-title',
    description: 'text is replaced in the body only',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({
        ...after,
        title: before?.title ?? after.title,
      })),
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'only the first replacement of the list is made',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && Array.isArray(asked.json) ? { json: asked.json.slice(0, 1) } : {},
    },
    seen: 'always',
  },
];

const reports: readonly OneFault[] = [
  {
    rule: ['address.json-bodies', 'ppf.processed-is-200'],
    description: 'push reports as text/plain',
    change: {
      answer: ({ status, headers }, asked) =>
        at('push')(asked) && status === 200 ? { headers: { ...headers, 'content-type': 'text/plain' } } : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'pull answers 204 without a body',
    change: answering((status, asked) => at('pull')(asked) && status === 200, refused(204)),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'messages is left out where there are none',
    change: reporting(isPpf, body => (isFilled(body.messages) ? body : { success: body.success })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is true where one of several users could be found',
    change: reporting(isPpf, (body, asked) =>
      namesIn(fields(asked)).length > list(body.messages).length ? { ...body, success: true } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'messages is always empty',
    change: reporting(isPpf, body => ({ ...body, messages: [] })),
    seen: 'always',
  },
  {
    rule: ['ppf.processed-is-200', 'ppf.failure-message', 'ppf.success-flag'],
    description: 'push answers 404 where a user could not be found',
    change: {
      answer: ({ status, text }, asked) =>
        at('push')(asked) && status === 200 && list(json(text).messages).some(one => /find user/.test(String(one)))
          ? refused(404)
          : {},
    },
    seen: 'always',
  },
];

const pushAndPull: readonly OneFault[] = [
  {
    rule: 'ppf.invalid-is-400',
    description: 'pull answers 422 for 400',
    change: answering((status, asked) => at('pull')(asked) && status === 400, { status: 422 }),
    seen: 'always',
  },
  {
    rule: ['ppf.needs-item', 'ppf.invalid-is-400'],
    description: 'push without filters and dashboards is a success',
    change: answering(
      (status, asked) => {
        const { users, groups: named, filters, dashboards } = fields(asked);
        const hasRecipients = hasNames(users) || hasNames(named);
        return at('push')(asked) && status === 400 && hasRecipients && isNone(filters) && isNone(dashboards);
      },
      { status: 200, json: { success: true, messages: [] } },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'pull refuses groups without users with 400',
    change: refusing(asked => at('pull')(asked) && isNone(fields(asked).users), 400),
    seen: 'always',
  },
  {
    rule: 'ppf.body-types',
    description: 'pull takes the ids of filters as text, and refuses numbers',
    change: {
      ...refusing(asked => at('pull')(asked) && isFilled(fields(asked).filters) && isIds(fields(asked).filters), 400),
      ...sending(at('pull'), some =>
        Array.isArray(some.filters) ? { ...some, filters: numbers(some.filters) } : some,
      ),
    },
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'push serves callers without credentials',
    change: asAdmin(asked => at('push')(asked) && isWithoutCredentials(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'pull serves callers who are no admins',
    change: asAdmin(asked => at('pull')(asked) && isOther(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.push',
    description: 'push does nothing',
    change: without(at('push')),
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'pull takes all favourites of those from whom it takes one',
    change: {
      world: (asked, after, before) =>
        at('pull')(asked)
          ? {
              ...after,
              favourites: after.favourites.map((own, user) =>
                own === before.favourites.get(user) ? own : noFavourites,
              ),
            }
          : undefined,
    },
    seen: 'with effects',
  },
];

const names: readonly OneFault[] = [
  {
    rule: 'address.case-sensitive',
    description: 'the names of fields count in any case',
    change: sending(asked => isGroups(asked) || isPermissions(asked) || isPpf(asked), lowerCased),
    seen: 'always',
  },
  {
    rule: 'expand.list',
    description: 'a comma in expand is refused with 400',
    change: refusing(asked => asked.place !== '' && parameter('expand', asked)?.includes(',') === true, 400),
    seen: 'always',
  },
];

export const last: readonly OneFault[] = [...groups, ...permissions, ...spaces, ...reports, ...pushAndPull, ...names];

const twoMilliseconds = () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
};

export const lastBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'the content type in other case, and with a charset',
    change: {
      answer: ({ headers }) =>
        headers['content-type']?.startsWith('application/json')
          ? { headers: { ...headers, 'content-type': 'Application/JSON;Charset=UTF-8' } }
          : {},
    },
  },
  {
    description: 'two milliseconds more for each answer',
    change: {
      answer: () => {
        twoMilliseconds();
        return {};
      },
    },
  },
  {
    description: 'headers that nobody asked for',
    change: {
      answer: ({ headers }, { count }) => ({
        headers: { ...headers, 'x-request-id': String(count), 'x-anode-id': 'node-2', vary: 'Accept-Encoding' },
      }),
    },
  },
  {
    description: 'another member in each JSON object',
    change: {
      answer: ({ text }) => (text.startsWith('{') ? { json: { ...json(text), _links: { self: '/' } } } : {}),
    },
  },
];
