// Faults that were written without knowing how conform works: they measure whether it names the right rule.
import { pagesOf, removePage } from '../../../server/domain/pages.js';
import { type Favourites, favouritesOf, noNames, type World } from '../../../server/domain/world.js';
import {
  answering,
  asAdmin,
  at,
  basic,
  callerOf,
  changedPages,
  changingPage,
  fields,
  headerOf,
  instead,
  isGroups,
  isKnownOther,
  isNames,
  isPermissions,
  isPpf,
  isWithoutCredentials,
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

/** The requests that fit are refused where they would have been served, and nothing comes of them. */
const refusing = (isMeant: (asked: Asked) => boolean, status: number): Change => ({
  ...without(isMeant),
  ...answering((was, asked) => ok(was) && isMeant(asked), refused(status)),
});
const isEither =
  (...some: ReadonlyArray<(asked: Asked) => boolean>) =>
  (asked: Asked) =>
    some.some(is => is(asked));

/** The path with another value of a parameter; `undefined`: without it. */
function withParameters({ path }: Asked, values: Readonly<Record<string, string | undefined>>): string {
  const [before = '', query] = path.split('?');
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) all.delete(name);
    else all.set(name, value);
  }
  return all.size === 0 ? before : `${before}?${all}`;
}

const isCopy = at('spaces/copySpace');
const isReplace = at('spaces/replaceInPage');
const isUnique = at('spaces/isUnique');
const isSidebar = at('spaces/add-sidebar-link');
const isEditRemove = isEither(at('permissions/edit', 'DELETE'), at('permissions/edit', 'POST'));
const isWiki = ({ place }: Asked) => /^(groups|permissions|spaces)\//.test(place);
/** A field goes by another name. */
const renamed = (isMeant: (asked: Asked) => boolean, from: string, to: string) =>
  sending(isMeant, body => ({ ...body, [to]: undefined, [from]: body[to] }));

const isNothing = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);
const lacks = (asked: Asked, ...names: readonly string[]) =>
  typeof asked.json === 'object' &&
  asked.json !== null &&
  !Array.isArray(asked.json) &&
  names.every(name => isNothing(fields(asked)[name]));
const lacksRecipients = (asked: Asked) => lacks(asked, 'users', 'groups');
const lacksItems = (asked: Asked) => lacks(asked, 'filters', 'dashboards');
const done = { status: 200, json: { success: true, messages: [] } };

/** Something else becomes of the favourites of each user whom a push or a pull has given or taken some. */
const favourites =
  (place: string, change: (after: Favourites, before: Favourites, user: string, asked: Asked) => Favourites) =>
  (asked: Asked, after: World, before: World): World | undefined =>
    at(place)(asked)
      ? {
          ...after,
          favourites: after.favourites.map((own, user) => {
            const old = favouritesOf(before, user);
            return old === own ? own : change(own, old, user, asked);
          }),
        }
      : undefined;

const withoutPages = (world: World, space: string) =>
  pagesOf(world, space).reduce((left, [id]) => removePage(left, id), world);

/** Ids are text: digits in a number are of the wrong type. */
const textual = (value: unknown) =>
  Array.isArray(value)
    ? value.map(one => (typeof one === 'number' ? String(one) : /^\d+$/.test(String(one)) ? Number(one) : one))
    : value;

const isPairs = (value: unknown): value is ReadonlyArray<{ readonly oldText: string; readonly newText: string }> =>
  Array.isArray(value) &&
  value.every(one => {
    const { oldText, newText } = fields({ json: one });
    return typeof oldText === 'string' && oldText !== '' && typeof newText === 'string';
  });

export const tester: readonly OneFault[] = [
  // Whole servers.
  {
    rule: ['address.extension-path', 'address.no-context-path'],
    description: 'the wiki extension is found below /cwx-api-extension/latest',
    change: {
      request: ({ path }) => ({
        path: path.replace(/\/(cwxapiextension|cwx-api-extension)\//, (_, name) =>
          name === 'cwxapiextension' ? '/cwx-api-extension/' : '/cwxapiextension/',
        ),
      }),
    },
    seen: 'always',
  },
  {
    rule: ['address.no-context-path', 'address.extension-path'],
    description: 'the page permissions are found only below a context path, which the server has not',
    change: {
      request: ({ path }) =>
        /^(\/rest)?(\/api)?\/cwxapiextension\/latest\/permissions\//.test(path) ? { path: '/no-such-page' } : {},
    },
    seen: 'always',
  },
  {
    rule: 'address.ppf-path',
    description: 'push and pull have no version segment in their paths',
    change: {
      request: ({ path }) => ({
        path: path.includes('/cwx-ppf/latest/')
          ? path.replace('/cwx-ppf/latest/', '/cwx-ppf/nothing/')
          : path.replace('/cwx-ppf/', '/cwx-ppf/latest/'),
      }),
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'every body that is sent as application/json is refused with 415',
    change: refusing(
      asked =>
        asked.place !== '' &&
        asked.body !== undefined &&
        !isCopy(asked) &&
        !isUnique(asked) &&
        /^application\/json/i.test(headerOf(asked, 'content-type') ?? ''),
      415,
    ),
    seen: 'always',
  },
  {
    rule: ['address.json-bodies', 'ppf.processed-is-200'],
    description: 'push and pull answer in lines of plain text',
    change: {
      answer: ({ status, text }, asked) => {
        if (!isPpf(asked) || status !== 200) return {};
        const { success, messages } = fields({ json: JSON.parse(text) });
        return {
          text: [`success: ${success}`, ...list(messages)].join('\n'),
          headers: { 'content-type': 'text/plain; charset=utf-8' },
        };
      },
    },
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'the right name with any password is enough',
    change: {
      request: asked => {
        const sent = headerOf(asked, 'authorization');
        return sent?.startsWith('Basic ') === true
          ? { headers: { ...asked.headers, Authorization: basic(callerOf(asked) ?? '') } }
          : {};
      },
    },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'push and pull find their fields in any case',
    change: sending(isPpf, body => {
      const isOwn = (name: string) => name === name.toLowerCase() || Object.hasOwn(body, name.toLowerCase());
      return Object.fromEntries(
        Object.entries(body).map(([name, value]) => [isOwn(name) ? name : name.toLowerCase(), value]),
      );
    }),
    seen: 'always',
  },
  {
    rule: 'expand.list',
    description: 'a comma in expand is refused with 400',
    change: refusing(asked => parameter('expand', asked)?.includes(',') === true, 400),
    seen: 'always',
  },
  {
    rule: 'expand.nested',
    description: 'what follows a dot in expand is not looked at',
    change: {
      request: asked => {
        const names = parameter('expand', asked);
        const cut = names?.split(',').map(name => name.split('.')[0]);
        return cut === undefined ? {} : { path: withParameters(asked, { expand: cut.join(',') }) };
      },
    },
    seen: 'with effects',
  },

  // Groups.
  {
    rule: 'groups.body',
    description: 'set-users takes the users in one text, with commas between them',
    change: sending(at('groups/set-users'), body => ({
      ...body,
      users: isNames(body.users)
        ? body.users.join(',')
        : typeof body.users === 'string'
          ? body.users.split(',')
          : body.users,
    })),
    seen: 'always',
  },
  {
    rule: 'groups.body',
    description: 'remove-users wants the group to be called groupName',
    change: renamed(at('groups/remove-users'), 'group', 'groupName'),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'add-users throws out the members whom it does not name',
    change: instead('groups/add-users', 'groups/set-users'),
    seen: 'with effects',
  },
  {
    rule: 'groups.remove-users',
    description: 'remove-users throws out everybody but the users named',
    change: { world: members('groups/remove-users', (after, before) => before.subtract(after)) },
    seen: 'with effects',
  },
  {
    rule: 'groups.set-users',
    description: 'set-users only adds and lets nobody go',
    change: instead('groups/set-users', 'groups/add-users'),
    seen: 'with effects',
  },

  // Permissions.
  {
    rule: 'permissions.body',
    description: 'the permission operations take users for groups and groups for users',
    change: sending(isPermissions, body =>
      isNames(body.groups) && isNames(body.users) ? { ...body, groups: body.users, users: body.groups } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'PUT on the edit permission passes over the groups',
    change: {
      world: changingPage(at('permissions/edit', 'PUT'), (after, before) => ({
        ...after,
        edit: { users: after.edit.users, groups: before.edit.groups },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.edit-remove',
    description: 'who is taken off the edit permission is taken off the view permission in its place',
    change: onSamePage(isEditRemove, 'permissions/view', 'DELETE'),
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'a view permission that has names takes no more of them',
    change: {
      world: changingPage(at('permissions/view', 'PUT'), (after, before) =>
        before.view.users.size + before.view.groups.size > 0 ? before : after,
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'DELETE on the view permission leaves the groups there',
    change: {
      world: changingPage(at('permissions/view', 'DELETE'), (after, before) => ({
        ...after,
        view: { users: after.view.users, groups: before.view.groups },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'removing somebody from all permissions removes everybody',
    change: { world: changingPage(at('permissions/all'), after => ({ ...after, edit: noNames, view: noNames })) },
    seen: 'with effects',
  },
  {
    rule: ['permissions.groups-field', 'permissions.body'],
    description: 'removing from all permissions knows the list group and not the list groups',
    change: sending(at('permissions/all'), body => ({ ...body, groups: undefined })),
    seen: 'always',
  },
  {
    rule: 'permissions.heading-method',
    description: 'permissions/all is served for POST only',
    change: { request: asked => (at('permissions/all', 'DELETE')(asked) ? { method: 'PATCH' } : {}) },
    seen: 'always',
  },

  // Spaces.
  {
    rule: 'spaces.sidebar-link',
    description: 'the sidebar wants the label in a field called title',
    change: renamed(isSidebar, 'label', 'title'),
    seen: 'always',
  },
  {
    rule: 'spaces.sidebar-link',
    description: 'the sidebar gets no link',
    change: without(isSidebar),
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy',
    description: 'a copied space has no pages',
    change: {
      world: (asked, after) =>
        isCopy(asked) ? withoutPages(after, parameter('targetSpaceKey', asked) ?? '') : undefined,
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'copySpace is refused with 400 where it comes without a JSON body',
    change: refusing(asked => isCopy(asked) && asked.json === undefined, 400),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'a body of copySpace is preferred to its query',
    change: {
      request: asked => {
        if (!isCopy(asked)) return {};
        const sent = Object.entries(fields(asked)).filter(([name]) => parameter(name, asked) !== null);
        return { path: withParameters(asked, Object.fromEntries(sent.map(([name, value]) => [name, String(value)]))) };
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'copySpace without a name of an admin is refused with 400',
    change: refusing(asked => isCopy(asked) && parameter('targetSpaceAdmin', asked) === '', 400),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'the admin stays permitted in the new space whatever removeAdminPermissions says',
    change: {
      request: asked =>
        isCopy(asked) && /^true$/i.test(parameter('removeAdminPermissions', asked) ?? '')
          ? { path: withParameters(asked, { removeAdminPermissions: 'false' }) }
          : {},
    },
    seen: 'never',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'copied pages bear the name of the caller and the time of the copy although metadata is kept',
    change: {
      request: asked =>
        isCopy(asked) && /^true$/i.test(parameter('keepPagesMetadata', asked) ?? '')
          ? { path: withParameters(asked, { keepPagesMetadata: 'false' }) }
          : {},
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique reserves what it is asked for: asked again, it says that the space exists',
    change: () => {
      const reserved = new Set<string>();
      return {
        answer: ({ status, text }, asked) => {
          if (!isUnique(asked) || status !== 200 || text !== 'true') return {};
          const key = JSON.stringify([parameter('spaceKey', asked), parameter('spaceName', asked)]);
          if (reserved.has(key)) return { json: false };
          reserved.add(key);
          return {};
        },
      };
    },
    seen: 'always',
  },
  {
    rule: ['spaces.is-unique', 'spaces.copy'],
    description: 'isUnique does not know the spaces that copySpace has created',
    change: () => {
      const keys = new Set<string | null>();
      const titles = new Set<string | null>();
      return {
        request: asked =>
          isUnique(asked)
            ? {
                path: withParameters(asked, {
                  ...(keys.has(parameter('spaceKey', asked)) && { spaceKey: 'NOSUCHKEY' }),
                  ...(titles.has(parameter('spaceName', asked)) && { spaceName: 'No such name' }),
                }),
              }
            : {},
        answer: ({ status }, asked) => {
          if (!isCopy(asked) || !ok(status)) return {};
          keys.add(parameter('targetSpaceKey', asked));
          titles.add(parameter('targetSpaceTitle', asked));
          return {};
        },
      };
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'replaceInPage takes one pair and no list of them',
    change: {
      request: asked =>
        isReplace(asked) && asked.json !== undefined
          ? { json: Array.isArray(asked.json) ? { list: asked.json } : [asked.json] }
          : {},
    },
    seen: 'always',
  },
  {
    rule: ['spaces.replace-list', 'spaces.replace-body', 'spaces.replace-title'],
    description: 'of several pairs replaceInPage uses the last only',
    change: {
      request: asked =>
        isReplace(asked) && isPairs(asked.json) && asked.json.length > 1 ? { json: asked.json.slice(-1) } : {},
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-body',
    description: 'replaceInPage replaces in the title and leaves the body as it was',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({ ...after, body: before?.body ?? after.body })),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-title',
    description: 'replaceInPage replaces in the body and leaves the title as it was',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({
        ...after,
        title: before?.title ?? after.title,
      })),
    },
    seen: 'with effects',
  },

  // Push and pull.
  {
    rule: 'ppf.authenticated',
    description: 'a pull without credentials gets 200 and the message that one should log in',
    change: answering(
      (status, asked) => at('pull')(asked) && isWithoutCredentials(asked) && (status === 401 || status === 403),
      {
        status: 200,
        json: { success: false, messages: ['Please log in first'] },
      },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'any known user may pull',
    change: asAdmin(asked => at('pull')(asked) && isKnownOther(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.licensed-only',
    description: 'push goes through although the licence has run out',
    change: answering(
      (status, asked) => at('push')(asked) && status === 403 && headerOf(asked, 'authorization') === basic('admin'),
      done,
    ),
    seen: 'never',
  },
  {
    rule: 'ppf.body-types',
    description: 'push wants the ids as texts of digits',
    change: sending(at('push'), body => ({
      ...body,
      filters: textual(body.filters),
      dashboards: textual(body.dashboards),
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'a push to groups alone is refused with 400',
    change: {
      request: asked =>
        at('push')(asked) && lacks(asked, 'users') && isNames(fields(asked).groups)
          ? { json: { ...fields(asked), groups: undefined } }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.needs-item',
    description: 'a pull of dashboards alone is refused with 400',
    change: {
      request: asked =>
        at('pull')(asked) && lacks(asked, 'filters') && list(fields(asked).dashboards).every(Number.isInteger)
          ? { json: { ...fields(asked), dashboards: undefined } }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'a push to nobody or of nothing gets 422',
    change: answering(
      (status, asked) => at('push')(asked) && status === 400 && (lacksRecipients(asked) || lacksItems(asked)),
      { status: 422 },
    ),
    seen: 'always',
  },
  {
    rule: ['ppf.invalid-is-400', 'ppf.needs-recipient', 'ppf.needs-item'],
    description: 'a pull from nobody or of nothing gets 200, success false and a message',
    change: answering(
      (status, asked) => at('pull')(asked) && status === 400 && (lacksRecipients(asked) || lacksItems(asked)),
      { status: 200, json: { success: false, messages: ['The request is invalid'] } },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'pull leaves messages out where there are none',
    change: reporting(at('pull'), body => ({
      ...body,
      messages: list(body.messages).length === 0 ? undefined : body.messages,
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'pull says success even where something went wrong',
    change: reporting(at('pull'), body => ({ ...body, success: true })),
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'push does not say what went wrong',
    change: reporting(at('push'), body => ({ ...body, messages: [] })),
    seen: 'always',
  },
  {
    rule: ['ppf.failure-message', 'ppf.processed-is-200'],
    description: 'the messages of pull are objects with a text and a level',
    change: reporting(at('pull'), body => ({
      ...body,
      messages: list(body.messages).map(text => ({ level: 'error', text })),
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.push',
    description: 'push passes over the dashboards',
    change: { world: favourites('push', (after, before) => ({ ...after, dashboards: before.dashboards })) },
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'pull spares the members of the groups',
    change: {
      world: favourites('pull', (after, before, user, asked) =>
        namesIn(fields(asked)).includes(user) ? after : before,
      ),
    },
    seen: 'with effects',
  },
];

/** Another operation on the same page. */
function onSamePage(isMeant: (asked: Asked) => boolean, place: string, method: string): Change {
  return {
    request: asked => (isMeant(asked) ? { method, path: asked.path.replace(asked.place, place) } : {}),
  };
}

export const testerBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'push and pull report in other words, in JSON with blanks and line breaks',
    change: {
      answer: ({ status, text }, asked) => {
        if (!isPpf(asked) || status !== 200) return {};
        const body = fields({ json: JSON.parse(text) });
        const messages = list(body.messages).map(one => `Achtung! ${one} (nichts getan)`);
        return {
          text: `${JSON.stringify({ messages, success: body.success }, undefined, 4)}\n`,
          headers: { 'content-type': 'application/json;charset=UTF-8' },
        };
      },
    },
  },
  {
    description: 'POST removes on permissions/all and is not allowed on permissions/edit',
    change: { request: asked => (at('permissions/edit', 'POST')(asked) ? { method: 'PATCH' } : {}) },
  },
  {
    description: 'what a group operation has done is answered with 201 and a JSON body of its own',
    change: answering((status, asked) => isGroups(asked) && ok(status), {
      status: 201,
      json: { state: 'DONE', warnings: [] },
    }),
  },
  {
    description: 'the wiki operations refuse unknown names with 422 and a JSON body of their own',
    change: answering(
      (status, asked) => isWiki(asked) && asked.path.includes('/latest/') && status === 404 && isServed(asked),
      {
        status: 422,
        json: { problem: 'unprocessable' },
      },
    ),
  },
];

const CONTEXT = '(?:/(?![Rr][Ee][Ss][Tt]/|[Aa][Pp][Ii]/)[^/]+)?';
const PLACES =
  '(?:groups/(?:add|remove|set)-users|permissions/(?:edit|view|all)/[0-9]+|spaces/(?:add-sidebar-link|copySpace|isUnique|replaceInPage))';
const SERVED = new RegExp(`^${CONTEXT}(?:/rest|/rest/api)?/cwxapiextension/latest/${PLACES}$`);

/** Whether it is one of the documented paths. */
function isServed({ path }: Asked): boolean {
  return SERVED.test(path.split('?')[0] ?? '');
}
