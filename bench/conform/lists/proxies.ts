// Servers that are correct but for one behaviour, each as a small change of what a correct one is asked or answers. Data: a proxy asks nobody.
import {
  answering,
  asAdmin,
  at,
  changingPage,
  type Fields,
  fields,
  isAnonymous,
  isIds,
  isNames,
  isOther,
  isPpf,
  json,
  list,
  members,
  type OneFault,
  ok,
  refused,
  reporting,
  sending,
  without,
} from '../faults.js';

const areLists = (body: Fields) => Object.values(body).every(Array.isArray);
const strings = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(one => (/^\d+$/.test(String(one)) ? Number(one) : one)) : value;

const groups: readonly OneFault[] = [
  ...(['add-users', 'remove-users', 'set-users'] as const).map(
    (what): OneFault => ({
      rule: `groups.${what}`,
      description: `groups/${what} does nothing`,
      change: without(at(`groups/${what}`)),
      seen: 'always',
    }),
  ),
  {
    rule: 'groups.add-users',
    description: 'add-users replaces the members',
    change: { request: asked => (at('groups/add-users')(asked) ? { path: asked.path.replace('add-', 'set-') } : {}) },
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'add-users takes only the first user',
    change: sending(at('groups/add-users'), body =>
      isNames(body.users) ? { ...body, users: body.users.slice(0, 1) } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'set-users only adds',
    change: { request: asked => (at('groups/set-users')(asked) ? { path: asked.path.replace('set-', 'add-') } : {}) },
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'remove-users empties the group',
    change: {
      world: members('groups/remove-users', own => own.clear()),
    },
    seen: 'always',
  },
  {
    rule: 'groups.body',
    description: 'group operations take a number for a user',
    change: sending(
      ({ place }) => place.startsWith('groups/'),
      body => ({
        ...body,
        ...(Array.isArray(body.users) && { users: body.users.map(one => (typeof one === 'number' ? 'alice' : one)) }),
      }),
    ),
    seen: 'always',
  },
  {
    rule: 'groups.body',
    description: 'users may be one text instead of a list',
    change: sending(
      ({ place }) => place.startsWith('groups/'),
      body => ({ ...body, ...(typeof body.users === 'string' && { users: [body.users] }) }),
    ),
    seen: 'always',
  },
];

const permissions: readonly OneFault[] = [
  ...(['edit', 'view'] as const).flatMap((which): OneFault[] => [
    {
      rule: `permissions.${which}-add`,
      description: `PUT permissions/${which} does nothing`,
      change: without(at(`permissions/${which}`, 'PUT')),
      seen: 'with effects',
    },
    {
      rule: `permissions.${which}-remove`,
      description: `DELETE permissions/${which} does nothing`,
      change: without(asked => at(`permissions/${which}`)(asked) && asked.method !== 'PUT'),
      seen: 'with effects',
    },
    {
      rule: `permissions.${which}-add`,
      description: `PUT permissions/${which} passes groups over`,
      change: sending(at(`permissions/${which}`, 'PUT'), body =>
        isNames(body.groups) && isNames(body.users) && body.users.length > 0 ? { ...body, groups: [] } : body,
      ),
      seen: 'with effects',
    },
    {
      rule: `permissions.${which}-remove`,
      description: `DELETE permissions/${which} passes users over where groups are named`,
      change: sending(at(`permissions/${which}`, 'DELETE'), body =>
        isNames(body.groups) && body.groups.length > 0 && isNames(body.users) ? { ...body, users: [] } : body,
      ),
      seen: 'with effects',
    },
    {
      // POST still adds to the view permission: what is missing there is the method of the request line
      rule: [
        `permissions.${which}-add`,
        'address.extension-path',
        ...(which === 'view' ? ['permissions.heading-method'] : []),
      ],
      description: `PUT permissions/${which} is not there`,
      change: answering((_, asked) => at(`permissions/${which}`, 'PUT')(asked), refused(405)),
      seen: 'always',
    },
  ]),
  {
    rule: 'permissions.view-remove',
    description: 'DELETE permissions/view takes the edit permission away as well',
    change: {
      world: changingPage(at('permissions/view', 'DELETE'), after => ({
        ...after,
        edit: { users: after.edit.users.clear(), groups: after.edit.groups.clear() },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'permissions/all does nothing',
    change: without(at('permissions/all')),
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'permissions/all leaves the view permission',
    change: { world: changingPage(at('permissions/all'), (after, before) => ({ ...after, view: before.view })) },
    seen: 'with effects',
  },
  {
    rule: ['permissions.groups-field', 'permissions.all-remove'],
    description: 'permissions/all does not read groups',
    change: sending(at('permissions/all', 'DELETE'), body => (isNames(body.groups) ? { ...body, groups: [] } : body)),
    seen: 'with effects',
  },
  {
    rule: [
      'address.json-bodies',
      'permissions.body',
      'permissions.edit-remove',
      'permissions.view-remove',
      'permissions.all-remove',
    ],
    description: 'DELETE loses its body',
    change: { request: asked => (asked.method === 'DELETE' ? { body: '' } : {}) },
    seen: 'always',
  },
  {
    rule: 'permissions.body',
    description: 'users of a permission may be one text',
    change: sending(
      ({ place }) => place.startsWith('permissions/'),
      body => ({ ...body, ...(typeof body.users === 'string' && { users: [body.users] }) }),
    ),
    seen: 'always',
  },
  {
    rule: 'permissions.heading-method',
    description: 'POST permissions/edit adds',
    change: { request: asked => (at('permissions/edit', 'POST')(asked) ? { method: 'PUT' } : {}) },
    seen: 'with effects',
  },
];

const spaces: readonly OneFault[] = [
  {
    rule: 'spaces.sidebar-link',
    description: 'add-sidebar-link does nothing',
    change: without(at('spaces/add-sidebar-link')),
    seen: 'never', // links are not refused twice: sidebar-duplicate=append says the same
  },
  {
    rule: ['spaces.sidebar-link', 'address.extension-path'],
    description: 'add-sidebar-link is not there',
    change: answering((_, asked) => at('spaces/add-sidebar-link')(asked), refused(404)),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'copySpace makes no space',
    change: without(at('spaces/copySpace')),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'copySpace makes a space without pages',
    change: {
      world: (asked, after, before) => (at('spaces/copySpace')(asked) ? { ...before, spaces: after.spaces } : after),
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'copySpace gives the title of the source',
    change: {
      request: asked =>
        at('spaces/copySpace')(asked)
          ? { path: asked.path.replace(/targetSpaceTitle=[^&]*/, 'targetSpaceTitle=Template%20Space') }
          : {},
    },
    seen: 'never', // nobody finds a space by its title: is-unique-match=key-only says the same
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'copySpace asks for a JSON body',
    change: answering((_, asked) => at('spaces/copySpace')(asked) && asked.json === undefined, refused(415)),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'copySpace refuses an empty admin',
    change: answering(
      (_, asked) => at('spaces/copySpace')(asked) && /targetSpaceAdmin=(&|$)/.test(asked.path),
      refused(400),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'copySpace breaks where the admin is to be removed',
    change: answering(
      (_, asked) => at('spaces/copySpace')(asked) && /removeAdminPermissions=true/i.test(asked.path),
      refused(500),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'copySpace breaks where metadata is not to be kept',
    change: answering(
      (_, asked) => at('spaces/copySpace')(asked) && /keepPagesMetadata=false/i.test(asked.path),
      refused(500),
    ),
    seen: 'always',
  },
  ...[true, false].map(
    (told): OneFault => ({
      rule: 'spaces.is-unique',
      description: `isUnique always answers ${told}`,
      change: answering((status, asked) => at('spaces/isUnique', 'POST')(asked) && ok(status), { text: String(told) }),
      seen: 'always',
    }),
  ),
  {
    rule: 'spaces.is-unique',
    description: 'isUnique reads no name',
    change: {
      request: asked =>
        at('spaces/isUnique')(asked)
          ? { path: asked.path.replace(/spaceName=[^&]+/, 'spaceName=Nobody%20has%20it') }
          : {},
    },
    seen: 'never', // is-unique-match=key-only says the same
  },
  {
    rule: ['spaces.replace-body', 'spaces.replace-title'],
    description: 'replaceInPage does nothing',
    change: without(at('spaces/replaceInPage')),
    seen: 'always',
  },
  {
    rule: 'spaces.replace-title',
    description: 'replaceInPage leaves the title',
    change: {
      world: (asked, after, before) =>
        at('spaces/replaceInPage')(asked)
          ? {
              ...after,
              pages: after.pages.map((own, id) => ({ ...own, title: before.pages.get(id)?.title ?? own.title })),
              pageIndex: before.pageIndex,
            }
          : after,
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-body',
    description: 'replaceInPage leaves the body',
    change: {
      world: (asked, after, before) =>
        at('spaces/replaceInPage')(asked)
          ? {
              ...after,
              pages: after.pages.map((own, id) => ({ ...own, body: before.pages.get(id)?.body ?? own.body })),
            }
          : after,
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-list',
    description: 'replaceInPage takes one element without its list',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && Object.keys(fields(asked)).length > 0 ? { json: [asked.json] } : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'replaceInPage reads only the first element',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && list(asked.json).length > 1 ? { json: list(asked.json).slice(0, 1) } : {},
    },
    seen: 'always',
  },
];

const pushAndPull: readonly OneFault[] = [
  ...(['push', 'pull'] as const).flatMap((which): OneFault[] => [
    {
      rule: `ppf.${which}`,
      description: `${which} does nothing`,
      change: without(at(which)),
      seen: 'with effects',
    },
    {
      rule: 'ppf.processed-is-200',
      description: `${which} answers 201 for 200`,
      change: answering((status, asked) => at(which)(asked) && status === 200, { status: 201 }),
      seen: 'always',
    },
    {
      rule: `ppf.${which}`,
      description: `${which} ignores the groups where users are named too`,
      change: sending(at(which), body =>
        isNames(body.users) && body.users.length > 0 && isNames(body.groups) ? { ...body, groups: undefined } : body,
      ),
      seen: 'with effects',
    },
    {
      rule: `ppf.${which}`,
      description: `${which} leaves dashboards out where there are filters`,
      change: sending(at(which), body =>
        isIds(body.filters) && body.filters.length > 0 && isIds(body.dashboards)
          ? { ...body, dashboards: undefined }
          : body,
      ),
      seen: 'with effects',
    },
    {
      rule: [`ppf.${which}`, 'address.ppf-path'],
      description: `${which} is not there`,
      change: answering((_, asked) => at(which)(asked), refused(404)),
      seen: 'always',
    },
  ]),
  {
    rule: 'ppf.success-flag',
    description: 'success is always true',
    change: reporting(isPpf, body => ({ ...body, success: true })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is a text',
    change: reporting(isPpf, body => ({ ...body, success: String(body.success) })),
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'there are no messages',
    change: reporting(isPpf, body => ({ ...body, messages: [] })),
    seen: 'always',
  },
  {
    rule: ['ppf.processed-is-200', 'ppf.failure-message'],
    description: 'messages are left out where there are none',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 200 && list(json(text).messages).length === 0
          ? { json: { success: json(text).success } }
          : {},
    },
    seen: 'always',
  },
  {
    rule: ['ppf.processed-is-200', 'ppf.success-flag'],
    description: 'an unknown user is answered with 404',
    change: answering(
      (status, asked) =>
        isPpf(asked) && status === 200 && list(fields(asked).users).some(one => /nobody|bob/.test(String(one))),
      refused(404),
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'nobody need be named',
    change: answering(
      (status, asked) =>
        isPpf(asked) &&
        status === 400 &&
        areLists(fields(asked)) &&
        list(fields(asked).users).length + list(fields(asked).groups).length === 0 &&
        asked.json !== undefined &&
        list(fields(asked).filters).length + list(fields(asked).dashboards).length > 0,
      { status: 200, text: '{"success":true,"messages":[]}' },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'users and groups have to be named both',
    change: answering(
      (status, asked) =>
        isPpf(asked) &&
        status === 200 &&
        (list(fields(asked).users).length === 0 || list(fields(asked).groups).length === 0),
      refused(400),
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-item',
    description: 'nothing need be named',
    change: answering(
      (status, asked) =>
        isPpf(asked) &&
        status === 400 &&
        asked.json !== undefined &&
        areLists(fields(asked)) &&
        list(fields(asked).filters).length + list(fields(asked).dashboards).length === 0 &&
        list(fields(asked).users).length + list(fields(asked).groups).length > 0,
      { status: 200, text: '{"success":true,"messages":[]}' },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'an invalid request is 422',
    change: answering((status, asked) => isPpf(asked) && status === 400, refused(422)),
    seen: 'always',
  },
  {
    rule: 'ppf.body-types',
    description: 'ids may be texts',
    change: sending(isPpf, body => ({
      ...body,
      ...(body.filters !== undefined && { filters: strings(body.filters) }),
      ...(body.dashboards !== undefined && { dashboards: strings(body.dashboards) }),
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.body-types',
    description: 'users may be one text',
    change: sending(isPpf, body => ({ ...body, ...(typeof body.users === 'string' && { users: [body.users] }) })),
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'push and pull serve nobody in particular',
    change: asAdmin(asked => isPpf(asked) && isAnonymous(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'push and pull serve every user',
    change: asAdmin(asked => isPpf(asked) && isOther(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'a caller who is no admin gets 404',
    change: answering(
      (status, asked) => isPpf(asked) && status === 403 && /^Basic /.test(asked.headers.Authorization ?? ''),
      refused(404),
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.licensed-only',
    description: 'push and pull ask for no licence',
    change: {},
    seen: 'never',
  },
];

const addresses: readonly OneFault[] = [
  {
    rule: 'address.extension-path',
    description: 'the wiki answers without latest',
    change: {
      request: asked => ({
        path: asked.path.replace(/\/cwxapiextension\/(groups|spaces|permissions)/, '/cwxapiextension/latest/$1'),
      }),
    },
    seen: 'always',
  },
  {
    rule: 'address.ppf-path',
    description: 'push and pull answer without latest',
    change: { request: asked => ({ path: asked.path.replace(/\/cwx-ppf\/(push|pull)/, '/cwx-ppf/latest/$1') }) },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'paths are found in small letters',
    change: {
      request: asked => ({
        path: asked.path.replace(
          /(\/latest\/)(push|pull|groups\/[^/?]+)/i,
          (_, latest: string, rest: string) => latest.toLowerCase() + rest.toLowerCase(),
        ),
      }),
    },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'fields are found in any case',
    change: {
      request: asked => {
        const found = Object.entries(fields(asked));
        return found.length === 0
          ? {}
          : {
              json: Object.fromEntries(
                found.map(([name, value]) => [
                  name.toLowerCase() === 'spacekey' ? 'spaceKey' : name.toLowerCase(),
                  value,
                ]),
              ),
            };
      },
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'a body that is no JSON counts as empty',
    change: {
      request: asked =>
        asked.body !== undefined &&
        asked.json === undefined &&
        asked.body.length > 0 &&
        asked.place.startsWith('groups')
          ? { body: '{"group":"customers","users":["alice"]}' }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'application/json with a charset is refused',
    change: answering(
      (_, asked) =>
        Object.entries(asked.headers).some(
          ([name, value]) => name.toLowerCase() === 'content-type' && /charset/i.test(value),
        ),
      refused(415),
    ),
    seen: 'always',
  },
  {
    rule: ['address.context-path', 'address.no-context-path'],
    description: 'any number of segments may come before /rest',
    change: {
      request: asked => ({ path: asked.path.replace(/^(?:\/[^/]+){2,}(?=\/rest\/(?:cwxapiextension|cwx-ppf)\/)/, '') }),
    },
    seen: 'always',
  },
  {
    rule: ['expand.list'],
    description: 'a list of names to expand is refused',
    change: answering((_, asked) => /[?&]expand=[^&]*(?:,|%2C)/i.test(asked.path), refused(400)),
    seen: 'always',
  },
  {
    rule: ['expand.nested'],
    description: 'a name to expand with a dot breaks it',
    change: answering((_, asked) => /[?&]expand=[^&,]*\.[^&,]*(?:&|$)/i.test(asked.path), refused(500)),
    seen: 'always',
  },
];

/** Servers that fail now and then: no rule of theirs is broken. */
export const unstable: readonly Omit<OneFault, 'rule' | 'seen'>[] = [
  {
    description: 'every third answer is 503',
    change: answering((_, { count }) => count % 3 === 2, refused(503)),
  },
  {
    description: 'one answer in a hundred is 500',
    change: answering((_, { count }) => count % 100 === 57, refused(500)),
  },
];

export const proxies: readonly OneFault[] = [...groups, ...permissions, ...spaces, ...pushAndPull, ...addresses];
