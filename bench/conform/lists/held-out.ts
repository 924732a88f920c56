// Servers that are correct but for one behaviour, of kinds that proxies.ts does not have: written before conform was changed, and never looked at
// while it is. What is said of them shows whether a diagnosis is a method or a list of known cases.

import {
  answering,
  at,
  everyElement,
  fields,
  isAnonymous,
  isIds,
  isNames,
  isPpf,
  list,
  type OneFault,
  ok,
  refused,
  reporting,
  sending,
} from '../faults.js';

export const heldOut: readonly OneFault[] = [
  {
    rule: 'groups.add-users',
    description: 'add-users changes another group than the one named',
    change: sending(at('groups/add-users'), body =>
      body.group === 'customers' ? { ...body, group: 'team-members' } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'add-users adds the caller as well',
    change: sending(at('groups/add-users'), body =>
      isNames(body.users) && body.users.length > 0 ? { ...body, users: [...body.users, 'admin'] } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'remove-users forgets the last user named',
    change: sending(at('groups/remove-users'), body =>
      isNames(body.users) ? { ...body, users: body.users.slice(0, -1) } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'set-users breaks where nobody is named',
    change: answering(
      (_, asked) =>
        at('groups/set-users')(asked) && isNames(fields(asked).users) && list(fields(asked).users).length === 0,
      refused(500),
    ),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'PUT permissions/edit changes the view permission',
    change: {
      request: asked => (at('permissions/edit', 'PUT')(asked) ? { path: asked.path.replace('/edit/', '/view/') } : {}),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'DELETE permissions/view adds',
    change: { request: asked => (at('permissions/view', 'DELETE')(asked) ? { method: 'PUT' } : {}) },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'permissions/all takes everybody off, whoever is named',
    change: {
      world: (asked, after) =>
        at('permissions/all')(asked)
          ? {
              ...after,
              pages: after.pages.map(page => ({
                ...page,
                edit: { users: page.edit.users.clear(), groups: page.edit.groups.clear() },
                view: { users: page.view.users.clear(), groups: page.view.groups.clear() },
              })),
            }
          : after,
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy',
    description: 'copySpace copies another space',
    change: {
      request: asked =>
        at('spaces/copySpace')(asked) ? { path: asked.path.replace('sourceSpaceKey=tmpl', 'sourceSpaceKey=ds') } : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'copySpace refuses to remove the admin',
    change: answering(
      (status, asked) => at('spaces/copySpace')(asked) && ok(status) && /removeAdminPermissions=true/i.test(asked.path),
      refused(403),
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique answers 204 without a body',
    change: answering((status, asked) => at('spaces/isUnique', 'POST')(asked) && ok(status), { status: 204, text: '' }),
    seen: 'always',
  },
  {
    rule: ['spaces.replace-body', 'spaces.replace-title', 'spaces.replace-list'],
    description: 'replaceInPage takes the new text for the old one',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && Array.isArray(asked.json)
          ? { json: everyElement(asked.json, ({ oldText, newText }) => ({ oldText: newText, newText: oldText })) }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.push',
    description: 'push reaches only the first of several users',
    change: sending(at('push'), body => (isNames(body.users) ? { ...body, users: body.users.slice(0, 1) } : body)),
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'pull takes only the first of several filters',
    change: sending(at('pull'), body => (isIds(body.filters) ? { ...body, filters: body.filters.slice(0, 1) } : body)),
    seen: 'with effects',
  },
  {
    rule: ['ppf.push', 'ppf.success-flag'],
    description: 'push cuts the last letter off the names of users',
    change: sending(at('push'), body =>
      isNames(body.users) ? { ...body, users: body.users.map(name => name.slice(0, -1)) } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'push and pull answer 400 to anonymous callers',
    change: answering(
      (status, asked) => isPpf(asked) && isAnonymous(asked) && (status === 401 || status === 403),
      refused(400),
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'push and pull send a caller who is no admin to a page for logging in',
    change: answering((status, asked) => isPpf(asked) && status === 403 && !isAnonymous(asked), refused(302)),
    seen: 'always',
  },
  {
    rule: ['ppf.failure-message', 'ppf.processed-is-200'],
    description: 'messages are objects',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).map(message => ({ message })) })),
    seen: 'always',
  },
  {
    rule: ['ppf.invalid-is-400', 'ppf.needs-recipient', 'ppf.needs-item'],
    description: 'an invalid request is answered with 200 and success false',
    change: answering((status, asked) => isPpf(asked) && status === 400, {
      status: 200,
      text: '{"success":false,"messages":["The request is invalid."]}',
    }),
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'push and pull read their fields in any case',
    change: sending(isPpf, body =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value])),
    ),
    seen: 'always',
  },
];

/** Servers that break no rule: they fail at random, or do what the document leaves open. */
export const heldOutBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'every other copySpace is answered with 503',
    change: () => ({
      answer: (() => {
        let copies = 0;
        return (_, asked) => (at('spaces/copySpace')(asked) && copies++ % 2 === 0 ? refused(503) : {});
      })(),
    }),
  },
  {
    description: 'groups operations take PUT for POST',
    change: {
      request: asked => (asked.place.startsWith('groups/') && asked.method === 'PUT' ? { method: 'POST' } : {}),
    },
  },
  {
    description: 'messages have other words',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).map((_, i) => `Problem ${i + 1}.`) })),
  },
];
