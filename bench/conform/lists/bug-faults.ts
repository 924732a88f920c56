// Faults as implementations of such an API have them by mistake, written without knowledge of what looks for them.
import { removePage } from '../../../server/domain/pages.js';
import { type Names, noFavourites, type World } from '../../../server/domain/world.js';
import {
  answering,
  asAdmin,
  at,
  changedPages,
  changingPage,
  type Fields,
  fields,
  isGroups,
  isKnownOther,
  isNames,
  isPermissions,
  isPpf,
  isWithoutCredentials,
  json,
  list,
  type Members,
  namesIn,
  type OneFault,
  ok,
  type Page,
  parameter,
  refused,
  reporting,
  sending,
} from '../faults.js';
import type { Asked, Change } from '../proxied-server.js';

const COPY = 'spaces/copySpace';
const REPLACE = 'spaces/replaceInPage';
const UNIQUE = 'spaces/isUnique';
const EDIT = 'permissions/edit';
const VIEW = 'permissions/view';
const ALL = 'permissions/all';

const groupsIn = ({ groups }: Fields) => (isNames(groups) ? groups : []);
const isWiki = ({ place }: Asked) => place !== '' && place !== 'push' && place !== 'pull';

/** Another query for requests that fit. */
const asking = (
  isMeant: (asked: Asked) => boolean,
  change: (query: URLSearchParams, asked: Asked) => void,
): Change => ({
  request: asked => {
    const [path = '', text] = asked.path.split('?');
    if (text === undefined || !isMeant(asked)) return {};
    const query = new URLSearchParams(text);
    change(query, asked);
    return { path: `${path}?${query}` };
  },
});
/** Other names to expand in what the hosts show. */
const expanding = (change: (names: readonly string[]) => readonly string[]): Change =>
  asking(
    ({ place, path }) => place === '' && path.includes('expand='),
    query => query.set('expand', change(query.getAll('expand').flatMap(names => names.split(','))).join(',')),
  );

/** Something else becomes of a group. */
const membersBy = (
  place: string,
  change: (after: Members, before: Members, users: readonly string[]) => Members,
): Change => ({
  world: (asked, after, before) => {
    const name = String(fields(asked).group);
    const own = after.groups.get(name);
    const old = before.groups.get(name);
    if (!at(place)(asked) || own === undefined || old === undefined) return undefined;
    return { ...after, groups: after.groups.set(name, change(own, old, namesIn(fields(asked)))) };
  },
});

/** Something else becomes of the permissions of a page. */
const pageBy = (
  place: string,
  method: string | undefined,
  change: (after: Page, before: Page, named: Fields) => Partial<Page>,
): Change => ({
  world: changingPage(at(place, method), (after, before, asked) => ({
    ...after,
    ...change(after, before, fields(asked)),
  })),
});
const isRemoving = (asked: Asked) => asked.place === EDIT && asked.method !== 'PUT';
const withNames = ({ users, groups }: Names, named: Fields): Names => ({
  users: users.union(namesIn(named)),
  groups: groups.union(groupsIn(named)),
});
const withoutNames = ({ users, groups }: Names, named: Fields): Names => ({
  users: users.subtract(namesIn(named)),
  groups: groups.subtract(groupsIn(named)),
});

/** The favourites of these users stay as they were. */
const keeping = (after: World, before: World, isKept: (user: string) => boolean): World => ({
  ...after,
  favourites: after.favourites.map((own, user) => (isKept(user) ? (before.favourites.get(user) ?? noFavourites) : own)),
});
const favouritesBy = (place: string, change: (after: World, before: World, named: Fields) => World): Change => ({
  world: (asked, after, before) => (at(place)(asked) ? change(after, before, fields(asked)) : undefined),
});

const some = (value: unknown) => list(value).length > 0;
const hasRecipient = (body: Fields) => some(body.users) || some(body.groups);
const hasItem = (body: Fields) => some(body.filters) || some(body.dashboards);
const isWithoutRecipient = (asked: Asked) => isPpf(asked) && asked.json !== undefined && !hasRecipient(fields(asked));
const isInvalid = (asked: Asked) =>
  isPpf(asked) && asked.json !== undefined && !(hasRecipient(fields(asked)) && hasItem(fields(asked)));
const jiraError = (text: string) => JSON.stringify({ errorMessages: [text], errors: {} });
const wikiError = (statusCode: number, message: string) => ({
  status: statusCode,
  text: JSON.stringify({ statusCode, message, reason: statusCode === 400 ? 'Bad Request' : 'Error' }),
});
/** What is served otherwise is refused. */
const refusing = (isMeant: (asked: Asked) => boolean, answer: ReturnType<NonNullable<Change['answer']>>): Change => ({
  request: asked => (isMeant(asked) ? { path: '/none' } : {}),
  answer: (_, asked) => (isMeant(asked) ? answer : {}),
});

const PARAMETERS = [
  'sourceSpaceKey',
  'targetSpaceKey',
  'targetSpaceTitle',
  'targetSpaceAdmin',
  'removeAdminPermissions',
  'keepPagesMetadata',
  'spaceKey',
  'spaceName',
  'pageTitle',
];

const addresses: readonly OneFault[] = [
  {
    rule: 'address.no-context-path',
    description: 'a request of the wiki extension without a context path is sent on to one below /confluence',
    change: {
      answer: (_, asked) =>
        isWiki(asked) && /^\/(rest|cwxapiextension)\//.test(asked.path)
          ? { status: 302, text: '', headers: { location: `/confluence${asked.path}` } }
          : {},
      world: (asked, after, before) =>
        isWiki(asked) && /^\/(rest|cwxapiextension)\//.test(asked.path) ? before : after,
    },
    seen: 'always',
  },
  {
    rule: 'address.extension-path',
    description: 'the wiki extension is served below /cwxapiextension/1.0/ and not below latest',
    change: {
      request: ({ path }) =>
        path.includes('/cwxapiextension/latest/')
          ? { path: '/rest/cwxapiextension/none' }
          : { path: path.replace('/cwxapiextension/1.0/', '/cwxapiextension/latest/') },
    },
    seen: 'always',
  },
  {
    rule: 'address.ppf-path',
    description: 'push and pull are served below /rest/api/cwx-ppf/latest/ only',
    change: {
      request: ({ path }) =>
        path.includes('/rest/api/cwx-ppf/latest/')
          ? { path: path.replace('/rest/api/cwx-ppf/', '/rest/cwx-ppf/') }
          : { path: path.replace('/rest/cwx-ppf/latest/', '/rest/cwx-ppf/none/') },
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'group and permission requests with a body that does not parse are taken for empty ones, and done',
    change: {
      answer: ({ status }, asked) =>
        (isGroups(asked) || isPermissions(asked)) && (asked.body?.length ?? 0) > 0 && asked.json === undefined
          ? status === 400
            ? { status: 200, text: '{}' }
            : {}
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'what push and pull report is declared as text/html',
    change: {
      answer: ({ status, headers }, asked) =>
        isPpf(asked) && status === 200 ? { headers: { ...headers, 'content-type': 'text/html; charset=UTF-8' } } : {},
    },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'the fields of a body are found in any case, so that Users is users',
    change: sending(
      asked => isGroups(asked) || isPermissions(asked) || isPpf(asked),
      body => Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value])),
    ),
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'paths are matched in any case, so that Groups/Add-Users and PUSH are served',
    change: {
      request: ({ path }) => ({
        path: path.replace(
          /\/(cwxapiextension\/latest\/(groups\/[a-z-]+|permissions\/[a-z]+|spaces\/add-sidebar-link)|cwx-ppf\/latest\/[a-z]+)/i,
          one => one.toLowerCase(),
        ),
      }),
    },
    seen: 'always',
  },
  {
    rule: 'expand.list',
    description: 'only the first name of expand counts',
    change: expanding(names => names.slice(0, 1)),
    seen: 'with effects',
  },
  {
    rule: 'expand.nested',
    description: 'what follows a dot in a name of expand is cut off',
    change: expanding(names => names.map(name => name.split('.')[0] ?? '')),
    seen: 'with effects',
  },
];

const groups: readonly OneFault[] = [
  {
    rule: 'groups.body',
    description: 'users are objects with a name; a list of texts is refused',
    change: {
      request: asked => {
        const { users } = fields(asked);
        if (!isGroups(asked) || !Array.isArray(users) || users.length === 0) return {};
        const named = users.map(one => (typeof one === 'string' ? null : fields({ json: one }).name));
        return { json: { ...fields(asked), users: named } };
      },
    },
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'the last user of the list does not join',
    change: membersBy('groups/add-users', (_, before, users) => before.union(users.slice(0, -1))),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'adding ends at the first user who is a member already',
    change: membersBy('groups/add-users', (_, before, users) => {
      const end = users.findIndex(user => before.has(user));
      return before.union(end === -1 ? users : users.slice(0, end));
    }),
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'nobody leaves if nobody would be left',
    change: membersBy('groups/remove-users', (after, before) => (after.size === 0 ? before : after)),
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'the filter is inverted: all leave but the users of the list',
    change: membersBy('groups/remove-users', (_, before, users) => before.intersect(users)),
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'set-users adds the users and removes nobody who is not in the list',
    change: membersBy('groups/set-users', (after, before) => before.union(after)),
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'of the users set, those who were members before are removed with the others',
    change: membersBy('groups/set-users', (after, before) => after.subtract(before)),
    seen: 'always',
  },
];

const permissions: readonly OneFault[] = [
  {
    rule: 'permissions.body',
    description: 'users are taken for groups and groups for users',
    change: sending(isPermissions, body => ({
      ...body,
      ...('users' in body && { groups: body.users }),
      ...('groups' in body && { users: body.groups }),
    })),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'those who are to edit are added to the view permission',
    change: pageBy(EDIT, 'PUT', (_, before, named) => ({ edit: before.edit, view: withNames(before.view, named) })),
    seen: 'with effects',
  },
  {
    rule: 'permissions.edit-remove',
    description: 'the whole edit permission is cleared, whoever is named',
    change: {
      world: changingPage(isRemoving, page => ({
        ...page,
        edit: { users: page.edit.users.clear(), groups: page.edit.groups.clear() },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'the members of a group are added to the view permission, one by one, and not the group',
    change: {
      world: (asked, after, before) => {
        const named = groupsIn(fields(asked));
        const inside = named.flatMap(group => [...(after.groups.get(group) ?? [])]);
        return changingPage(at(VIEW, 'PUT'), (page, { view }) => ({
          ...page,
          view: { users: page.view.users.union(inside), groups: view.groups },
        }))(asked, after, before);
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'those who are taken off the view permission are taken off the edit permission too',
    change: pageBy(VIEW, 'DELETE', (after, _, named) => ({ edit: withoutNames(after.edit, named) })),
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'nothing is taken off the view permission if the list of users is empty',
    change: pageBy(VIEW, 'DELETE', (after, before, named) => ({ view: some(named.users) ? after.view : before.view })),
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'only who has both permissions loses them',
    change: pageBy(ALL, undefined, (after, { edit, view }) => ({
      edit: {
        users: after.edit.users.union(edit.users.subtract(view.users)),
        groups: after.edit.groups.union(edit.groups.subtract(view.groups)),
      },
      view: {
        users: after.view.users.union(view.users.subtract(edit.users)),
        groups: after.view.groups.union(view.groups.subtract(edit.groups)),
      },
    })),
    seen: 'with effects',
  },
  {
    rule: 'permissions.groups-field',
    description: 'removing from all permissions needs a field group; a body with groups is refused',
    change: sending(at(ALL), ({ groups: _, ...body }) => body),
    seen: 'always',
  },
  {
    rule: 'permissions.heading-method',
    description: 'removing from all permissions is served for POST only, and DELETE is not allowed',
    change: refusing(at(ALL, 'DELETE'), refused(405)),
    seen: 'always',
  },
];

const spaces: readonly OneFault[] = [
  {
    rule: 'spaces.sidebar-link',
    description: 'label and url of a sidebar link are swapped',
    change: sending(at('spaces/add-sidebar-link'), ({ label, url, ...body }) => ({
      ...body,
      ...(url !== undefined && { label: url }),
      ...(label !== undefined && { url: label }),
    })),
    seen: 'with effects',
  },
  {
    rule: 'spaces.sidebar-link',
    description: 'a sidebar has room for one link: each that is added takes the place of those before it',
    change: {
      world: (asked, after) => {
        const key = String(fields(asked).spaceKey);
        const space = after.spaces.get(key);
        if (!at('spaces/add-sidebar-link')(asked) || space === undefined) return undefined;
        return { ...after, spaces: after.spaces.set(key, { ...space, sidebar: space.sidebar.slice(-1) }) };
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy',
    description: 'key and title of the new space are swapped',
    change: asking(at(COPY), query => {
      const key = query.get('targetSpaceKey');
      const title = query.get('targetSpaceTitle');
      if (key === null || title === null) return;
      query.set('targetSpaceKey', title);
      query.set('targetSpaceTitle', key);
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'the pages of the source move to the new space',
    change: {
      world: (asked, after) =>
        at(COPY)(asked)
          ? [...after.pages].reduce(
              (world, [id, { space }]) =>
                space === parameter('sourceSpaceKey', asked) ? removePage(world, id) : world,
              after,
            )
          : undefined,
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'a body with the names of the parameters overrides the query',
    change: asking(at(COPY), (query, asked) => {
      for (const [name, value] of Object.entries(fields(asked)))
        if (PARAMETERS.includes(name)) query.set(name, String(value));
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'copying a space without a JSON body is refused',
    change: refusing(
      asked => at(COPY)(asked) && asked.json === undefined,
      wikiError(400, 'Required request body is missing.'),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'an empty targetSpaceAdmin is refused',
    change: refusing(
      asked => at(COPY)(asked) && parameter('targetSpaceAdmin', asked) === '',
      wikiError(400, 'There is no user named "".'),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'when targetSpaceAdmin is empty, the last user of the wiki is picked, who is no admin',
    change: asking(
      asked => at(COPY)(asked) && parameter('targetSpaceAdmin', asked) === '',
      query => query.set('targetSpaceAdmin', 'demouser2'),
    ),
    seen: 'never',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'copying a space with removeAdminPermissions ends in an error',
    change: refusing(
      asked => at(COPY)(asked) && parameter('removeAdminPermissions', asked)?.toLowerCase() === 'true',
      wikiError(500, 'java.lang.NullPointerException'),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'with keepPagesMetadata the dates are kept, and the author is the one who copies',
    change: {
      world: changedPages(COPY, (page, _, asked) =>
        parameter('keepPagesMetadata', asked)?.toLowerCase() === 'true'
          ? { ...page, author: isWithoutCredentials(asked) ? 'anonymous' : 'admin', updatedBy: 'admin' }
          : page,
      ),
    },
    seen: 'read back',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'any text in keepPagesMetadata counts as true, false too',
    change: asking(at(COPY), query => {
      if (query.get('keepPagesMetadata')) query.set('keepPagesMetadata', 'true');
    }),
    seen: 'read back',
  },
  {
    rule: 'spaces.is-unique',
    description: 'only the name of a space is looked at, and not the key',
    change: asking(at(UNIQUE), query => {
      if (query.has('spaceKey')) query.set('spaceKey', 'NOSUCHKEY');
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'what was answered about a key and a name is answered for ever, whatever spaces are created',
    change: () => {
      const known = new Map<string, string>();
      return {
        answer: ({ status, text }, asked) => {
          const query = asked.path.split('?')[1] ?? '';
          if (!at(UNIQUE)(asked) || !ok(status)) return {};
          if (!known.has(query)) known.set(query, text);
          return { text: known.get(query) ?? text };
        },
      };
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'only the first pair of the list is applied',
    change: {
      request: asked => (at(REPLACE)(asked) && some(asked.json) ? { json: list(asked.json).slice(0, 1) } : {}),
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-body',
    description: 'the body stays as it is if the title changes',
    change: {
      world: changedPages(REPLACE, (after, before) =>
        before !== undefined && before.title !== after.title ? { ...after, body: before.body } : after,
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-body',
    description: 'a pair with an empty newText removes nothing from the body',
    change: {
      world: changedPages(REPLACE, (after, before, asked) => {
        const pairs = list(asked.json).map(one => fields({ json: one }));
        if (before === undefined || pairs.every(({ newText }) => newText !== '')) return after;
        const body = pairs
          .filter(({ newText }) => newText !== '')
          .reduce((text, { oldText, newText }) => text.split(String(oldText)).join(String(newText)), before.body);
        return { ...after, body };
      }),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-title',
    description: 'the title changes only if the whole of it is the oldText',
    change: {
      world: changedPages(REPLACE, (after, before, asked) => {
        const whole = list(asked.json).find(one => fields({ json: one }).oldText === before?.title);
        return whole === undefined && before !== undefined ? { ...after, title: before.title } : after;
      }),
    },
    seen: 'always',
  },
];

const served = (messages: readonly string[] = []) => ({
  status: 200,
  text: JSON.stringify({ success: messages.length === 0, messages }),
});
const isUserMessage = (one: unknown) => String(one).startsWith('Could not find user');

const pushAndPull: readonly OneFault[] = [
  {
    rule: 'ppf.authenticated',
    description: 'callers without credentials get 200 with success false and a message to log in',
    change: answering(
      (status, asked) => isPpf(asked) && isWithoutCredentials(asked) && status === 403,
      served(['You are not logged in.']),
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'only push looks whether the caller is an admin; pull serves any user',
    change: asAdmin(asked => at('pull')(asked) && isKnownOther(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'users who are no admins get 404 from push and pull, as if these did not exist',
    change: answering((status, asked) => isPpf(asked) && isKnownOther(asked) && status === 403, refused(404)),
    seen: 'always',
  },
  {
    rule: 'ppf.licensed-only',
    description: 'an expired licence is reported with 200 and success false',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 403 && /licen[cs]e/i.test(text) ? served(['The licence has expired.']) : {},
    },
    seen: 'never',
  },
  {
    rule: 'ppf.body-types',
    description: 'ids of filters and dashboards are texts; numbers are refused',
    change: sending(isPpf, body => {
      const ids = (some: unknown) => list(some).map(one => (typeof one === 'string' ? Number(one) : String(one)));
      return {
        ...body,
        ...(Array.isArray(body.filters) && { filters: ids(body.filters) }),
        ...(Array.isArray(body.dashboards) && { dashboards: ids(body.dashboards) }),
      };
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.body-types',
    description: 'ids are read up to the point, so that 10500.7 is the filter 10500',
    change: sending(isPpf, body => {
      const whole = (value: unknown) =>
        Array.isArray(value) ? value.map(one => (typeof one === 'number' ? Math.trunc(one) : one)) : value;
      return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, whole(value)]));
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'a push or pull with groups and without users is refused with 400',
    change: refusing(
      asked => isPpf(asked) && !isWithoutCredentials(asked) && !isKnownOther(asked) && isGroupsOnly(fields(asked)),
      { status: 400, text: jiraError('users must not be empty.'), headers: { 'content-type': 'application/json' } },
    ),
    seen: 'always',
  },
  {
    rule: ['ppf.needs-recipient', 'ppf.invalid-is-400'],
    description: 'a push or pull without users and groups is done for nobody, with success',
    change: answering(
      (status, asked) => status === 400 && isWithoutRecipient(asked) && hasItem(fields(asked)),
      served(),
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-item',
    description: 'filters and dashboards must both be there, or the answer is 400',
    change: refusing(
      asked =>
        isPpf(asked) &&
        !isWithoutCredentials(asked) &&
        !isKnownOther(asked) &&
        some(fields(asked).filters) !== some(fields(asked).dashboards),
      {
        status: 400,
        text: jiraError('filters and dashboards are required.'),
        headers: { 'content-type': 'application/json' },
      },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'a push or pull without recipients or without items gets 500',
    change: answering((status, asked) => status === 400 && isInvalid(asked), {
      status: 500,
      text: jiraError('java.lang.NullPointerException'),
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'messages is left out where there are none',
    change: reporting(isPpf, ({ messages, ...body }) => ({ ...body, ...(some(messages) && { messages }) })),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'a request that could not be done completely gets 400 with success and messages',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 200 && json(text).success === false ? { status: 400 } : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is true though a user could not be found, as messages says',
    change: reporting(isPpf, ({ messages, success }) => ({
      success: success === true || list(messages).every(isUserMessage),
      messages,
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'after one request that failed, success is false for those that follow, with no messages',
    change: () => {
      let failed = false;
      return reporting(isPpf, ({ messages, success }) => {
        failed ||= success === false;
        return { success: !failed, messages };
      });
    },
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'only the first thing that went wrong is in messages',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).slice(0, 1) })),
    seen: 'never',
  },
  {
    rule: 'ppf.failure-message',
    description: 'success is false for a user that could not be found, and no message says so',
    change: reporting(isPpf, body => ({
      ...body,
      messages: list(body.messages).filter(one => !isUserMessage(one)),
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.push',
    description: 'the members of the groups get nothing if users are named too',
    change: favouritesBy('push', (after, before, named) =>
      some(named.users) ? keeping(after, before, user => !namesIn(named).includes(user)) : after,
    ),
    seen: 'with effects',
  },
  {
    rule: 'ppf.push',
    description: 'dashboards are not pushed if filters are there',
    change: favouritesBy('push', (after, before, named) => ({
      ...after,
      favourites: after.favourites.map((own, user) =>
        some(named.filters) ? { ...own, dashboards: (before.favourites.get(user) ?? noFavourites).dashboards } : own,
      ),
    })),
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'nothing is pulled from the members of groups if no users are named',
    change: favouritesBy('pull', (after, before, named) => (some(named.users) ? after : before)),
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'a pull takes away all favourites of the users it changes, whichever are named',
    change: favouritesBy('pull', (after, before) => ({
      ...after,
      favourites: after.favourites.map((own, user) => (own === before.favourites.get(user) ? own : noFavourites)),
    })),
    seen: 'with effects',
  },
];

function isGroupsOnly(body: Fields): boolean {
  return some(body.groups) && !some(body.users) && hasItem(body);
}

export const bug: readonly OneFault[] = [...addresses, ...groups, ...permissions, ...spaces, ...pushAndPull];

export const bugBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'wiki operations that were done answer 201 with a report of their own',
    change: answering((status, asked) => isWiki(asked) && asked.place !== UNIQUE && ok(status), {
      status: 201,
      text: '{"status":"OK","errors":null}',
    }),
  },
  {
    description: 'a group cannot be set to nobody: an empty list of users is refused',
    change: refusing(
      asked => at('groups/set-users')(asked) && Array.isArray(fields(asked).users) && !some(fields(asked).users),
      wikiError(400, 'users must not be empty.'),
    ),
  },
  {
    description: 'the messages of push and pull are in German, and their order is another',
    change: reporting(isPpf, body => ({
      ...body,
      messages: list(body.messages)
        .map(one => String(one).replace(/^Could not find (\w+) with \w+ (.*)$/, 'Nicht gefunden ($1): $2'))
        .reverse(),
    })),
  },
  {
    description: 'callers without credentials get 401 from push and pull, as from the host',
    change: answering((status, asked) => isPpf(asked) && isWithoutCredentials(asked) && status === 403, {
      status: 401,
      text: '',
      headers: { 'www-authenticate': 'OAuth realm="https%3A%2F%2Ftracker.example"' },
    }),
  },
  {
    description: 'a push or pull that names an unknown user, group, filter or dashboard changes nothing',
    change: {
      world: (asked, after, before) => {
        const { filters, dashboards, ...named } = fields(asked);
        const isKnown =
          namesIn(named).every(user => before.users.has(user)) &&
          groupsIn(named).every(group => before.groups.has(group)) &&
          list(filters).every(id => before.filters.has(Number(id))) &&
          list(dashboards).every(id => before.dashboards.has(Number(id)));
        return isPpf(asked) && !isKnown ? before : after;
      },
    },
  },
  {
    description: 'POST on the view permission of a page removes, as one of its headings says',
    change: {
      request: asked => (at(VIEW, 'POST')(asked) ? { method: 'DELETE' } : {}),
    },
  },
  {
    description: 'whether a space is unique is told by an object with unique',
    change: {
      answer: ({ status, text }, asked) =>
        at(UNIQUE)(asked) && status === 200 ? { json: { unique: JSON.parse(text) } } : {},
    },
  },
  {
    description: 'unknown names get 422 from the wiki extension, with a body without text',
    change: {
      answer: ({ status, text }, asked) =>
        isWiki(asked) && status === 404 && /There is no (user|group|page|space)/.test(text) ? refused(422) : {},
    },
  },
];
