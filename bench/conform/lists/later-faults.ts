// More servers that are correct but for one behaviour, written before conform was changed once more. Every other one is sealed: nobody looks at what
// is said of those while it is changed, so that they show whether what was learned from the others is a method.

import {
  answering,
  asAdmin,
  at,
  changedPages,
  changingPage,
  fields,
  instead,
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
  refused,
  reporting,
  sending,
} from '../faults.js';

const isNoList = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

const groups: readonly OneFault[] = [
  {
    rule: 'groups.add-users',
    description: 'add-users adds nobody where several are named',
    change: {
      world: (asked, _, before) =>
        at('groups/add-users')(asked) && namesIn(fields(asked)).length > 1 ? before : undefined,
    },
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'remove-users removes nobody where several are named',
    change: {
      world: (asked, _, before) =>
        at('groups/remove-users')(asked) && namesIn(fields(asked)).length > 1 ? before : undefined,
    },
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'set-users forgets the first one named',
    change: sending(at('groups/set-users'), body =>
      isNames(body.users) ? { ...body, users: body.users.slice(1) } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'add-users forgets the first of several',
    change: sending(at('groups/add-users'), body =>
      isNames(body.users) && body.users.length > 1 ? { ...body, users: body.users.slice(1) } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'set-users removes those named',
    change: instead('groups/set-users', 'groups/remove-users'),
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'remove-users adds those named',
    change: instead('groups/remove-users', 'groups/add-users'),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'add-users breaks where several are named',
    change: answering((_, asked) => at('groups/add-users')(asked) && namesIn(fields(asked)).length > 1, refused(500)),
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'remove-users answers 403 although it has removed them',
    change: answering((status, asked) => at('groups/remove-users')(asked) && ok(status), refused(403)),
    seen: 'always',
  },
  {
    rule: 'groups.body',
    description: 'group operations take a list around the body',
    change: {
      request: asked =>
        isGroups(asked) && Array.isArray(asked.json) && asked.json.length > 0 ? { json: asked.json[0] } : {},
    },
    seen: 'always',
  },
  {
    rule: 'groups.body',
    description: 'group operations refuse users who are named twice',
    change: answering((_, asked) => {
      const named = namesIn(fields(asked));
      return isGroups(asked) && new Set(named).size < named.length;
    }, refused(400)),
    seen: 'always',
  },
];

const permissions: readonly OneFault[] = [
  {
    rule: 'permissions.edit-add',
    description: 'PUT permissions/edit takes the first user only',
    change: sending(at('permissions/edit', 'PUT'), body =>
      isNames(body.users) ? { ...body, users: body.users.slice(0, 1) } : body,
    ),
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'PUT permissions/view passes users over where groups are named',
    change: sending(at('permissions/view', 'PUT'), body =>
      isNames(body.groups) && body.groups.length > 0 && isNames(body.users) ? { ...body, users: [] } : body,
    ),
    seen: 'with effects',
  },
  {
    rule: 'permissions.edit-remove',
    description: 'DELETE permissions/edit takes everybody off',
    change: {
      world: changingPage(at('permissions/edit', 'DELETE'), after => ({
        ...after,
        edit: { users: after.edit.users.clear(), groups: after.edit.groups.clear() },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'PUT permissions/view takes those off who were there',
    change: {
      world: changingPage(at('permissions/view', 'PUT'), (after, before) => ({
        ...after,
        view: {
          users: after.view.users.subtract(before.view.users),
          groups: after.view.groups.subtract(before.view.groups),
        },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'permissions/all leaves the edit permission',
    change: { world: changingPage(at('permissions/all'), (after, before) => ({ ...after, edit: before.edit })) },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'permissions/all takes only groups off',
    change: sending(at('permissions/all'), body => (isNames(body.users) ? { ...body, users: [] } : body)),
    seen: 'with effects',
  },
  {
    rule: ['permissions.heading-method', 'permissions.all-remove'],
    description: 'POST permissions/all does nothing',
    change: { world: (asked, _, before) => (at('permissions/all', 'POST')(asked) ? before : undefined) },
    seen: 'with effects',
  },
  {
    rule: ['permissions.heading-method', 'permissions.edit-remove'],
    description: 'POST permissions/edit breaks',
    change: answering((_, asked) => at('permissions/edit', 'POST')(asked), refused(500)),
    seen: 'always',
  },
  {
    rule: 'permissions.body',
    description: 'permissions take a number for a user',
    change: sending(isPermissions, body => ({
      ...body,
      ...(Array.isArray(body.users) && { users: body.users.map(one => (typeof one === 'number' ? 'alice' : one)) }),
    })),
    seen: 'always',
  },
  {
    rule: 'permissions.body',
    description: 'a group of a permission may be one text',
    change: sending(isPermissions, body => ({
      ...body,
      ...(typeof body.groups === 'string' && { groups: [body.groups] }),
    })),
    seen: 'always',
  },
  {
    rule: 'permissions.view-remove',
    description: 'DELETE permissions/view answers 404 where the page is there',
    change: answering((status, asked) => at('permissions/view', 'DELETE')(asked) && ok(status), refused(404)),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'PUT permissions/edit redirects',
    change: answering((_, asked) => at('permissions/edit', 'PUT')(asked), refused(302)),
    seen: 'always',
  },
];

const spaces: readonly OneFault[] = [
  {
    rule: 'spaces.sidebar-link',
    description: 'add-sidebar-link refuses whole addresses',
    change: answering(
      (_, asked) => at('spaces/add-sidebar-link')(asked) && /^https?:/.test(String(fields(asked).url)),
      refused(400),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.sidebar-link',
    description: 'add-sidebar-link breaks',
    change: answering((status, asked) => at('spaces/add-sidebar-link')(asked) && ok(status), refused(500)),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'copySpace makes the space under another key',
    change: {
      request: asked =>
        at('spaces/copySpace')(asked) ? { path: asked.path.replace(/targetSpaceKey=[^&]+/, found => `${found}X`) } : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'copySpace leaves the text of pages out',
    change: {
      world: (asked, after, before) =>
        at('spaces/copySpace')(asked)
          ? { ...after, pages: after.pages.map((one, id) => (before.pages.has(id) ? one : { ...one, body: '' })) }
          : undefined,
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'copySpace breaks where metadata is to be kept',
    change: answering(
      (_, asked) => at('spaces/copySpace')(asked) && /keepPagesMetadata=true/i.test(asked.path),
      refused(500),
    ),
    seen: 'always',
  },
  {
    rule: ['spaces.copy-default-admin', 'spaces.copy'],
    description: 'copySpace refuses an admin who is named',
    change: answering(
      (_, asked) => at('spaces/copySpace')(asked) && /targetSpaceAdmin=[^&]/.test(asked.path),
      refused(403),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique finds no key in small letters',
    change: {
      request: asked =>
        at('spaces/isUnique', 'POST')(asked)
          ? { path: asked.path.replace(/spaceKey=([^&]*)/, (_, key: string) => `spaceKey=${key.toUpperCase()}`) }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique answers in words',
    change: {
      answer: ({ status, text }, asked) =>
        at('spaces/isUnique', 'POST')(asked) && ok(status)
          ? { json: text === 'true' ? 'The space is free.' : 'The space is taken.' }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'replaceInPage does nothing where several texts are named',
    change: {
      world: (asked, _, before) =>
        at('spaces/replaceInPage')(asked) && list(asked.json).length > 1 ? before : undefined,
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'replaceInPage reads only the last element',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && list(asked.json).length > 1 ? { json: list(asked.json).slice(-1) } : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-title',
    description: 'replaceInPage puts a star behind a title that it replaces',
    change: {
      world: changedPages('spaces/replaceInPage', (one, old) =>
        old?.title === one.title ? one : { ...one, title: `${one.title}*` },
      ),
    },
    seen: 'always',
  },
  {
    rule: ['spaces.replace-body', 'spaces.replace-title', 'spaces.replace-list'],
    description: 'replaceInPage strikes the old text out and puts nothing in its place',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && list(asked.json).length > 0
          ? {
              json: list(asked.json).map(one =>
                typeof one === 'object' && one !== null && 'newText' in one ? { ...one, newText: '' } : one,
              ),
            }
          : {},
    },
    seen: 'always',
  },
];

/** Another user in the place of those who are there. */
const forCaller = (users: unknown) =>
  isNames(users)
    ? users.map(name => (['alice', 'carol', 'demouser1', 'demouser2'].includes(name) ? 'admin' : name))
    : users;

const pushAndPull: readonly OneFault[] = [
  {
    rule: 'ppf.push',
    description: "push makes the caller's favourites",
    change: sending(at('push'), body => ({
      ...body,
      ...(body.users !== undefined && { users: forCaller(body.users) }),
    })),
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'pull takes from the first of several users only',
    change: sending(at('pull'), body => (isNames(body.users) ? { ...body, users: body.users.slice(0, 1) } : body)),
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'pull pushes',
    change: instead('pull', 'push'),
    seen: 'with effects',
  },
  {
    rule: 'ppf.push',
    description: 'push pulls',
    change: instead('push', 'pull'),
    seen: 'with effects',
  },
  {
    rule: ['ppf.processed-is-200', 'ppf.success-flag', 'ppf.failure-message'],
    description: 'pull answers 204 without a body',
    change: answering((status, asked) => at('pull')(asked) && status === 200, { status: 204, text: '' }),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'push answers 207 where something is reported',
    change: {
      answer: ({ status, text }, asked) =>
        at('push')(asked) && status === 200 && json(text).success === false ? { status: 207 } : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is never true',
    change: reporting(isPpf, body => ({ ...body, success: false })),
    seen: 'always',
  },
  {
    rule: ['ppf.success-flag', 'ppf.processed-is-200'],
    description: 'success is called ok',
    change: {
      answer: ({ status, text }, asked) => {
        const { success, ...others } = json(status === 200 ? text : '');
        return isPpf(asked) && status === 200 ? { json: { ok: success, ...others } } : {};
      },
    },
    seen: 'always',
  },
  {
    rule: ['ppf.failure-message', 'ppf.processed-is-200'],
    description: 'messages are one text',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).join(' ') })),
    seen: 'always',
  },
  {
    rule: ['ppf.processed-is-200', 'ppf.success-flag', 'ppf.failure-message'],
    description: 'push answers with a page of HTML',
    change: answering((status, asked) => at('push')(asked) && status === 200, {
      text: '<html><body>done</body></html>',
      headers: { 'content-type': 'text/html' },
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'pull answers 200 where nobody is named',
    change: answering(
      (status, asked) =>
        at('pull')(asked) &&
        status === 400 &&
        isNoList(fields(asked).users) &&
        isNoList(fields(asked).groups) &&
        (isIds(fields(asked).filters) || isIds(fields(asked).dashboards)),
      { status: 200, text: '{"success":true,"messages":[]}' },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-item',
    description: 'push refuses dashboards alone',
    change: answering(
      (status, asked) => at('push')(asked) && status === 200 && list(fields(asked).filters).length === 0,
      refused(400),
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'an invalid request is 500',
    change: answering((status, asked) => isPpf(asked) && status === 400, refused(500)),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'an invalid pull is 404',
    change: answering((status, asked) => at('pull')(asked) && status === 400, refused(404)),
    seen: 'always',
  },
  {
    rule: 'ppf.body-types',
    description: 'users may be numbers',
    change: sending(isPpf, body => ({
      ...body,
      ...(Array.isArray(body.users) && { users: body.users.map(one => (typeof one === 'number' ? 'alice' : one)) }),
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.body-types',
    description: 'filters may be one number',
    change: sending(isPpf, body => ({ ...body, ...(typeof body.filters === 'number' && { filters: [body.filters] }) })),
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'pull serves nobody in particular',
    change: asAdmin(asked => at('pull')(asked) && isAnonymous(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'pull serves every user',
    change: asAdmin(asked => at('pull')(asked) && isOther(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'push and pull break where nobody in particular asks',
    change: answering(
      (status, asked) => isPpf(asked) && isAnonymous(asked) && (status === 401 || status === 403),
      refused(500),
    ),
    seen: 'always',
  },
  {
    rule: ['ppf.admin-only', 'ppf.push'],
    description: 'push to groups is denied',
    change: answering(
      (status, asked) => at('push')(asked) && status === 200 && list(fields(asked).groups).length > 0,
      refused(403),
    ),
    seen: 'always',
  },
];

const addresses: readonly OneFault[] = [
  {
    rule: 'address.case-sensitive',
    description: 'isUnique reads its parameters in any case',
    change: {
      request: asked =>
        at('spaces/isUnique', 'POST')(asked)
          ? { path: asked.path.replace(/([?&])spacekey=/i, '$1spaceKey=').replace(/([?&])spacename=/i, '$1spaceName=') }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'push is found in capital letters',
    change: { request: asked => ({ path: asked.path.replace(/\/latest\/push(?=$|\?)/i, '/latest/push') }) },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'a comma too many is skipped',
    change: {
      request: asked =>
        asked.json === undefined && asked.body !== undefined && asked.body.length > 0
          ? {
              body: Buffer.from(asked.body)
                .toString('utf8')
                .replace(/,(?=\s*[\]}])/g, ''),
            }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'push and pull pass what is no JSON over and answer 200',
    change: answering(
      (status, asked) => isPpf(asked) && status === 400 && asked.json === undefined && (asked.body?.length ?? 0) > 2,
      { status: 200, text: '{"success":true,"messages":[]}' },
    ),
    seen: 'always',
  },
  {
    rule: 'address.context-path',
    description: 'push and pull are not below a context path',
    change: answering((_, asked) => /^\/[^/]+\/rest\/cwx-ppf\//.test(asked.path), refused(404)),
    seen: 'always',
  },
  {
    rule: 'address.no-context-path',
    description: 'push and pull are only below a context path',
    change: answering((_, asked) => /^\/rest\/cwx-ppf\//.test(asked.path), refused(404)),
    seen: 'never', // on such a server nothing is served where conform asks
  },
  {
    rule: ['expand.list', 'expand.nested'],
    description: 'push and pull break where names are to be expanded',
    change: answering((_, asked) => isPpf(asked) && /[?&]expand=[^&]/i.test(asked.path), refused(500)),
    seen: 'always',
  },
  {
    rule: 'expand.nested',
    description: 'a name to expand with a dot is not found',
    change: answering((_, asked) => /[?&]expand=[^&]*\./i.test(asked.path), refused(404)),
    seen: 'always',
  },
];

type Blameless = Pick<OneFault, 'description' | 'change'>;

/** Servers that break no rule. */
const blameless: readonly Blameless[] = [
  {
    description: 'every fifth push is answered with 429',
    change: () => ({
      answer: (() => {
        let pushes = 0;
        return (_, asked) => (at('push')(asked) && pushes++ % 5 === 4 ? refused(429) : {});
      })(),
    }),
  },
  {
    description: 'the first request to each operation is answered with 503',
    change: () => ({
      answer: (() => {
        const known = new Set<string>();
        return (_, { place, method }) => {
          const isFirst = place !== '' && !known.has(`${method} ${place}`);
          known.add(`${method} ${place}`);
          return isFirst ? refused(503) : {};
        };
      })(),
    }),
  },
  {
    description: 'one answer in ten is 502, by chance',
    change: () => ({
      answer: (() => {
        let state = 7;
        return () => {
          state = (state * 48271) % 2147483647;
          return state % 10 === 0 ? refused(502) : {};
        };
      })(),
    }),
  },
  {
    description: 'every other pull is answered with 500 although it is done',
    change: () => ({
      answer: (() => {
        let pulls = 0;
        return (_, asked) => (at('pull')(asked) && pulls++ % 2 === 1 ? refused(500) : {});
      })(),
    }),
  },
  {
    description: 'every third replaceInPage is answered with 504',
    change: () => ({
      answer: (() => {
        let asked = 0;
        return (_, request) => (at('spaces/replaceInPage')(request) && asked++ % 3 === 1 ? refused(504) : {});
      })(),
    }),
  },
  {
    description: 'every seventh answer is a page that asks to log in',
    change: answering((_, { count }) => count % 7 === 6, {
      status: 200,
      text: '<html><body>Please log in.</body></html>',
      headers: { 'content-type': 'text/html' },
    }),
  },
  {
    description: 'of several messages only the first is given',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).slice(0, 1) })),
  },
  {
    description: 'the wiki answers 202 for 200',
    change: answering(
      (status, asked) => !isPpf(asked) && asked.place !== '' && asked.place !== 'spaces/isUnique' && status === 200,
      {
        status: 202,
      },
    ),
  },
  {
    description: 'answers have more fields',
    change: reporting(isPpf, body => ({ ...body, duration: 12, version: '4.1' })),
  },
  {
    description: 'errors are pages of HTML',
    change: {
      answer: ({ status }) =>
        status >= 400 ? { text: '<h1>Error</h1>', headers: { 'content-type': 'text/html' } } : {},
    },
  },
  {
    description: 'every fourth request with a body is answered with 408',
    change: () => ({
      answer: (() => {
        let bodies = 0;
        return (_, { body }) => (body !== undefined && bodies++ % 4 === 3 ? refused(408) : {});
      })(),
    }),
  },
  {
    description: 'every fourth isUnique says the opposite',
    change: () => ({
      answer: (() => {
        let asked = 0;
        return ({ status, text }, request) =>
          at('spaces/isUnique', 'POST')(request) && ok(status) && asked++ % 4 === 3
            ? { text: text === 'true' ? 'false' : 'true' }
            : {};
      })(),
    }),
  },
];

const all: readonly OneFault[] = [...groups, ...permissions, ...spaces, ...pushAndPull, ...addresses];
const isOpen = (_: unknown, i: number) => i % 2 === 0;
const isSealed = (_: unknown, i: number) => i % 2 === 1;

export const opened: readonly OneFault[] = all.filter(isOpen);
export const openedBlameless: readonly Blameless[] = blameless.filter(isOpen);
export const sealed: readonly OneFault[] = all.filter(isSealed);
export const sealedBlameless: readonly Blameless[] = blameless.filter(isSealed);
