// A list of servers that are correct but for one behaviour, by operation and kind of mistake: what is lost, too much, in the wrong place, or refused.

import { pagesOf, putPage, removePage } from '../../../server/domain/pages.js';
import { type Favourites, favouritesOf, type World } from '../../../server/domain/world.js';
import {
  admin,
  answering,
  at,
  callerOf,
  changedPages,
  changingPage,
  everyElement,
  type Fields,
  fields,
  isAnonymous,
  isGroups,
  isIds,
  isNames,
  isPermissions,
  isPpf,
  list,
  members,
  namesIn,
  type OneFault,
  ok,
  type Page,
  parameter,
  refused,
  reporting,
  sending,
  without,
} from '../faults.js';
import type { Asked, Change } from '../proxied-server.js';

const isFilled = (value: unknown) => list(value).length > 0;
const has = (name: string) => (asked: Asked) => isFilled(fields(asked)[name]);
const both =
  (...tests: ReadonlyArray<(asked: Asked) => boolean>) =>
  (asked: Asked) =>
    tests.every(test => test(asked));
const hasContext = ({ path }: Asked) => /^\/(?!~|rest\/|cwxapiextension\/)[^/]+\/(?:rest|cwxapiextension)\//.test(path);
const refusing = (isMeant: (asked: Asked) => boolean, status: number): Change => ({
  ...answering((_, asked) => isMeant(asked), refused(status)),
  ...without(isMeant),
});
const broken = (isMeant: (asked: Asked) => boolean, status: number): Change => ({
  answer: (answer, asked) => (isMeant(asked) && ok(answer.status) ? refused(status) : {}),
});
const fault = (
  seen: OneFault['seen'],
  rule: OneFault['rule'],
  description: string,
  change: OneFault['change'],
): OneFault => ({ rule, description, change, seen });
const always = (rule: OneFault['rule'], description: string, change: OneFault['change']) =>
  fault('always', rule, description, change);
const effects = (rule: OneFault['rule'], description: string, change: OneFault['change']) =>
  fault('with effects', rule, description, change);
const withQuery = (asked: Asked, change: (name: string, value: string) => string) => {
  const [address = '', query] = asked.path.split('?');
  if (query === undefined) return {};
  const sent = [...new URLSearchParams(query)];
  const changed = sent.map(([name, value]): [string, string] => [name, change(name, value)]);
  return { path: `${address}?${new URLSearchParams(changed)}` };
};
const parametersOf = (place: string, change: (name: string, value: string) => string): Change => ({
  request: asked => (at(place)(asked) ? withQuery(asked, change) : {}),
});
/** A list that is one goes through another way of reading it. */
const only = (place: string, name: string, some: (list: readonly unknown[]) => readonly unknown[], method?: string) =>
  sending(at(place, method), body =>
    isNames(body[name]) || isIds(body[name]) ? { ...body, [name]: some(list(body[name])) } : body,
  );
const first = (some: readonly unknown[]) => some.slice(0, 1);
const last = (some: readonly unknown[]) => some.slice(-1);
const none = () => [];

/** Something else becomes of a user's favourites than should. */
const favourites = (
  place: string,
  change: (after: Favourites, before: Favourites, user: string, asked: Asked, before_: World) => Favourites,
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
const copied = (change: (after: World, target: string, asked: Asked, before: World) => World): Change => ({
  world: (asked, after, before) => {
    const target = parameter('targetSpaceKey', asked) ?? '';
    if (!at('spaces/copySpace')(asked) || before.spaces.has(target) || !after.spaces.has(target)) return undefined;
    return change(after, target, asked, before);
  },
});
const copiedPages = (change: (page: Page, asked: Asked) => Page | undefined): Change =>
  copied((after, target, asked) =>
    pagesOf(after, target).reduce((world, [id, page]) => {
      const other = change(page, asked);
      return other === undefined ? removePage(world, id) : putPage(world, id, other);
    }, after),
  );
const texts = (change: (one: Fields) => Fields) =>
  sending(at('spaces/replaceInPage'), (_, { json }) => everyElement(json, change));
const isAlso = (name: string, value: string) => (asked: Asked) =>
  at('spaces/copySpace')(asked) && parameter(name, asked)?.toLowerCase() === value;
const html = { text: '<html><body>Something went wrong</body></html>', headers: { 'content-type': 'text/html' } };

const addresses: readonly OneFault[] = [
  always(
    'address.context-path',
    'below a context path nobody finds the groups',
    refusing(both(isGroups, hasContext), 404),
  ),
  always(
    'address.context-path',
    'below a context path spaces cannot be copied',
    refusing(both(at('spaces/copySpace'), hasContext), 404),
  ),
  always(
    ['address.no-context-path', 'spaces.is-unique'],
    'isUnique is below a context path only',
    refusing(
      both(at('spaces/isUnique'), one => !hasContext(one)),
      404,
    ),
  ),
  always(
    ['address.extension-path', 'groups.add-users'],
    'add-users has another path',
    refusing(at('groups/add-users'), 404),
  ),
  always(
    ['address.extension-path', 'spaces.replace-list', 'spaces.replace-body'],
    'replaceInPage is gone',
    refusing(at('spaces/replaceInPage'), 410),
  ),
  always(['address.ppf-path', 'ppf.pull'], 'pull has moved', {
    answer: (_, asked) =>
      at('pull')(asked) ? { status: 301, text: '', headers: { location: '/rest/cwx-ppf/latest/unpush' } } : {},
    ...without(at('pull')),
  }),
  always(
    'address.case-sensitive',
    'group operations read their fields in any case',
    sending(isGroups, body =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  ),
  always(
    'address.case-sensitive',
    'permissions read their fields in any case',
    sending(isPermissions, body =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  ),
  always('address.case-sensitive', 'paths of the groups are found in any case', {
    request: ({ path }) => ({ path: path.replace(/\/groups\/(add|remove|set)-users/i, text => text.toLowerCase()) }),
  }),
  always('address.json-bodies', 'letters outside of the basic plane are lost', {
    request: ({ body, json }) =>
      body === undefined || json === undefined
        ? {}
        : {
            body: Buffer.from(body)
              .toString()
              .replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
          },
  }),
  always(
    'address.json-bodies',
    'letters beyond ASCII are refused',
    refusing(
      ({ body, json }) => body !== undefined && json !== undefined && /[^\0-\x7f]/.test(Buffer.from(body).toString()),
      400,
    ),
  ),
  always('address.json-bodies', 'escaped letters are not decoded', {
    request: ({ body, json }) =>
      body === undefined || json === undefined ? {} : { body: Buffer.from(body).toString().replaceAll('\\u', '\\\\u') },
  }),
  always('address.json-bodies', 'push takes a form', {
    request: asked =>
      asked.json === undefined &&
      isPpf(asked) &&
      Buffer.from(asked.body ?? '')
        .toString()
        .startsWith('users=')
        ? { json: { users: ['alice'], filters: [10500] } }
        : {},
  }),
  always('address.json-bodies', 'a body that is cut off is completed', {
    request: asked => {
      const text = Buffer.from(asked.body ?? '').toString();
      return asked.json === undefined && text.startsWith('{') && !text.endsWith('}') ? { body: `${text}}` } : {};
    },
  }),
  always(
    'expand.list',
    'what is expanded by a list is asked of nobody',
    refusing(asked => parameter('expand', asked)?.includes(',') === true, 404),
  ),
  always(
    ['expand.list', 'expand.nested'],
    'expand is refused',
    refusing(asked => (parameter('expand', asked) ?? '') !== '', 400),
  ),
  always('expand.list', 'with a list to expand isUnique answers nothing', {
    answer: (answer, asked) =>
      at('spaces/isUnique')(asked) && ok(answer.status) && parameter('expand', asked)?.includes(',')
        ? { text: '', headers: {} }
        : {},
  }),
  effects(
    'expand.list',
    'with a list to expand pull does nothing',
    without(asked => at('pull')(asked) && parameter('expand', asked)?.includes(',') === true),
  ),
];

const groups: readonly OneFault[] = [
  always(
    'groups.add-users',
    'every other user is added',
    only('groups/add-users', 'users', some => some.filter((_, i) => i % 2 === 0)),
  ),
  always('groups.add-users', 'only the last user is added', only('groups/add-users', 'users', last)),
  always(
    'groups.add-users',
    'the caller is added, not who is named',
    sending(at('groups/add-users'), (body, asked) =>
      isNames(body.users) ? { ...body, users: [callerOf(asked)] } : body,
    ),
  ),
  effects('groups.add-users', 'who is added is added to all groups', {
    world: (asked, after) =>
      at('groups/add-users')(asked)
        ? {
            ...after,
            groups: after.groups.map(own => own.union(namesIn(fields(asked)).filter(one => after.users.has(one)))),
          }
        : undefined,
  }),
  always('groups.add-users', 'add-users toggles', {
    world: (asked, after, before) => {
      const name = String(fields(asked).group);
      const old = before.groups.get(name);
      if (!at('groups/add-users')(asked) || old === undefined) return undefined;
      const users = namesIn(fields(asked)).filter(one => after.users.has(one));
      return { ...after, groups: after.groups.set(name, old.union(users).subtract(users.filter(one => old.has(one)))) };
    },
  }),
  always('groups.add-users', 'nobody is added to a group without members', {
    world: members('groups/add-users', (after, before) => (before.size === 0 ? before : after)),
  }),
  always('groups.add-users', 'nobody is added to a group with members', {
    world: members('groups/add-users', (after, before) => (before.size > 0 ? before : after)),
  }),
  always('groups.add-users', 'add-users fails after the work is done', broken(at('groups/add-users'), 500)),
  always('groups.add-users', 'add-users is forbidden', refusing(at('groups/add-users'), 403)),
  always('groups.remove-users', 'only the first is removed', only('groups/remove-users', 'users', first)),
  always('groups.remove-users', 'only the last is removed', only('groups/remove-users', 'users', last)),
  always('groups.remove-users', 'all but those named are removed', {
    world: members('groups/remove-users', (after, before) => before.subtract(after)),
  }),
  always('groups.remove-users', 'nobody is removed where one is no member', {
    world: (asked, after, before) =>
      namesIn(fields(asked)).some(one => !before.groups.get(String(fields(asked).group))?.has(one))
        ? members('groups/remove-users', (_, old) => old)(asked, after, before)
        : undefined,
  }),
  always('groups.remove-users', 'somebody else is removed as well', {
    world: members('groups/remove-users', after => {
      const one = after.first();
      return one === undefined ? after : after.delete(one);
    }),
  }),
  always('groups.remove-users', 'remove-users is a conflict', refusing(at('groups/remove-users'), 409)),
  always('groups.set-users', 'only the first is set', only('groups/set-users', 'users', first)),
  always('groups.set-users', 'set-users only removes', {
    world: members('groups/set-users', (after, before) => before.intersect(after)),
  }),
  always('groups.set-users', 'set-users empties the group', {
    world: members('groups/set-users', after => after.clear()),
  }),
  always('groups.set-users', 'set-users does nothing to a group with members', {
    world: members('groups/set-users', (after, before) => (before.size > 0 ? before : after)),
  }),
  always('groups.set-users', 'set-users sets the caller as well', {
    world: (asked, after, before) =>
      members('groups/set-users', own => own.add(callerOf(asked) ?? ''))(asked, after, before),
  }),
  always(
    'groups.set-users',
    'several users cannot be set',
    refusing(
      both(at('groups/set-users'), asked => namesIn(fields(asked)).length > 1),
      400,
    ),
  ),
  always(
    'groups.set-users',
    'set-users sets another group',
    sending(at('groups/set-users'), body => (body.group === 'customers' ? { ...body, group: 'team-members' } : body)),
  ),
  always(
    'groups.body',
    'a user may be an object with a name',
    sending(isGroups, body => ({
      ...body,
      ...(Array.isArray(body.users) && {
        users: body.users.map(one => (typeof one === 'object' && one !== null && !Array.isArray(one) ? 'alice' : one)),
      }),
    })),
  ),
  always(
    'groups.body',
    'users may be names with commas',
    sending(isGroups, body => (typeof body.users === 'string' ? { ...body, users: body.users.split(',') } : body)),
  ),
  always(
    'groups.body',
    'empty values among the users are passed over',
    sending(isGroups, body =>
      isFilled(body.users) ? { ...body, users: list(body.users).filter(one => one !== null) } : body,
    ),
  ),
  always(
    'groups.body',
    'a list of bodies is taken',
    sending(isGroups, (body, { json }) => (Array.isArray(json) ? json[0] : body)),
  ),
  always(
    'groups.body',
    'group operations look for members, not users',
    sending(isGroups, ({ users, members: some, ...body }) => ({ ...body, ...(some !== undefined && { users: some }) })),
  ),
];

const kinds = ['edit', 'view'] as const;
const permissions: readonly OneFault[] = [
  ...kinds.flatMap((which): OneFault[] => {
    const place = `permissions/${which}`;
    const add = `permissions.${which}-add`;
    const remove = `permissions.${which}-remove`;
    const other = which === 'edit' ? 'view' : 'edit';
    return [
      effects(add, `only the last user comes to the ${which} permission`, only(place, 'users', last, 'PUT')),
      effects(add, `only the first group comes to the ${which} permission`, only(place, 'groups', first, 'PUT')),
      effects(
        add,
        `the caller comes to the ${which} permission as well`,
        sending(at(place, 'PUT'), (body, asked) =>
          isNames(body.users) ? { ...body, users: [...body.users, callerOf(asked)] } : body,
        ),
      ),
      effects(add, `the ${which} permission is replaced by the users, and groups stay`, {
        world: changingPage(at(place, 'PUT'), (after, before) => ({
          ...after,
          [which]: { ...after[which], users: after[which].users.subtract(before[which].users) },
        })),
      }),
      effects(add, `nobody comes to the ${which} permission where somebody is there`, {
        world: changingPage(at(place, 'PUT'), (after, before) =>
          before[which].users.size + before[which].groups.size > 0 ? { ...after, [which]: before[which] } : after,
        ),
      }),
      effects(add, `who comes to the ${which} permission loses the other`, {
        world: changingPage(at(place, 'PUT'), after => ({
          ...after,
          [other]: {
            users: after[other].users.subtract(after[which].users),
            groups: after[other].groups.subtract(after[which].groups),
          },
        })),
      }),
      always(
        add,
        `a group beside users of the ${which} permission is refused`,
        refusing(both(at(place, 'PUT'), has('users'), has('groups')), 400),
      ),
      always(add, `adding to the ${which} permission fails after it is done`, broken(at(place, 'PUT'), 500)),
      effects(remove, `only the first user leaves the ${which} permission`, only(place, 'users', first, 'DELETE')),
      effects(remove, `groups stay in the ${which} permission`, only(place, 'groups', none, 'DELETE')),
      effects(remove, `users stay in the ${which} permission`, only(place, 'users', none, 'DELETE')),
      effects(remove, `everybody leaves the ${which} permission but those named`, {
        world: changingPage(at(place, 'DELETE'), (after, before) => ({
          ...after,
          [which]: {
            users: before[which].users.subtract(after[which].users),
            groups: before[which].groups.subtract(after[which].groups),
          },
        })),
      }),
      effects(remove, `who leaves the ${which} permission leaves it for all pages`, {
        world: (asked, after, before) => {
          if (!at(place, 'DELETE')(asked) || after === before) return undefined;
          const users = namesIn(fields(asked));
          return [...after.pages].reduce(
            (world, [id, page]) =>
              putPage(world, id, { ...page, [which]: { ...page[which], users: page[which].users.subtract(users) } }),
            after,
          );
        },
      }),
      effects(remove, `with the last user the groups of the ${which} permission go`, {
        world: changingPage(at(place, 'DELETE'), (after, before) =>
          after[which].users.size === 0 && before[which].users.size > 0
            ? { ...after, [which]: { users: after[which].users, groups: after[which].groups.clear() } }
            : after,
        ),
      }),
      always(remove, `removing from the ${which} permission is forbidden`, refusing(at(place, 'DELETE'), 403)),
    ];
  }),
  effects(
    'permissions.all-remove',
    'only the first user loses all permissions',
    only('permissions/all', 'users', first),
  ),
  effects('permissions.all-remove', 'only users lose all permissions', only('permissions/all', 'groups', none)),
  effects('permissions.all-remove', 'the view permission stays where there is an edit permission', {
    world: changingPage(at('permissions/all'), (after, before) =>
      after.edit !== before.edit ? { ...after, view: before.view } : after,
    ),
  }),
  effects('permissions.all-remove', 'all are removed but those named', {
    world: changingPage(at('permissions/all'), (after, before) => ({
      ...after,
      edit: {
        users: before.edit.users.subtract(after.edit.users),
        groups: before.edit.groups.subtract(after.edit.groups),
      },
      view: {
        users: before.view.users.subtract(after.view.users),
        groups: before.view.groups.subtract(after.view.groups),
      },
    })),
  }),
  always(
    ['permissions.all-remove', 'address.extension-path'],
    'all-remove is not there',
    refusing(at('permissions/all'), 404),
  ),
  always('permissions.heading-method', 'POST to permissions/all fails', broken(at('permissions/all', 'POST'), 500)),
  effects('permissions.heading-method', 'POST to permissions/all removes from the edit permission only', {
    world: changingPage(at('permissions/all', 'POST'), (after, before) => ({ ...after, view: before.view })),
  }),
  effects(
    ['permissions.heading-method', 'permissions.edit-remove'],
    'POST to permissions/edit does nothing',
    without(at('permissions/edit', 'POST')),
  ),
  always(
    'permissions.body',
    'a user of a permission may be an object',
    sending(isPermissions, body => ({
      ...body,
      ...(Array.isArray(body.users) && {
        users: body.users.map(one => (typeof one === 'object' && one !== null ? 'alice' : one)),
      }),
    })),
  ),
  always(
    'permissions.body',
    'a group of a permission may be a number',
    sending(isPermissions, body => ({
      ...body,
      ...(Array.isArray(body.groups) && {
        groups: body.groups.map(one => (typeof one === 'number' ? 'customers' : one)),
      }),
    })),
  ),
  always(
    'permissions.body',
    'permissions take a list around the body',
    sending(isPermissions, (body, { json }) => (Array.isArray(json) ? json[0] : body)),
  ),
];

const spaces: readonly OneFault[] = [
  effects(
    'spaces.sidebar-link',
    'the label is cut at its first space',
    sending(at('spaces/add-sidebar-link'), body =>
      typeof body.label === 'string' ? { ...body, label: body.label.split(' ')[0] } : body,
    ),
  ),
  effects(
    'spaces.sidebar-link',
    'label and url stand for one another',
    sending(at('spaces/add-sidebar-link'), body => ({ ...body, label: body.url, url: body.label })),
  ),
  effects('spaces.sidebar-link', 'a new link takes the place of the others', {
    world: (asked, after) => {
      const key = String(fields(asked).spaceKey);
      const space = after.spaces.get(key);
      return at('spaces/add-sidebar-link')(asked) && space !== undefined
        ? { ...after, spaces: after.spaces.set(key, { ...space, sidebar: space.sidebar.slice(-1) }) }
        : undefined;
    },
  }),
  effects('spaces.sidebar-link', 'links are added to a sidebar without links only', {
    world: (asked, _, before) => {
      const key = String(fields(asked).spaceKey);
      return at('spaces/add-sidebar-link')(asked) && (before.spaces.get(key)?.sidebar.length ?? 0) > 0
        ? before
        : undefined;
    },
  }),
  always(
    'spaces.sidebar-link',
    'a link with parameters is refused',
    refusing(
      both(at('spaces/add-sidebar-link'), asked => String(fields(asked).url).includes('?')),
      400,
    ),
  ),
  always(
    'spaces.sidebar-link',
    'a label with & is refused',
    refusing(
      both(at('spaces/add-sidebar-link'), asked => String(fields(asked).label).includes('&')),
      400,
    ),
  ),
  always(
    'spaces.sidebar-link',
    'a copied space takes no link',
    refusing(
      both(at('spaces/add-sidebar-link'), asked => /^CWX/i.test(String(fields(asked).spaceKey))),
      404,
    ),
  ),
  always(
    'spaces.copy',
    'the copy has a key in small letters',
    copied((after, target) => {
      const space = after.spaces.get(target);
      if (space === undefined) return after;
      const key = target.toLowerCase();
      return pagesOf(after, target).reduce((world, [id, page]) => putPage(world, id, { ...page, space: key }), {
        ...after,
        spaces: after.spaces.delete(target).set(key, space),
      });
    }),
  ),
  always(
    'spaces.copy',
    'pages of the copy are called Copy of …',
    copiedPages(page => ({ ...page, title: `Copy of ${page.title}` })),
  ),
  always('spaces.copy', 'a space can be copied once', () => {
    const known = new Set<string>();
    return copied((after, _, asked, before) => {
      const source = parameter('sourceSpaceKey', asked) ?? '';
      const isKnown = known.has(source);
      known.add(source);
      return isKnown ? before : after;
    });
  }),
  always('spaces.copy', 'copySpace is accepted with 202 and forgotten', {
    ...answering((status, asked) => ok(status) && at('spaces/copySpace')(asked), {
      status: 202,
      text: '',
      headers: {},
    }),
    ...without(at('spaces/copySpace')),
  }),
  always(
    'spaces.copy',
    'the title of the copy loses letters beyond ASCII',
    parametersOf('spaces/copySpace', (name, value) =>
      name === 'targetSpaceTitle' ? value.replaceAll(/[^\0-\x7f]/g, '') : value,
    ),
  ),
  always(
    'spaces.copy',
    'the title of the copy ends at its first space',
    parametersOf('spaces/copySpace', (name, value) =>
      name === 'targetSpaceTitle' ? (value.split(' ')[0] ?? '') : value,
    ),
  ),
  always(
    'spaces.copy',
    'the key of the copy is its title',
    copied((after, target) => {
      const space = after.spaces.get(target);
      return space === undefined ? after : { ...after, spaces: after.spaces.set(target, { ...space, name: target }) };
    }),
  ),
  always('spaces.copy', 'an existing space is overwritten', {
    request: () => ({}),
    answer: ({ status }, asked) =>
      at('spaces/copySpace')(asked) && status === 409
        ? { status: 200, text: '{}', headers: { 'content-type': 'application/json' } }
        : {},
  }),
  effects(
    'spaces.copy',
    'the pages of a copy have no text',
    copiedPages(page => ({ ...page, body: '' })),
  ),
  always(
    'spaces.copy-query-only',
    'copySpace asks for a content type',
    refusing(
      ({ place, headers }) =>
        place === 'spaces/copySpace' && !Object.keys(headers).some(name => name.toLowerCase() === 'content-type'),
      415,
    ),
  ),
  always(
    'spaces.copy-default-admin',
    'where the admin is empty there is an error',
    refusing(isAlso('targetSpaceAdmin', ''), 500),
  ),
  always(
    'spaces.copy-default-admin',
    'where the admin is empty no pages are copied',
    copiedPages((page, asked) => (isAlso('targetSpaceAdmin', '')(asked) ? undefined : page)),
  ),
  always(
    'spaces.copy-remove-admin',
    'to remove the admin is forbidden',
    refusing(isAlso('removeAdminPermissions', 'true'), 403),
  ),
  always(
    'spaces.copy-remove-admin',
    'not to remove the admin is an error',
    refusing(isAlso('removeAdminPermissions', 'false'), 500),
  ),
  always(
    'spaces.copy-keep-metadata',
    'to keep metadata is an error',
    refusing(isAlso('keepPagesMetadata', 'true'), 500),
  ),
  always(
    'spaces.copy-keep-metadata',
    'where metadata are kept no pages are',
    copiedPages((page, asked) => (isAlso('keepPagesMetadata', 'true')(asked) ? undefined : page)),
  ),
  effects(
    ['spaces.copy-keep-metadata', 'spaces.copy'],
    'where metadata are not kept the text is lost',
    copiedPages((page, asked) => (isAlso('keepPagesMetadata', 'false')(asked) ? { ...page, body: '' } : page)),
  ),
  always('spaces.is-unique', 'isUnique knows no spaces made since it was started', {
    request: asked =>
      at('spaces/isUnique')(asked) && parameter('spaceKey', asked)?.startsWith('CWX')
        ? withQuery(asked, (_, value) => `${value}zzz`)
        : {},
  }),
  always('spaces.is-unique', 'isUnique takes the beginning of a key for the key', {
    request: asked =>
      at('spaces/isUnique')(asked)
        ? withQuery(asked, (name, value) => (name === 'spaceKey' && value === 'd' ? 'ds' : value))
        : {},
  }),
  always('spaces.is-unique', 'isUnique answers true as a text', {
    answer: (answer, asked) =>
      at('spaces/isUnique')(asked) && /^(true|false)$/.test(answer.text) ? { text: JSON.stringify(answer.text) } : {},
  }),
  always('spaces.is-unique', 'isUnique fails where a space is there', {
    answer: (answer, asked) =>
      at('spaces/isUnique')(asked) && answer.text === 'false' ? { status: 500, ...html } : {},
  }),
  always('spaces.is-unique', 'isUnique answers null', {
    answer: (answer, asked) => (at('spaces/isUnique')(asked) && ok(answer.status) ? { text: 'null' } : {}),
  }),
  always(
    'spaces.is-unique',
    'a name with letters beyond ASCII is a bad request',
    refusing(
      both(at('spaces/isUnique'), ({ path }) => /%[89A-F]/i.test(path)),
      400,
    ),
  ),
  always(
    'spaces.is-unique',
    'a name with a space is a bad request',
    refusing(
      both(at('spaces/isUnique'), asked => parameter('spaceName', asked)?.includes(' ') === true),
      400,
    ),
  ),
  always(
    'spaces.is-unique',
    'a + in a name is no space',
    parametersOf('spaces/isUnique', (name, value) => (name === 'spaceName' ? value.replaceAll(' ', '+') : value)),
  ),
];

const texts_: readonly OneFault[] = [
  always('spaces.replace-list', 'only the first two elements are replaced', {
    request: asked =>
      at('spaces/replaceInPage')(asked) && Array.isArray(asked.json) ? { json: asked.json.slice(0, 2) } : {},
  }),
  always('spaces.replace-list', 'an element may be a list of two texts', {
    request: asked =>
      at('spaces/replaceInPage')(asked) && Array.isArray(asked.json)
        ? { json: asked.json.map(one => (Array.isArray(one) ? { oldText: one[0], newText: one[1] } : one)) }
        : {},
  }),
  always('spaces.replace-list', 'numbers are taken for texts', {
    request: asked =>
      at('spaces/replaceInPage')(asked) && Array.isArray(asked.json)
        ? {
            json: everyElement(asked.json, one =>
              Object.fromEntries(
                Object.entries(one).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
              ),
            ),
          }
        : {},
  }),
  always(
    'spaces.replace-list',
    'more than one element is refused',
    refusing(
      both(at('spaces/replaceInPage'), ({ json }) => list(json).length > 1),
      400,
    ),
  ),
  effects('spaces.replace-body', 'the new text comes before the old one in the body', {
    world: changedPages('spaces/replaceInPage', (page, old, asked) => {
      const [one] = list(asked.json);
      const { oldText, newText } = fields({ json: one });
      return old === undefined || typeof oldText !== 'string' || typeof newText !== 'string' || oldText === newText
        ? page
        : { ...page, body: old.body.replaceAll(oldText, newText + oldText) };
    }),
  }),
  effects('spaces.replace-body', 'the body is written in capitals', {
    world: changedPages('spaces/replaceInPage', (page, old) =>
      old !== undefined && old.body !== page.body ? { ...page, body: page.body.toUpperCase() } : page,
    ),
  }),
  effects('spaces.replace-body', 'the body loses what comes after the new text', {
    world: changedPages('spaces/replaceInPage', (page, old, asked) => {
      const { newText } = fields({ json: list(asked.json)[0] });
      const end = typeof newText === 'string' && newText !== '' ? page.body.indexOf(newText) + newText.length : -1;
      return old !== undefined && old.body !== page.body && end > 0 ? { ...page, body: page.body.slice(0, end) } : page;
    }),
  }),
  effects('spaces.replace-body', 'the body changes on every page of that title', {
    world: (asked, after, before) => {
      if (!at('spaces/replaceInPage')(asked) || after === before) return undefined;
      const [changed] = [...after.pages].filter(([id, page]) => before.pages.get(id)?.body !== page.body);
      if (changed === undefined) return undefined;
      const [, own] = changed;
      return [...after.pages].reduce(
        (world, [id, page]) => (page.title === own.title ? putPage(world, id, { ...page, body: own.body }) : world),
        after,
      );
    },
  }),
  always('spaces.replace-title', 'a title that changes gets a full stop', {
    world: changedPages('spaces/replaceInPage', (page, old) =>
      old !== undefined && old.title !== page.title ? { ...page, title: `${page.title}.` } : page,
    ),
  }),
  always('spaces.replace-title', 'a title is only replaced as a whole', {
    world: changedPages('spaces/replaceInPage', (page, old, asked) =>
      old !== undefined && !list(asked.json).some(one => fields({ json: one }).oldText === old.title)
        ? { ...page, title: old.title }
        : page,
    ),
  }),
  always('spaces.replace-title', 'only the beginning of a title is replaced', {
    world: changedPages('spaces/replaceInPage', (page, old, asked) =>
      old !== undefined &&
      old.title !== page.title &&
      !list(asked.json).some(one => old.title.startsWith(String(fields({ json: one }).oldText)))
        ? { ...page, title: old.title }
        : page,
    ),
  }),
  always('spaces.replace-title', 'the title becomes the new text', {
    world: changedPages('spaces/replaceInPage', (page, old, asked) =>
      old !== undefined && old.title !== page.title
        ? { ...page, title: String(fields({ json: list(asked.json).at(-1) }).newText) || page.title }
        : page,
    ),
  }),
  always('spaces.replace-title', 'a title keeps to twelve letters', {
    world: changedPages('spaces/replaceInPage', page => ({ ...page, title: page.title.slice(0, 12) })),
  }),
  always('spaces.replace-title', 'a title loses letters beyond ASCII', {
    world: changedPages('spaces/replaceInPage', page => ({ ...page, title: page.title.replaceAll(/[^\0-\x7f]/g, '') })),
  }),
  always('spaces.replace-title', 'markup in a title is escaped', {
    world: changedPages('spaces/replaceInPage', page => ({ ...page, title: page.title.replaceAll('&', '&amp;') })),
  }),
  always(
    ['spaces.replace-title', 'spaces.replace-body'],
    'the new text is read without regard to case',
    texts(one => (typeof one.newText === 'string' ? { ...one, newText: one.newText.toLowerCase() } : one)),
  ),
  always(
    ['spaces.replace-title', 'spaces.replace-body'],
    'texts are trimmed',
    texts(one =>
      Object.fromEntries(
        Object.entries(one).map(([name, value]) => [name, typeof value === 'string' ? value.trim() || value : value]),
      ),
    ),
  ),
  always(
    ['spaces.replace-body', 'spaces.replace-title', 'spaces.replace-list'],
    'an empty new text is refused',
    refusing(
      both(at('spaces/replaceInPage'), ({ json }) => list(json).some(one => fields({ json: one }).newText === '')),
      400,
    ),
  ),
];

const transfers: readonly OneFault[] = (['push', 'pull'] as const).flatMap((which): OneFault[] => {
  const rule = `ppf.${which}`;
  const change = which === 'push' ? 'union' : 'subtract';
  const isPlace = at(which);
  return [
    effects(rule, `${which} reaches only the last user`, only(which, 'users', last)),
    effects(
      rule,
      `${which} reaches only the first of several groups' members`,
      favourites(which, (after, before, user, asked, world) => {
        const named = list(fields(asked).groups).flatMap(one => [...(world.groups.get(String(one)) ?? [])].slice(0, 1));
        return namesIn(fields(asked)).includes(user) || named.includes(user) ? after : before;
      }),
    ),
    effects(rule, `${which} takes the first filter only`, only(which, 'filters', first)),
    effects(rule, `${which} takes the last dashboard only`, only(which, 'dashboards', last)),
    effects(
      rule,
      `${which} passes dashboards over`,
      favourites(which, (after, before) => ({ ...after, dashboards: before.dashboards })),
    ),
    effects(
      rule,
      `${which} passes filters over where there are dashboards`,
      favourites(which, (after, before, _, asked) =>
        has('dashboards')(asked) ? { ...after, filters: before.filters } : after,
      ),
    ),
    effects(rule, `${which} is about the caller, whoever is named`, {
      world: (asked, after, before) => {
        if (!isPlace(asked) || after === before) return undefined;
        const caller = callerOf(asked) ?? '';
        const own = favouritesOf(before, caller);
        const ids = (name: string) => list(fields(asked)[name]).filter((one): one is number => Number.isInteger(one));
        return {
          ...after,
          favourites: before.favourites.set(caller, {
            filters: own.filters[change](ids('filters')),
            dashboards: own.dashboards[change](ids('dashboards')),
          }),
        };
      },
    }),
    effects(
      rule,
      `${which} to one of several users only where there are groups`,
      favourites(which, (after, before, user, asked) =>
        has('groups')(asked) && namesIn(fields(asked)).includes(user) ? before : after,
      ),
    ),
    always(rule, `${which} of several items fails`, refusing(both(isPlace, has('filters'), has('dashboards')), 500)),
    always(
      ['ppf.processed-is-200', rule],
      `${which} for several users is refused`,
      refusing(
        both(isPlace, asked => namesIn(fields(asked)).length > 1),
        400,
      ),
    ),
    always(
      'ppf.needs-recipient',
      `${which} for nobody is for the caller`,
      sending(isPlace, (body, asked) =>
        'users' in body || 'groups' in body ? body : { ...body, users: [callerOf(asked)] },
      ),
    ),
    always(
      'ppf.needs-item',
      `${which} of nothing is of everything`,
      sending(isPlace, body =>
        'filters' in body || 'dashboards' in body ? body : { ...body, filters: [10500], dashboards: [11000] },
      ),
    ),
    always(
      'ppf.needs-recipient',
      `${which} needs users, even with groups`,
      refusing(
        both(isPlace, asked => !has('users')(asked)),
        400,
      ),
    ),
    always(
      'ppf.needs-item',
      `${which} needs filters, even with dashboards`,
      refusing(
        both(isPlace, asked => !has('filters')(asked)),
        400,
      ),
    ),
    always(
      'ppf.invalid-is-400',
      `an invalid ${which} is 500`,
      answering((status, asked) => status === 400 && isPlace(asked), { status: 500, ...html }),
    ),
    always(
      'ppf.body-types',
      `${which} takes groups as one text`,
      sending(isPlace, body => (typeof body.groups === 'string' ? { ...body, groups: [body.groups] } : body)),
    ),
    always(
      'ppf.body-types',
      `${which} passes over ids that are no numbers`,
      sending(isPlace, body => ({
        ...body,
        ...(Array.isArray(body.filters) && { filters: body.filters.filter(Number.isInteger) }),
      })),
    ),
    always(
      'ppf.processed-is-200',
      `${which} answers 204`,
      answering((status, asked) => status === 200 && isPlace(asked), { status: 204, text: '', headers: {} }),
    ),
    always('ppf.processed-is-200', `${which} answers 404 where a group is unknown`, {
      answer: ({ status, text }, asked) =>
        isPlace(asked) && status === 200 && /group with name/.test(text) ? { status: 404 } : {},
    }),
    always(
      ['ppf.processed-is-200', 'ppf.success-flag'],
      `${which} has no success`,
      reporting(isPlace, ({ success: _, ...rest }) => rest),
    ),
    always(
      'ppf.processed-is-200',
      `${which} has null for no messages`,
      reporting(isPlace, body => ({ ...body, messages: isFilled(body.messages) ? body.messages : null })),
    ),
    always(
      'ppf.success-flag',
      `${which} is a success where groups are unknown`,
      reporting(isPlace, body => ({ ...body, success: list(body.messages).every(one => /group/.test(String(one))) })),
    ),
    always(
      'ppf.success-flag',
      `${which} is a success where the first user was found`,
      reporting(isPlace, (body, asked) => ({
        ...body,
        success:
          body.success === true ||
          (namesIn(fields(asked)).length > 1 && !/nobody/.test(String(namesIn(fields(asked))[0]))),
      })),
    ),
    always(
      'ppf.failure-message',
      `${which} has no message for filters`,
      reporting(isPlace, body => ({
        ...body,
        messages: list(body.messages).filter(one => !/filter/.test(String(one))),
      })),
    ),
    always(
      'ppf.failure-message',
      `${which} has null for a message`,
      reporting(isPlace, body => ({ ...body, messages: list(body.messages).map(() => null) })),
    ),
    always(
      'ppf.authenticated',
      `${which} is not found for anonymous callers`,
      answering((_, asked) => isPlace(asked) && isAnonymous(asked), refused(404)),
    ),
    always('ppf.authenticated', `${which} is done for anonymous callers, who get 403`, {
      request: asked => (isPlace(asked) && isAnonymous(asked) && isNames(fields(asked).users) ? admin(asked) : {}),
      answer: ({ status }, asked) => (isPlace(asked) && isAnonymous(asked) && status === 200 ? refused(200) : {}),
    }),
    always('ppf.admin-only', `${which} serves members of groups`, {
      request: asked =>
        isPlace(asked) && !isAnonymous(asked) && ['alice', 'carol'].includes(callerOf(asked) ?? '') ? admin(asked) : {},
    }),
    always(
      'ppf.admin-only',
      `${which} answers 200 and false to a caller who is no admin`,
      answering((status, asked) => isPlace(asked) && status === 403 && !isAnonymous(asked), {
        status: 200,
        text: '{"success":false,"messages":["You are no admin"]}',
        headers: { 'content-type': 'application/json' },
      }),
    ),
  ];
});

const isQuestion = at('spaces/isUnique');
/** Servers that break a rule now and then, or no rule at all. */
export const naturalBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'every other isUnique is answered with 500',
    change: () => {
      let n = 0;
      return { answer: (_, asked) => (isQuestion(asked) && n++ % 2 === 1 ? { status: 500, ...html } : {}) };
    },
  },
  {
    description: 'every fourth pull is answered with 503',
    change: () => {
      let n = 0;
      return { answer: (_, asked) => (at('pull')(asked) && n++ % 4 === 3 ? refused(503) : {}) };
    },
  },
  {
    description: 'one group operation in six is 502',
    change: () => {
      let n = 0;
      return { answer: (_, asked) => (isGroups(asked) && n++ % 6 === 5 ? refused(502) : {}) };
    },
  },
  {
    description: 'every other DELETE of a permission is 500 although it is done',
    change: () => {
      let n = 0;
      return {
        answer: (_, asked) => (isPermissions(asked) && asked.method === 'DELETE' && n++ % 2 === 1 ? refused(500) : {}),
      };
    },
  },
  {
    description: 'the wiki answers with a list',
    change: {
      answer: ({ status }, asked) =>
        ok(status) && (isGroups(asked) || isPermissions(asked))
          ? { text: '[]', headers: { 'content-type': 'application/json' } }
          : {},
    },
  },
];

/** Servers that are correct but for one behaviour. */
export const natural: readonly OneFault[] = [
  ...addresses,
  ...groups,
  ...permissions,
  ...spaces,
  ...texts_,
  ...transfers,
];
