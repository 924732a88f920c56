// Faults that were thought of without knowing how conform works: what gets lost when somebody implements the document by hand.
import { removePage } from '../../../server/domain/pages.js';
import { noFavourites, noNames, type World } from '../../../server/domain/world.js';
import {
  answering,
  asAdmin,
  at,
  basic,
  callerOf,
  changedPages,
  changingPage,
  everyElement,
  type Fields,
  fields,
  instead,
  isAnonymous,
  isGroups,
  isKnownOther,
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
  reporting,
  sending,
} from '../faults.js';
import type { Asked, Change } from '../proxied-server.js';

const has = (value: unknown) => list(value).length > 0;
const nameOfCaller = (asked: Asked) => {
  if (isAnonymous(asked)) return 'anonymous';
  return asked.headers.Authorization?.startsWith('Basic ') ? (callerOf(asked) ?? '') : 'admin';
};

/** Another body, where it differs: else the bytes stay as they were sent. */
const changing = (isMeant: (asked: Asked) => boolean, body: (some: Fields) => Fields): Change => ({
  request: asked => {
    const some = fields(asked);
    const other = isMeant(asked) && some === asked.json ? body(some) : some;
    return other === some ? {} : { json: other };
  },
});

/** Another method serves an operation, and its own does not. */
const byMethod = (place: string, own: string, other: string): Change => ({
  request: asked => {
    if (at(place, own)(asked)) return { method: other };
    return at(place, other)(asked) ? { method: own } : {};
  },
  answer: ({ status, headers }, asked) =>
    status === 405 && at(place)(asked) ? { headers: { ...headers, allow: `${other}, OPTIONS` } } : {},
});

/** Neither recipients nor items of a push or pull. */
const isInvalid = (asked: Asked) => {
  const { users, groups, filters, dashboards } = fields(asked);
  const isRead = asked.json !== undefined || asked.body === undefined;
  return isRead && !((has(users) || has(groups)) && (has(filters) || has(dashboards)));
};

const NAMES = 'group groups users spaceKey label url oldText newText filters dashboards'.split(' ');
const inAnyCase = (body: Fields): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const meant = NAMES.find(one => one.toLowerCase() === name.toLowerCase());
      return [meant === undefined || meant in body ? name : meant, value];
    }),
  );

const PLACES = [
  ...['groups/add-users', 'groups/remove-users', 'groups/set-users', 'permissions/edit', 'permissions/view'],
  ...['permissions/all', 'spaces/add-sidebar-link', 'spaces/copySpace', 'spaces/isUnique', 'spaces/replaceInPage'],
];
const pathInAnyCase = (path: string) =>
  PLACES.reduce((some, place) => some.replace(new RegExp(`/latest/${place}(?=/|$)`, 'i'), `/latest/${place}`), path);
/** Another path before the parameters. */
const pathAs = (change: (path: string) => string): Change => ({
  request: ({ path }) => {
    const [before = '', ...query] = path.split('?');
    return { path: [change(before), ...query].join('?') };
  },
});

const COPY = [
  ...['sourceSpaceKey', 'targetSpaceKey', 'targetSpaceTitle'],
  ...['targetSpaceAdmin', 'removeAdminPermissions', 'keepPagesMetadata'],
];
const withParameters = (path: string, some: Readonly<Record<string, string>>) => {
  const [before, query] = path.split('?');
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(some)) parameters.set(name, value);
  return `${before}?${parameters}`;
};

const FIRST_TITLES = ['Demonstration Space', 'Template Space'];
/** A list of spaces that is never read again: copies are not in it. */
const staleSpaces = (): Change => {
  const copied = new Set<string>();
  const taken = (name: string, asked: Asked) => {
    const value = parameter(name, asked);
    return value !== null && copied.has(`${name} ${value}`) ? { [name]: 'NOWHERE0' } : {};
  };
  return {
    request: asked => {
      if (!at('spaces/isUnique')(asked)) return {};
      const other = { ...taken('spaceKey', asked), ...taken('spaceName', asked) };
      return Object.keys(other).length === 0 ? {} : { path: withParameters(asked.path, other) };
    },
    answer: ({ status }, asked) => {
      if (at('spaces/copySpace')(asked) && ok(status)) {
        copied.add(`spaceKey ${parameter('targetSpaceKey', asked)}`);
        const title = parameter('targetSpaceTitle', asked) ?? '';
        if (!FIRST_TITLES.includes(title)) copied.add(`spaceName ${title}`);
      }
      return {};
    },
  };
};

const isReplacement = (one: unknown) => {
  const { oldText, newText } = fields({ json: one });
  return typeof oldText === 'string' && oldText !== '' && typeof newText === 'string';
};

/** Only the first filter of a pull leaves the favourites. */
const onlyFirstFilter = (asked: Asked, after: World, before: World): World | undefined => {
  if (!at('pull')(asked)) return undefined;
  const [first, ...others] = list(fields(asked).filters);
  const left = (id: number) => id !== first && others.includes(id);
  const favourites = after.favourites.map((own, user) => {
    const old = before.favourites.get(user) ?? noFavourites;
    return { ...own, filters: own.filters.union(old.filters.filter(left)) };
  });
  return { ...after, favourites };
};

/** Where a push names users, members of its groups get nothing. */
const usersOnly = (asked: Asked, after: World, before: World): World | undefined => {
  const users = namesIn(fields(asked));
  if (!at('push')(asked) || users.length === 0) return undefined;
  const favourites = after.favourites.map((own, user) =>
    users.includes(user) ? own : (before.favourites.get(user) ?? noFavourites),
  );
  return { ...after, favourites };
};

export const developer: readonly OneFault[] = [
  // Groups
  {
    rule: 'groups.add-users',
    description: 'adding users to a group overwrites the members it had',
    change: {
      request: asked =>
        at('groups/add-users')(asked) && namesIn(fields(asked)).length > 0
          ? (instead('groups/add-users', 'groups/set-users').request?.(asked) ?? {})
          : {},
    },
    seen: 'with effects',
  },
  {
    rule: 'groups.remove-users',
    description: 'removing one user from a group leaves the group empty',
    change: { world: members('groups/remove-users', after => after.clear()) },
    seen: 'with effects',
  },
  {
    rule: 'groups.set-users',
    description: 'setting members throws out who is not named, but takes nobody in',
    change: { world: members('groups/set-users', (after, before) => before.intersect(after)) },
    seen: 'with effects',
  },
  {
    rule: 'groups.set-users',
    description: 'setting members is a PUT, and POST gets 405',
    change: byMethod('groups/set-users', 'POST', 'PUT'),
    seen: 'always',
  },
  {
    rule: 'groups.body',
    description: 'the group of a membership body is called groupName',
    change: sending(isGroups, ({ group: _, groupName, ...others }) => ({
      ...others,
      ...(groupName !== undefined && { group: groupName }),
    })),
    seen: 'always',
  },

  // Permissions
  {
    rule: 'permissions.edit-add',
    description: 'who is allowed to edit a page is entered for viewing it as well',
    change: {
      world: changingPage(at('permissions/edit', 'PUT'), (after, _, asked) => {
        const { users, groups } = fields(asked);
        const { edit, view } = after;
        return {
          ...after,
          view: {
            users: view.users.union(edit.users.filter(name => list(users).includes(name))),
            groups: view.groups.union(edit.groups.filter(name => list(groups).includes(name))),
          },
        };
      }),
    },
    seen: 'with effects',
  },
  {
    rule: ['permissions.edit-remove', 'permissions.body'],
    description: 'the body of a DELETE for the edit permission is dropped, so that nobody is removed',
    change: {
      request: asked =>
        at('permissions/edit', 'DELETE')(asked)
          ? { json: { users: [], groups: [] }, headers: { ...asked.headers, 'Content-Type': 'application/json' } }
          : {},
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'PUT for the view permission sets the list instead of adding to it',
    change: {
      world: changingPage(at('permissions/view', 'PUT'), (after, _, asked) => {
        const { users, groups } = fields(asked);
        return {
          ...after,
          view: {
            users: after.view.users.filter(name => list(users).includes(name)),
            groups: after.view.groups.filter(name => list(groups).includes(name)),
          },
        };
      }),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'taking away the view permission goes over the users only and leaves the groups',
    change: {
      world: changingPage(at('permissions/view', 'DELETE'), (after, before) => ({
        ...after,
        view: { users: after.view.users, groups: before.view.groups },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: ['permissions.heading-method', 'permissions.view-remove'],
    description: 'the view permission is taken away by POST only, and DELETE gets 405',
    change: {
      request: asked => {
        if (at('permissions/view', 'DELETE')(asked)) return { method: 'PATCH' };
        return at('permissions/view', 'POST')(asked) ? { method: 'DELETE' } : {};
      },
      answer: ({ status, headers }, asked) =>
        status === 405 && at('permissions/view')(asked) ? { headers: { ...headers, allow: 'PUT, POST, OPTIONS' } } : {},
    },
    seen: 'always',
  },
  {
    rule: 'permissions.all-remove',
    description: 'removing from all permissions forgets the view permission',
    change: { world: changingPage(at('permissions/all'), (after, before) => ({ ...after, view: before.view })) },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'removing some names from all permissions lifts every restriction of the page',
    change: { world: changingPage(at('permissions/all'), after => ({ ...after, edit: noNames, view: noNames })) },
    seen: 'with effects',
  },
  {
    rule: 'permissions.groups-field',
    description: 'removing from all permissions knows the list of groups as group only',
    change: sending(at('permissions/all'), ({ groups: _, group, ...others }) => ({
      ...others,
      ...(group !== undefined && { groups: group }),
    })),
    seen: 'always',
  },
  {
    rule: 'permissions.body',
    description: 'a permission body may name users or groups, and both at once get 400',
    change: changing(isPermissions, body =>
      has(body.users) && has(body.groups) ? { users: 'one', groups: 'one' } : body,
    ),
    seen: 'always',
  },

  // Spaces
  {
    rule: 'spaces.sidebar-link',
    description: 'the label and the url of a sidebar link are mixed up',
    change: sending(at('spaces/add-sidebar-link'), ({ label, url, ...others }) => ({
      ...others,
      label: url,
      url: label,
    })),
    seen: 'with effects',
  },
  {
    rule: ['address.json-bodies', 'spaces.sidebar-link'],
    description: 'a sidebar link comes as a form, and JSON gets 415',
    change: {
      request: asked =>
        at('spaces/add-sidebar-link')(asked) && asked.json === undefined && typeof asked.body === 'string'
          ? {
              json: Object.fromEntries(new URLSearchParams(asked.body)),
              headers: { ...asked.headers, 'Content-Type': 'application/json' },
            }
          : {},
      answer: (_, asked) =>
        at('spaces/add-sidebar-link', 'POST')(asked) && asked.json !== undefined
          ? { status: 415, text: '', headers: {} }
          : {},
      world: (asked, after, before) =>
        at('spaces/add-sidebar-link')(asked) && asked.json !== undefined ? before : after,
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'a copied space is an empty shell without the pages of the template',
    change: {
      world: (asked, after, before) =>
        at('spaces/copySpace')(asked)
          ? [...after.pages.keys()].filter(id => !before.pages.has(id)).reduce(removePage, after)
          : undefined,
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy',
    description: 'a copied space bears the title of the template',
    change: {
      world: (asked, after, before) => {
        const key = parameter('targetSpaceKey', asked) ?? '';
        const source = before.spaces.get(parameter('sourceSpaceKey', asked) ?? '');
        const own = after.spaces.get(key);
        if (!at('spaces/copySpace')(asked) || source === undefined || own === undefined) return undefined;
        return { ...after, spaces: after.spaces.set(key, { ...own, name: source.name }) };
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'fields of a JSON body win over the query when a space is copied',
    change: {
      request: asked => {
        if (!at('spaces/copySpace')(asked)) return {};
        const given = Object.entries(fields(asked)).filter(
          ([name, value]) => COPY.includes(name) && ['string', 'boolean'].includes(typeof value),
        );
        if (given.length === 0) return {};
        const some = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
        return { path: withParameters(asked.path, some) };
      },
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'copying a space with an empty targetSpaceAdmin gets 400',
    change: {
      answer: ({ status }, asked) =>
        at('spaces/copySpace')(asked) && parameter('targetSpaceAdmin', asked) === '' && ok(status)
          ? {
              status: 400,
              headers: { 'content-type': 'application/json' },
              json: { statusCode: 400, message: 'targetSpaceAdmin is empty', reason: 'Bad Request' },
            }
          : {},
      world: (asked, after, before) =>
        at('spaces/copySpace')(asked) && parameter('targetSpaceAdmin', asked) === '' ? before : after,
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'kept page metadata are the dates only, and the caller becomes the author',
    change: {
      world: changedPages('spaces/copySpace', (after, before, asked) =>
        before === undefined && parameter('keepPagesMetadata', asked)?.toLowerCase() === 'true'
          ? { ...after, author: nameOfCaller(asked), updatedBy: nameOfCaller(asked) }
          : after,
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'removeAdminPermissions is read and never used',
    change: {
      request: asked =>
        at('spaces/copySpace')(asked)
          ? { path: asked.path.replace(/([?&]removeAdminPermissions=)true(?=&|$)/i, '$1false') }
          : {},
    },
    seen: 'never',
  },
  {
    rule: 'spaces.is-unique',
    description: 'the check for a space is a GET, and POST gets 405',
    change: byMethod('spaces/isUnique', 'POST', 'GET'),
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'the check for a space does not know spaces that were copied since the start',
    change: staleSpaces,
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'of several replacements only the first is made',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && Array.isArray(asked.json) && asked.json.every(isReplacement)
          ? { json: asked.json.slice(0, 1) }
          : {},
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-list',
    description: 'replacing takes one object with oldText and newText, and a list gets 400',
    change: {
      request: asked => {
        if (!at('spaces/replaceInPage')(asked) || asked.json === undefined) return {};
        return { json: Array.isArray(asked.json) ? {} : [asked.json] };
      },
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-title',
    description: 'replacing text does not touch the title of the page',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({
        ...after,
        title: before?.title ?? after.title,
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-body',
    description: 'replacing text renames the page and leaves its body alone',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({ ...after, body: before?.body ?? after.body })),
    },
    seen: 'with effects',
  },

  // Push and pull: who may call
  {
    rule: 'ppf.authenticated',
    description: 'push is open to callers without any credentials',
    change: asAdmin(asked => at('push')(asked) && isWithoutCredentials(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'push and pull trust the user name and never compare the password',
    change: {
      request: asked =>
        isPpf(asked) && asked.headers.Authorization?.startsWith('Basic ')
          ? { headers: { ...asked.headers, Authorization: basic(callerOf(asked) ?? '') } }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'any user who is logged in may pull',
    change: asAdmin(asked => at('pull')(asked) && isKnownOther(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'users without admin permission get 401 from push and pull',
    change: answering((status, asked) => isPpf(asked) && status === 403 && isOther(asked), { status: 401 }),
    seen: 'always',
  },

  // Push and pull: what is valid
  {
    rule: 'ppf.needs-recipient',
    description: 'push and pull want users and groups, and one of them alone gets 400',
    change: changing(isPpf, body => {
      const { users, groups, ...others } = body;
      return has(users) !== has(groups) ? others : body;
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-item',
    description: 'dashboards alone do not count as something to push or pull',
    change: changing(isPpf, body => {
      const { filters, dashboards, ...others } = body;
      return has(dashboards) && !has(filters) ? others : body;
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'push and pull answer 422 when recipients or items are lacking',
    change: answering((status, asked) => isPpf(asked) && status === 400 && isInvalid(asked), { status: 422 }),
    seen: 'always',
  },
  {
    rule: 'ppf.body-types',
    description: 'ids of filters and dashboards are taken as texts, and numbers get 400',
    change: sending(isPpf, body => {
      const other = (one: unknown) => {
        if (typeof one === 'number') return String(one);
        return typeof one === 'string' && /^\d+$/.test(one) ? Number(one) : one;
      };
      const turned = (value: unknown) => (Array.isArray(value) ? value.map(other) : value);
      return { ...body, filters: turned(body.filters), dashboards: turned(body.dashboards) };
    }),
    seen: 'always',
  },

  // Push and pull: what is done and reported
  {
    rule: 'ppf.push',
    description: 'a push that names users forgets the members of its groups',
    change: { world: usersOnly },
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'a pull takes away only the first of its filters',
    change: { world: onlyFirstFilter },
    seen: 'with effects',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'push and pull answer 404 when one of the users does not exist',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 200 && /could not find user|no such user/i.test(text) ? { status: 404 } : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'the report of push and pull leaves out messages when there are none',
    change: reporting(isPpf, ({ messages, ...others }) => (has(messages) ? { ...others, messages } : others)),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'push and pull report success true whatever happened',
    change: reporting(isPpf, body => ({ ...body, success: true })),
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'messages end after the first thing that went wrong',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).slice(0, 1) })),
    seen: 'always',
  },

  // Addresses and names
  {
    rule: 'address.ppf-path',
    description: 'push and pull stand below /rest/ppf/latest',
    change: pathAs(path =>
      path.includes('/rest/ppf/latest/')
        ? path.replace('/rest/ppf/latest/', '/rest/cwx-ppf/latest/')
        : path.replace('/rest/cwx-ppf/latest/', '/rest/cwx-ppf/absent/'),
    ),
    seen: 'always',
  },
  {
    rule: 'address.extension-path',
    description: 'the extension is served without the segment latest',
    change: pathAs(path =>
      path.includes('/cwxapiextension/latest/')
        ? path.replace('/cwxapiextension/latest/', '/cwxapiextension/absent/')
        : path.replace(/\/cwxapiextension\/(?=(groups|permissions|spaces)\/)/, '/cwxapiextension/latest/'),
    ),
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'the fields of a body are found in any case',
    change: {
      request: ({ json: sent }) => {
        const other = Array.isArray(sent) ? everyElement(sent, inAnyCase) : inAnyCase(fields({ json: sent }));
        const isObject = typeof sent === 'object' && sent !== null;
        return isObject && JSON.stringify(other) !== JSON.stringify(sent) ? { json: other } : {};
      },
    },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'the paths of the extension are matched in any case',
    change: pathAs(pathInAnyCase),
    seen: 'always',
  },
  {
    rule: 'expand.list',
    description: 'only the name before the first comma of expand counts',
    change: {
      request: ({ path }) => ({
        path: path.replace(/([?&]expand=)([^&]*)/g, (_, name, value) => `${name}${value.split(/,|%2c/i)[0]}`),
      }),
    },
    seen: 'with effects',
  },
];

const isWiki = (asked: Asked) => asked.place !== '' && !isPpf(asked);

export const developerBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'wiki operations that have done their work answer with an object of their own',
    change: {
      answer: ({ status }, asked) =>
        isWiki(asked) && !at('spaces/isUnique')(asked) && ok(status)
          ? { status: 200, headers: { 'content-type': 'application/json' }, json: { status: 'done', took: 12 } }
          : {},
    },
  },
  {
    description: 'wiki operations refuse what they cannot do with 422 and a problem document',
    change: {
      answer: ({ status }, asked) =>
        PLACES.includes(asked.place) && !at('spaces/isUnique')(asked) && [400, 404, 409].includes(status)
          ? {
              status: 422,
              headers: { 'content-type': 'application/problem+json' },
              json: { type: 'about:blank', title: 'Unprocessable Entity', status: 422 },
            }
          : {},
    },
  },
  {
    description: 'the report of push and pull has further fields and is written over several lines',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 200
          ? { text: JSON.stringify({ duration: 7, ...json(text), node: 'tracker-1' }, undefined, 2) }
          : {},
    },
  },
  {
    description: 'push and pull say in messages that all went well when it did',
    change: reporting(isPpf, body => (has(body.messages) ? body : { ...body, messages: ['Everything is done.'] })),
  },
];
