// A list of servers that are correct but for one behaviour, written from the document and the operations: its author had read neither the suite nor the
// diagnosis, and of the other lists only the beginnings of two.

import { pagesOf, putPage, removePage } from '../../../server/domain/pages.js';
import { type Favourites, favouritesOf, type World } from '../../../server/domain/world.js';
import {
  admin,
  answering,
  at,
  callerOf,
  changingPage,
  type Fields,
  fields,
  isAnonymous,
  isGroups,
  isIds,
  isNames,
  isOther,
  isPermissions,
  isPpf,
  json,
  list,
  namesIn,
  type OneFault,
  ok,
  type Page,
  pageIdOf,
  refused,
  sending,
  without,
} from '../faults.js';
import type { Asked, Change } from '../proxied-server.js';

const isWiki = ({ place }: Asked) => place !== '' && place !== 'push' && place !== 'pull';
const isAscii = (text: string) => /^[\x20-\x7e\s]*$/.test(text);
/** Whether a path begins with a context path. */
const hasContext = ({ path }: Asked) => /^\/(?!~|rest\/|cwxapiextension\/)[^/]+\/(?:rest|cwxapiextension)\//.test(path);
const parameter = ({ path }: Asked, name: string) => new URLSearchParams(path.split('?')[1]).get(name);
const isFilled = (value: unknown) => list(value).length > 0;
const hasFailed = (text: string) => json(text).success === false;
const messagesOf = (text: string) => list(json(text).messages);

/** Another path where parameters get other names or values. */
function withParameters(asked: Asked, change: (name: string, value: string) => [name: string, value: string]) {
  const [address = '', query] = asked.path.split('?');
  const sent = [...new URLSearchParams(query)];
  const changed = sent.map(([name, value]) => change(name, value));
  const isSame = sent.every(([name, value], i) => changed[i]?.[0] === name && changed[i]?.[1] === value);
  return isSame ? {} : { path: `${address}?${new URLSearchParams(changed)}` };
}

/** These requests are refused, and nothing comes of them. */
const refusing = (isMeant: (asked: Asked) => boolean, status: number, text = ''): Change => ({
  answer: (_, asked) =>
    isMeant(asked) ? { status, text, headers: text === '' ? {} : { 'content-type': 'application/json' } } : {},
  ...without(isMeant),
});

/** What is answered with 200 to a push or pull becomes something else. */
const processed = (
  isMeant: (asked: Asked) => boolean,
  change: (body: Fields, asked: Asked) => ReturnType<NonNullable<Change['answer']>>,
): Change => ({
  answer: ({ status, text }, asked) => (isMeant(asked) && status === 200 ? change(json(text), asked) : {}),
});

/** The same for a push or pull that would have been processed: who may not call is told so first. */
const invalid = (isMeant: (asked: Asked) => boolean): Change => ({
  ...answering((status, asked) => status === 200 && isMeant(asked), refused(400)),
  ...without(isMeant),
});

type Members = NonNullable<ReturnType<World['groups']['get']>>;
/** Something else becomes of a group whose members have changed. */
const members = (
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

/** Something else becomes of a space that has been copied. */
const copied = (change: (after: World, target: string, asked: Asked, before: World) => World): Change => ({
  world: (asked, after, before) => {
    const target = parameter(asked, 'targetSpaceKey') ?? '';
    if (!at('spaces/copySpace')(asked) || before.spaces.has(target) || !after.spaces.has(target)) return undefined;
    return change(after, target, asked, before);
  },
});
const copiedPages = (isMeant: (asked: Asked) => boolean, change: (page: Page, asked: Asked) => Page): Change =>
  copied((after, target, asked) =>
    isMeant(asked)
      ? pagesOf(after, target).reduce((world, [id, page]) => putPage(world, id, change(page, asked)), after)
      : after,
  );
const isKeeping = (asked: Asked) => parameter(asked, 'keepPagesMetadata')?.toLowerCase() === 'true';
const isRemovingAdmin = (asked: Asked) =>
  at('spaces/copySpace')(asked) && parameter(asked, 'removeAdminPermissions')?.toLowerCase() === 'true';

/** Something else becomes of the pages in which text was replaced. */
const replaced = (change: (world: World, id: string, after: Page, before: Page, asked: Asked) => World): Change => ({
  world: (asked, after, before) =>
    at('spaces/replaceInPage')(asked)
      ? [...after.pages].reduce((world, [id, page]) => {
          const old = before.pages.get(id);
          return old === undefined || old === page ? world : change(world, id, page, old, asked);
        }, after)
      : undefined,
});
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Something else becomes of the favourites that a push or pull has changed. */
const favourites = (
  place: string,
  change: (after: Favourites, before: Favourites, user: string, asked: Asked, world: World) => Favourites,
): Change => ({
  world: (asked, after, before) =>
    at(place)(asked)
      ? {
          ...after,
          favourites: after.favourites.map((own, user) =>
            own === before.favourites.get(user) ? own : change(own, favouritesOf(before, user), user, asked, before),
          ),
        }
      : undefined,
});

const hasRecipient = ({ users, groups }: Fields) => isFilled(users) || isFilled(groups);
const hasItem = ({ filters, dashboards }: Fields) => isFilled(filters) || isFilled(dashboards);

const parameterNames = new Map(
  [
    'sourceSpaceKey',
    'targetSpaceKey',
    'targetSpaceTitle',
    'targetSpaceAdmin',
    'removeAdminPermissions',
    'keepPagesMetadata',
    'spaceKey',
    'spaceName',
    'pageTitle',
  ].map(name => [name.toLowerCase(), name]),
);

const addresses: readonly OneFault[] = [
  {
    rule: 'address.context-path',
    description: 'below a context path nobody finds the permissions',
    change: refusing(asked => isPermissions(asked) && hasContext(asked), 404),
    seen: 'always',
  },
  {
    rule: ['address.no-context-path', 'groups.set-users'],
    description: 'set-users is served below a context path only',
    change: refusing(asked => at('groups/set-users')(asked) && !hasContext(asked), 404),
    seen: 'always',
  },
  {
    rule: 'address.extension-path',
    description: 'latest of the extension redirects to a version number',
    change: {
      answer: (_, asked) =>
        isWiki(asked) ? { status: 302, text: '', headers: { location: asked.path.replace('/latest/', '/1.0/') } } : {},
      ...without(isWiki),
    },
    seen: 'always',
  },
  {
    rule: 'address.ppf-path',
    description: 'push and pull stand below a version number, not latest',
    change: refusing(isPpf, 404, '{"message":"null for uri","status-code":404}'),
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'JSON is read as Latin-1',
    change: {
      request: ({ body, json: some }) => {
        if (body === undefined || some === undefined) return {};
        const text = Buffer.from(body).toString();
        return isAscii(text) ? {} : { body: Buffer.from(text).toString('latin1') };
      },
    },
    seen: 'always',
  },
  {
    rule: ['address.json-bodies', 'ppf.processed-is-200'],
    description: 'the report of a pull is labelled text/plain',
    change: {
      answer: ({ status, headers }, asked) =>
        at('pull')(asked) && status === 200 ? { headers: { ...headers, 'content-type': 'text/plain' } } : {},
    },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'push and pull read the names of fields in any case',
    change: sending(isPpf, body =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value])),
    ),
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'query parameters are found in any case',
    change: {
      request: asked =>
        isWiki(asked)
          ? withParameters(asked, (name, value) => [parameterNames.get(name.toLowerCase()) ?? name, value])
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'expand.list',
    description: 'a comma in expand is a bad request',
    change: refusing(asked => parameter(asked, 'expand')?.includes(',') === true, 400),
    seen: 'always',
  },
  {
    rule: 'expand.nested',
    description: 'a dot in expand is a server error',
    change: refusing(asked => parameter(asked, 'expand')?.includes('.') === true, 500),
    seen: 'always',
  },
];

const groups: readonly OneFault[] = [
  {
    rule: 'groups.body',
    description: 'group operations take one user as a text',
    change: sending(isGroups, body => (typeof body.users === 'string' ? { ...body, users: [body.users] } : body)),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'the last of several users is not added',
    change: members('groups/add-users', (after, before, users) => {
      const last = users.at(-1);
      return users.length > 1 && last !== undefined && !before.has(last) ? after.delete(last) : after;
    }),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'nobody is added where one of the users is a member already',
    change: members('groups/add-users', (after, before, users) =>
      users.some(user => before.has(user)) ? before : after,
    ),
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'who is removed from a group leaves all groups',
    change: {
      world: (asked, after) =>
        at('groups/remove-users')(asked)
          ? { ...after, groups: after.groups.map(own => own.subtract(namesIn(fields(asked)))) }
          : undefined,
    },
    seen: 'with effects',
  },
  {
    rule: 'groups.set-users',
    description: 'setting an empty list changes nothing',
    change: without(asked => at('groups/set-users')(asked) && !isFilled(fields(asked).users)),
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'one former member stays when the members are set',
    change: members('groups/set-users', (after, before) => {
      const [first] = [...before].sort();
      return first === undefined ? after : after.add(first);
    }),
    seen: 'always',
  },
];

const isRemovingEdit = ({ place, method }: Asked) => place === 'permissions/edit' && method !== 'PUT';
const isAddingView = at('permissions/view', 'PUT');
const isRemovingView = at('permissions/view', 'DELETE');

const permissions: readonly OneFault[] = [
  {
    rule: 'permissions.body',
    description: 'permissions take one user or group as a text',
    change: sending(isPermissions, body =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]),
      ),
    ),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'who may edit is added to the view permission as well',
    change: {
      world: changingPage(at('permissions/edit', 'PUT'), after => ({
        ...after,
        view: {
          users: after.view.users.union(after.edit.users),
          groups: after.view.groups.union(after.edit.groups),
        },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.edit-remove',
    description: 'the last names of the edit permission cannot be removed',
    change: {
      world: changingPage(isRemovingEdit, (after, before) =>
        after.edit.users.size + after.edit.groups.size === 0 ? { ...after, edit: before.edit } : after,
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'a group in the view permission is a server error',
    change: refusing(asked => isAddingView(asked) && isFilled(fields(asked).groups), 500),
    seen: 'always',
  },
  {
    rule: 'permissions.view-add',
    description: 'the view permission of a page becomes that of all pages',
    change: {
      world: (asked, after) => {
        const page = after.pages.get(pageIdOf(asked));
        if (!isAddingView(asked) || page === undefined) return undefined;
        return [...after.pages].reduce((world, [id, one]) => putPage(world, id, { ...one, view: page.view }), after);
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'removing from the view permission removes from the edit permission',
    change: {
      world: changingPage(isRemovingView, (after, _, asked) => {
        const users = namesIn(fields(asked));
        return { ...after, edit: { ...after.edit, users: after.edit.users.subtract(users) } };
      }),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'only who may both edit and view is removed from all permissions',
    change: {
      world: changingPage(at('permissions/all'), (after, { edit, view }) => ({
        ...after,
        edit: {
          ...after.edit,
          users: after.edit.users.union(edit.users.filter(user => !view.users.has(user))),
        },
        view: {
          ...after.view,
          users: after.view.users.union(view.users.filter(user => !edit.users.has(user))),
        },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: ['permissions.heading-method', 'permissions.edit-remove'],
    description: 'the edit permission takes POST to remove, and no DELETE',
    change: refusing(at('permissions/edit', 'DELETE'), 405),
    seen: 'always',
  },
  {
    rule: ['permissions.heading-method', 'permissions.edit-remove'],
    description: 'POST adds to the edit permission',
    change: { request: asked => (at('permissions/edit', 'POST')(asked) ? { method: 'PUT' } : {}) },
    seen: 'with effects',
  },
  {
    rule: 'permissions.groups-field',
    description: 'all-remove calls the list group, and misses it where it is called groups',
    change: refusing(asked => at('permissions/all')(asked) && fields(asked).group === undefined, 400),
    seen: 'always',
  },
  {
    rule: ['permissions.groups-field', 'permissions.all-remove'],
    description: 'all-remove accepts groups and reads group',
    change: {
      world: changingPage(
        asked => at('permissions/all')(asked) && fields(asked).group === undefined,
        (after, before) => ({
          ...after,
          edit: { ...after.edit, groups: before.edit.groups },
          view: { ...after.view, groups: before.view.groups },
        }),
      ),
    },
    seen: 'with effects',
  },
];

const copies: readonly OneFault[] = [
  {
    rule: 'spaces.copy',
    description: 'the first page of a space is not copied',
    change: copied((after, target) => {
      const [first] = pagesOf(after, target);
      return first === undefined ? after : removePage(after, first[0]);
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'the pages are moved to the new space',
    change: copied((after, _, asked, before) =>
      pagesOf(before, parameter(asked, 'sourceSpaceKey') ?? '').reduce((world, [id]) => removePage(world, id), after),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'a field of the body wins over the query parameter of its name',
    change: {
      request: asked =>
        at('spaces/copySpace')(asked)
          ? withParameters(asked, (name, value) => {
              const other = fields(asked)[name];
              return [name, other === undefined ? value : String(other)];
            })
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'a copy without a body is refused',
    change: refusing(
      ({ place, body }) => place === 'spaces/copySpace' && (body === undefined || body.length === 0),
      400,
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'an empty admin is looked up, and not found',
    change: refusing(
      asked => at('spaces/copySpace')(asked) && parameter(asked, 'targetSpaceAdmin') === '',
      404,
      '{"statusCode":404,"message":"There is no user named \\"\\".","reason":"Not Found"}',
    ),
    seen: 'always',
  },
  {
    rule: ['spaces.copy-remove-admin', 'spaces.copy'],
    description: 'a copy that removes the admin creates nothing',
    change: without(isRemovingAdmin),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'the admin stays where it has to be removed',
    change: copied((after, target, asked) => {
      const space = after.spaces.get(target);
      const admin = parameter(asked, 'targetSpaceAdmin') ?? '';
      if (space === undefined || admin === '' || !isRemovingAdmin(asked)) return after;
      return { ...after, spaces: after.spaces.set(target, { ...space, admins: space.admins.add(admin) }) };
    }),
    seen: 'never',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'kept metadata have the authors, and the dates of the copy',
    change: copiedPages(isKeeping, page => {
      const now = new Date().toISOString();
      return { ...page, created: now, updated: now };
    }),
    seen: 'with effects',
  },
];

const spaces: readonly OneFault[] = [
  {
    rule: 'spaces.sidebar-link',
    description: 'the sidebar holds one link, the latest',
    change: {
      world: (asked, after) => {
        const { spaceKey } = fields(asked);
        const space = after.spaces.get(String(spaceKey));
        if (!at('spaces/add-sidebar-link')(asked) || space === undefined) return undefined;
        return {
          ...after,
          spaces: after.spaces.set(String(spaceKey), { ...space, sidebar: space.sidebar.slice(-1) }),
        };
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique remembers what it has answered before',
    change: () => {
      const known = new Map<string, { status: number; text: string }>();
      return {
        answer: ({ status, text }, asked) => {
          if (!at('spaces/isUnique')(asked) || !(ok(status) || status === 409)) return {};
          const query = asked.path.split('?')[1] ?? '';
          const before = known.get(query);
          if (before === undefined) known.set(query, { status, text });
          return before ?? {};
        },
      };
    },
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique is a GET request',
    change: refusing(at('spaces/isUnique', 'POST'), 405),
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'a single replacement need not be in a list',
    change: {
      request: asked => (at('spaces/replaceInPage')(asked) && 'oldText' in fields(asked) ? { json: [asked.json] } : {}),
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-body',
    description: 'the body stays as it is where the title changes',
    change: replaced((world, id, after, before) =>
      after.title === before.title ? world : putPage(world, id, { ...after, body: before.body }),
    ),
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-body',
    description: 'the new text is escaped in the body',
    change: replaced((world, id, after, _, asked) =>
      putPage(world, id, {
        ...after,
        body: list(asked.json).reduce<string>((body, pair) => {
          const { newText } = fields({ json: pair });
          return typeof newText === 'string' && newText !== '' ? body.replaceAll(newText, escaped(newText)) : body;
        }, after.body),
      }),
    ),
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-title',
    description: 'several replacements at once leave the title as it is',
    change: replaced((world, id, after, before, asked) =>
      list(asked.json).length > 1 ? putPage(world, id, { ...after, title: before.title }) : world,
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.replace-title',
    description: 'a page with a new title leaves one with the old title behind',
    change: replaced((world, _, after, before) =>
      after.title === before.title ? world : putPage(world, String(world.nextPageId), before),
    ),
    seen: 'always',
  },
];

const transfers: readonly OneFault[] = [
  {
    rule: 'ppf.push',
    description: 'of several groups only the first gets something',
    change: favourites('push', (after, before, user, asked, world) => {
      const { groups: named } = fields(asked);
      if (!isNames(named) || namesIn(fields(asked)).includes(user)) return after;
      return world.groups.get(named[0] ?? '')?.has(user) === true ? after : before;
    }),
    seen: 'with effects',
  },
  {
    rule: 'ppf.push',
    description: 'who has joined a group since its first push gets nothing',
    change: () => {
      const known = new Map<string, Members>();
      return favourites('push', (after, before, user, asked, world) => {
        const { users, groups: named } = fields(asked);
        if (!isNames(named) || list(users).includes(user)) return after;
        const isKnown = named.some(name => {
          const own = known.get(name) ?? world.groups.get(name);
          if (own !== undefined) known.set(name, own);
          return own?.has(user) === true;
        });
        return isKnown ? after : before;
      });
    },
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'a pull takes the items from everybody',
    change: {
      world: (asked, after) => {
        const { filters, dashboards } = fields(asked);
        if (!at('pull')(asked)) return undefined;
        const taken = { filters: isIds(filters) ? filters : [], dashboards: isIds(dashboards) ? dashboards : [] };
        return {
          ...after,
          favourites: after.favourites.map(own => ({
            filters: own.filters.subtract(taken.filters),
            dashboards: own.dashboards.subtract(taken.dashboards),
          })),
        };
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'a pull from users and groups passes over the groups',
    change: favourites('pull', (after, before, user, asked) => {
      const users = namesIn(fields(asked));
      return users.length > 0 && !users.includes(user) ? before : after;
    }),
    seen: 'with effects',
  },
  {
    rule: 'ppf.body-types',
    description: 'dashboards may be given as texts of digits',
    change: sending(isPpf, body =>
      Array.isArray(body.dashboards)
        ? {
            ...body,
            dashboards: body.dashboards.map(one => (typeof one === 'string' && /^\d+$/.test(one) ? Number(one) : one)),
          }
        : body,
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'groups alone are no recipients of a push',
    change: invalid(asked => at('push')(asked) && isFilled(fields(asked).groups) && !isFilled(fields(asked).users)),
    seen: 'always',
  },
  {
    rule: ['ppf.needs-recipient', 'ppf.invalid-is-400'],
    description: 'a pull from nobody is done',
    change: answering(
      (status, asked) => status === 400 && at('pull')(asked) && !hasRecipient(fields(asked)) && hasItem(fields(asked)),
      { status: 200, json: { success: true, messages: [] }, headers: { 'content-type': 'application/json' } },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-item',
    description: 'a pull of dashboards takes filters too',
    change: invalid(
      asked => at('pull')(asked) && isFilled(fields(asked).dashboards) && !isFilled(fields(asked).filters),
    ),
    seen: 'always',
  },
  {
    rule: ['ppf.needs-item', 'ppf.invalid-is-400'],
    description: 'a push of nothing is processed, and reports it',
    change: answering(
      (status, asked) => status === 400 && at('push')(asked) && hasRecipient(fields(asked)) && !hasItem(fields(asked)),
      {
        status: 200,
        json: { success: false, messages: ['Nothing to push'] },
        headers: { 'content-type': 'application/json' },
      },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'an invalid pull is a conflict',
    change: answering((status, asked) => status === 400 && at('pull')(asked), { status: 409 }),
    seen: 'always',
  },
];

const reports: readonly OneFault[] = [
  {
    rule: 'ppf.processed-is-200',
    description: 'what failed in part is answered with 207',
    change: processed(isPpf, body => (body.success === false ? { status: 207 } : {})),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'messages are left out where there are none',
    change: processed(isPpf, ({ messages, ...rest }) => (isFilled(messages) ? {} : { json: rest })),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'the report of a push is a JSON text within a JSON string',
    change: processed(at('push'), body => ({ json: JSON.stringify(body) })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is true where one thing of several was done',
    change: processed(isPpf, (body, asked) => {
      const { users, groups: named, filters, dashboards } = fields(asked);
      const all = [users, named, filters, dashboards].flatMap(list).length;
      return list(body.messages).length < all - 1 ? { json: { ...body, success: true } } : {};
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'after a failure the next request fails too',
    change: () => {
      let isFailed = false;
      return processed(isPpf, body => {
        const wasFailed = isFailed;
        isFailed = body.success === false;
        return wasFailed ? { json: { ...body, success: false } } : {};
      });
    },
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'only the first failure has a message',
    change: processed(isPpf, body => ({ json: { ...body, messages: list(body.messages).slice(0, 1) } })),
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'dashboards that cannot be found have no message',
    change: processed(isPpf, body => ({
      json: { ...body, messages: list(body.messages).filter(one => !/dashboard/i.test(String(one))) },
    })),
    seen: 'always',
  },
  {
    rule: ['ppf.failure-message', 'ppf.success-flag'],
    description: 'messages of the request before are repeated',
    change: () => {
      let before: readonly unknown[] = [];
      return processed(isPpf, body => {
        const messages = [...before, ...list(body.messages)];
        before = list(body.messages);
        return { json: { ...body, messages } };
      });
    },
    seen: 'always',
  },
];

const callers: readonly OneFault[] = [
  {
    rule: 'ppf.authenticated',
    description: 'anonymous callers of a push are sent to the login page',
    change: {
      answer: (_, asked) =>
        at('push')(asked) && isAnonymous(asked)
          ? { status: 302, text: '', headers: { location: '/login.jsp?permissionViolation=true' } }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'anonymous callers of a pull get a report of failure',
    change: answering((_, asked) => at('pull')(asked) && isAnonymous(asked), {
      status: 200,
      json: { success: false, messages: ['You are not logged in'] },
      headers: { 'content-type': 'application/json' },
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'a push by somebody who is no admin is not found',
    change: answering((status, asked) => status === 403 && at('push')(asked) && isOther(asked), refused(404)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'anybody may pull from himself',
    change: {
      request: asked => {
        const { users, groups: named } = fields(asked);
        const isOwn = list(users).length === 1 && list(users)[0] === callerOf(asked) && !isFilled(named);
        return at('pull')(asked) && isOther(asked) && isOwn ? admin(asked) : {};
      },
    },
    seen: 'always',
  },
  {
    rule: 'ppf.licensed-only',
    description: 'without a licence the answer is 402',
    change: answering((status, asked) => status === 403 && isPpf(asked) && callerOf(asked) === 'admin', refused(402)),
    seen: 'never',
  },
];

/** Servers that are correct but for one behaviour. */
export const fresh: readonly OneFault[] = [
  ...addresses,
  ...groups,
  ...permissions,
  ...copies,
  ...spaces,
  ...transfers,
  ...reports,
  ...callers,
];

const german = (message: unknown) =>
  String(message).replace(/^Could not find (\w+) with (?:name|id) (.*)$/, 'Nicht gefunden ($1): $2');

/** Servers that are unusual and break no rule. */
export const freshBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'JSON is indented, and its type in capitals with a character set',
    change: {
      answer: ({ text, headers }) =>
        headers['content-type']?.startsWith('application/json') && text !== ''
          ? {
              text: `${JSON.stringify(JSON.parse(text), null, 4)}\n`,
              headers: { ...headers, 'content-type': 'Application/JSON;charset=UTF-8' },
            }
          : {},
    },
  },
  {
    description: 'reports have more fields, messages before success',
    change: processed(isPpf, ({ success, messages }) => ({
      json: { took: 12, messages, errors: hasFailed(JSON.stringify({ success })) ? 1 : 0, success },
    })),
  },
  {
    description: 'messages are in German',
    change: processed(isPpf, body => ({ json: { ...body, messages: list(body.messages).map(german) } })),
  },
  {
    description: 'messages come in the reverse order',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 200 ? { json: { ...json(text), messages: messagesOf(text).toReversed() } } : {},
    },
  },
  {
    description: 'what is not ASCII is escaped in JSON',
    change: {
      answer: ({ text, headers }) =>
        headers['content-type']?.startsWith('application/json')
          ? { text: text.replace(/[^\x20-\x7e\s]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) }
          : {},
    },
  },
  {
    description: 'answers come in chunks, with a cookie and the headers of a proxy',
    change: {
      answer: ({ headers: { 'content-length': _, ...rest } }) => ({
        headers: {
          ...rest,
          'transfer-encoding': 'chunked',
          'set-cookie': 'JSESSIONID=0123456789ABCDEF; Path=/; HttpOnly',
          'x-arequestid': '754x12x1',
          via: '1.1 proxy',
          'cache-control': 'no-store, no-transform',
        },
      }),
    },
  },
  {
    description: 'errors are pages of HTML',
    change: {
      answer: ({ status, headers }) =>
        status >= 400
          ? {
              text: `<!DOCTYPE html><html><head><title>Oops, ${status}</title></head><body></body></html>`,
              headers: { ...headers, 'content-type': 'text/html;charset=UTF-8' },
            }
          : {},
    },
  },
  {
    description: 'group operations and permissions succeed with an object of their own',
    change: {
      answer: ({ status }, asked) =>
        ok(status) && (isGroups(asked) || isPermissions(asked))
          ? { status: 200, json: { status: 'OK', time: 3 }, headers: { 'content-type': 'application/json' } }
          : {},
    },
  },
  {
    description: 'the newest link stands first in the sidebar',
    change: {
      world: (asked, after) => {
        const { spaceKey } = fields(asked);
        const space = after.spaces.get(String(spaceKey));
        const last = space?.sidebar.at(-1);
        if (!at('spaces/add-sidebar-link')(asked) || space === undefined || last === undefined) return undefined;
        const sidebar = [last, ...space.sidebar.slice(0, -1)];
        return { ...after, spaces: after.spaces.set(String(spaceKey), { ...space, sidebar }) };
      },
    },
  },
];
