// A third list of servers that are correct but for one behaviour: what an implementor of each rule may get wrong, written before conform was changed
// for the third time, and run once at the end of that change.

import { removePage } from '../../../server/domain/pages.js';
import { noFavourites } from '../../../server/domain/world.js';
import {
  admin,
  answering,
  asAdmin,
  at,
  callerOf,
  changedPages,
  changingPage,
  everyElement,
  everyField,
  type Fields,
  fields,
  html,
  isAnonymous,
  isGroups,
  isNames,
  isOther,
  isPermissions,
  isPpf,
  json,
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
} from '../faults.js';
import type { Asked } from '../proxied-server.js';

const groups: readonly OneFault[] = [
  {
    rule: 'groups.body',
    description: 'group operations read the field name for group',
    change: sending(isGroups, ({ group: _, name, ...body }) => ({ ...body, group: name })),
    seen: 'always',
  },
  {
    rule: 'groups.body',
    description: 'group may be a list of one name',
    change: sending(isGroups, body => ({ ...body, ...(Array.isArray(body.group) && { group: body.group[0] }) })),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'add-users takes a former member out for each that it puts in',
    change: {
      world: members('groups/add-users', (after, before) => {
        const gone = before.sort().take(after.size - before.size);
        return after.subtract(gone);
      }),
    },
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'remove-users leaves a group its last member',
    change: {
      world: members('groups/remove-users', (after, before) => (after.isEmpty() ? before.sort().take(1) : after)),
    },
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'set-users leaves the members where nobody is named',
    change: {
      world: (asked, _, before) =>
        at('groups/set-users')(asked) && namesIn(fields(asked)).length === 0 ? before : undefined,
    },
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'set-users takes those it names out of the other groups',
    change: {
      world: (asked, after) =>
        at('groups/set-users')(asked)
          ? {
              ...after,
              groups: after.groups.map((own, name) =>
                name === fields(asked).group ? own : own.subtract(namesIn(fields(asked))),
              ),
            }
          : undefined,
    },
    seen: 'always',
  },
];

const permissions: readonly OneFault[] = [
  {
    rule: 'permissions.body',
    description: 'permission operations read groups as users and users as groups',
    change: sending(isPermissions, ({ users, groups: named, ...body }) => ({ ...body, users: named, groups: users })),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'PUT permissions/edit restricts viewing as well',
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
    description: 'DELETE permissions/edit writes the caller in',
    change: {
      world: changingPage(at('permissions/edit', 'DELETE'), after => ({
        ...after,
        edit: { ...after.edit, users: after.edit.users.add('admin') },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'PUT permissions/view changes another page',
    change: {
      request: asked =>
        at('permissions/view', 'PUT')(asked) ? { path: asked.path.replace('/view/65601', '/view/65701') } : {},
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'DELETE permissions/view does nothing where only groups are named',
    change: {
      world: (asked, _, before) =>
        at('permissions/view', 'DELETE')(asked) && namesIn(fields(asked)).length === 0 ? before : undefined,
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'permissions/all takes only those off who are in both permissions',
    change: {
      world: changingPage(at('permissions/all'), (after, { edit, view }) => ({
        ...after,
        edit: {
          users: after.edit.users.union(edit.users.subtract(view.users)),
          groups: after.edit.groups.union(edit.groups.subtract(view.groups)),
        },
        view: {
          users: after.view.users.union(view.users.subtract(edit.users)),
          groups: after.view.groups.union(view.groups.subtract(edit.groups)),
        },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: ['permissions.heading-method', 'permissions.edit-remove'],
    description: 'POST permissions/edit takes everybody off',
    change: {
      world: changingPage(at('permissions/edit', 'POST'), after => ({
        ...after,
        edit: { users: after.edit.users.clear(), groups: after.edit.groups.clear() },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: ['permissions.groups-field', 'permissions.all-remove'],
    description: 'permissions/all refuses the field groups',
    change: answering((_, asked) => at('permissions/all')(asked) && 'groups' in fields(asked), refused(400)),
    seen: 'always',
  },
];

/** The list of replaceInPage up to the first element that is not found. */
function upToMissing({ title, body }: Page, elements: readonly Fields[]): Pick<Page, 'title' | 'body'> {
  let found = { title, body };
  for (const { oldText, newText } of elements) {
    const [from, to] = [String(oldText), String(newText)];
    if (!found.title.includes(from) && !found.body.includes(from)) break;
    found = { title: found.title.replaceAll(from, () => to), body: found.body.replaceAll(from, () => to) };
  }
  return found;
}

const spaces: readonly OneFault[] = [
  {
    rule: 'spaces.sidebar-link',
    description: 'add-sidebar-link refuses a second link with another label',
    change: () => {
      const labels = new Map<unknown, unknown>();
      return answering((status, asked) => {
        const { spaceKey, label } = fields(asked);
        if (!at('spaces/add-sidebar-link')(asked) || !ok(status)) return false;
        if (!labels.has(spaceKey)) labels.set(spaceKey, label);
        return labels.get(spaceKey) !== label;
      }, refused(409));
    },
    seen: 'always',
  },
  {
    rule: 'spaces.sidebar-link',
    description: 'add-sidebar-link puts every link into one space',
    change: sending(at('spaces/add-sidebar-link'), body => ({
      ...body,
      ...(typeof body.spaceKey === 'string' && { spaceKey: 'ds' }),
    })),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'copySpace moves the pages',
    change: {
      world: (asked, after, before) =>
        at('spaces/copySpace')(asked)
          ? [...before.pages].reduce(
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
    description: 'copySpace prefers the fields of a body to its parameters',
    change: {
      request: asked => {
        if (!at('spaces/copySpace')(asked)) return {};
        const query = new URLSearchParams(asked.path.split('?')[1]);
        for (const [name, value] of Object.entries(fields(asked)))
          if (typeof value === 'string') query.set(name, value);
        return { path: `${asked.path.split('?')[0]}?${query}` };
      },
    },
    seen: 'always',
  },
  {
    rule: ['spaces.copy-default-admin', 'spaces.copy'],
    description: 'copySpace makes no space where no admin is named',
    change: {
      world: (asked, _, before) =>
        at('spaces/copySpace')(asked) && parameter('targetSpaceAdmin', asked) === '' ? before : undefined,
    },
    seen: 'always',
  },
  {
    rule: ['spaces.copy-remove-admin', 'spaces.copy'],
    description: 'copySpace copies no pages where the admin is to be removed',
    change: {
      world: (asked, after, before) =>
        at('spaces/copySpace')(asked) && parameter('removeAdminPermissions', asked) === 'true'
          ? { ...after, pages: before.pages, pageIndex: before.pageIndex }
          : undefined,
    },
    seen: 'always',
  },
  {
    rule: ['spaces.copy-keep-metadata', 'spaces.copy'],
    description: 'copySpace calls pages Copy of … where metadata is not to be kept',
    change: {
      world: changedPages('spaces/copySpace', (one, old, asked) =>
        old === undefined && parameter('keepPagesMetadata', asked) === 'false'
          ? { ...one, title: `Copy of ${one.title}` }
          : one,
      ),
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'copySpace keeps metadata where it should not, and not where it should',
    change: {
      request: asked =>
        at('spaces/copySpace')(asked)
          ? {
              path: asked.path.replace(/keepPagesMetadata=(true|false)/i, (_, told: string) =>
                /true/i.test(told) ? 'keepPagesMetadata=false' : 'keepPagesMetadata=true',
              ),
            }
          : {},
    },
    seen: 'never', // no answer of a documented operation has authors or dates
  },
  {
    rule: 'spaces.is-unique',
    description: 'isUnique repeats the first answer that it has given of a key and name',
    change: () => {
      const told = new Map<string, string>();
      return {
        answer: ({ status, text }, asked) => {
          if (!at('spaces/isUnique', 'POST')(asked) || !ok(status)) return {};
          const [, query = ''] = asked.path.split('?');
          if (!told.has(query)) told.set(query, text);
          return { text: told.get(query) ?? text };
        },
      };
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'replaceInPage stops at the first text that it does not find',
    change: {
      world: changedPages('spaces/replaceInPage', (one, old, asked) =>
        old === undefined
          ? one
          : {
              ...one,
              ...upToMissing(
                old,
                list(asked.json).map(element => fields({ json: element })),
              ),
            },
      ),
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'replaceInPage applies its list from the end',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && Array.isArray(asked.json) ? { json: [...asked.json].reverse() } : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-body',
    description: 'replaceInPage leaves nothing of a body but the new text',
    change: {
      world: changedPages('spaces/replaceInPage', (one, old, asked) =>
        old === undefined || old.body === one.body
          ? one
          : { ...one, body: String(fields({ json: list(asked.json).at(-1) }).newText) },
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-title',
    description: 'replaceInPage writes a title that it changes in small letters',
    change: {
      world: changedPages('spaces/replaceInPage', (one, old) =>
        old === undefined || old.title === one.title ? one : { ...one, title: one.title.toLowerCase() },
      ),
    },
    seen: 'always',
  },
];

const pushAndPull: readonly OneFault[] = [
  {
    rule: 'ppf.push',
    description: 'push takes the other favourites away',
    change: {
      world: (asked, after, before) =>
        at('push')(asked)
          ? {
              ...after,
              favourites: after.favourites.map((own, user) => {
                const old = before.favourites.get(user);
                return old === undefined || old === own
                  ? own
                  : {
                      filters: own.filters.subtract(old.filters),
                      dashboards: own.dashboards.subtract(old.dashboards),
                    };
              }),
            }
          : undefined,
    },
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'pull takes all favourites away',
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
  {
    rule: 'ppf.body-types',
    description: 'ids with a fraction are rounded',
    change: sending(isPpf, body =>
      everyField(body, value =>
        Array.isArray(value) ? value.map(one => (typeof one === 'number' ? Math.trunc(one) : one)) : value,
      ),
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'pull refuses groups alone',
    change: answering(
      (status, asked) => at('pull')(asked) && status === 200 && list(fields(asked).users).length === 0,
      refused(400),
    ),
    seen: 'always',
  },
  {
    rule: ['ppf.needs-recipient', 'ppf.needs-item', 'ppf.invalid-is-400'],
    description: 'an empty body is served',
    change: answering(
      (status, asked) =>
        isPpf(asked) && status === 400 && asked.json !== undefined && Object.keys(fields(asked)).length === 0,
      { status: 200, text: '{"success":true,"messages":[]}' },
    ),
    seen: 'always',
  },
  {
    rule: ['ppf.needs-item', 'ppf.invalid-is-400'],
    description: 'push answers 200 and success false where no item is named',
    change: answering(
      (status, asked) =>
        at('push')(asked) &&
        status === 400 &&
        isNames(fields(asked).users) &&
        namesIn(fields(asked)).length > 0 &&
        fields(asked).filters === undefined &&
        fields(asked).dashboards === undefined,
      { status: 200, text: '{"success":false,"messages":["There is nothing to push."]}' },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'an invalid request is 403',
    change: answering((status, asked) => isPpf(asked) && status === 400, refused(403)),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'push to groups is answered with 202',
    change: answering((status, asked) => at('push')(asked) && status === 200 && list(fields(asked).groups).length > 0, {
      status: 202,
    }),
    seen: 'always',
  },
  {
    rule: ['ppf.processed-is-200', 'ppf.success-flag', 'ppf.failure-message'],
    description: 'the answer of pull stands in a field data',
    change: {
      answer: ({ status, text }, asked) => (at('pull')(asked) && status === 200 ? { json: { data: json(text) } } : {}),
    },
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is the opposite',
    change: reporting(isPpf, body => ({ ...body, success: body.success === false })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is true where several users are named',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 200 && namesIn(fields(asked)).length > 1
          ? { json: { ...json(text), success: true } }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'messages are empty texts',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).map(() => '') })),
    seen: 'always',
  },
  {
    rule: ['ppf.failure-message', 'ppf.processed-is-200'],
    description: 'messages are numbers',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).map((_, i) => 100 + i) })),
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'push and pull look at no password',
    change: asAdmin(asked => isPpf(asked) && callerOf(asked) === 'admin'),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'push serves whoever asks for himself alone',
    change: asAdmin(
      asked =>
        at('push')(asked) &&
        !isAnonymous(asked) &&
        namesIn(fields(asked)).every(name => name === callerOf(asked)) &&
        namesIn(fields(asked)).length === 1 &&
        fields(asked).groups === undefined,
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'a caller who is no admin gets 403 and is served none the less',
    change: {
      request: asked => (isPpf(asked) && isOther(asked) ? admin(asked) : {}),
      answer: (_, asked) => (isPpf(asked) && isOther(asked) ? refused(403) : {}),
    },
    seen: 'with effects',
  },
  {
    rule: ['ppf.licensed-only', 'ppf.admin-only', 'ppf.pull'],
    description: 'pull answers 403 as if there were no licence',
    change: answering((status, asked) => at('pull')(asked) && status === 200, refused(403)),
    seen: 'always',
  },
];

const addresses: readonly OneFault[] = [
  {
    rule: 'address.context-path',
    description: 'below a context path push and pull lose their body',
    change: { request: asked => (/^\/[^/]+\/rest\/cwx-ppf\//.test(asked.path) ? { body: '' } : {}) },
    seen: 'always',
  },
  {
    rule: ['address.no-context-path', 'address.ppf-path', 'ppf.pull'],
    description: 'pull is only below a context path',
    change: answering((_, asked) => /^\/rest\/cwx-ppf\/latest\/pull/.test(asked.path), refused(404)),
    seen: 'always',
  },
  {
    rule: 'address.extension-path',
    description: 'the operations on spaces have moved for good',
    change: answering((_, { place }) => place.startsWith('spaces/'), refused(308)),
    seen: 'always',
  },
  {
    rule: 'address.ppf-path',
    description: 'push and pull have a number in place of latest',
    change: {
      request: asked => ({ path: asked.path.replace('/cwx-ppf/1.0/', '/cwx-ppf/latest/') }),
      answer: (_, asked) => (/\/cwx-ppf\/latest\//.test(asked.path) ? refused(404) : {}),
    },
    seen: 'always',
  },
  {
    rule: ['address.json-bodies', 'ppf.processed-is-200'],
    description: 'push and pull answer their JSON as plain text',
    change: answering((status, asked) => isPpf(asked) && status === 200, { headers: { 'content-type': 'text/plain' } }),
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'letters beyond ASCII in a body become question marks',
    change: {
      request: asked =>
        asked.json === undefined
          ? {}
          : {
              body: Buffer.from(asked.body ?? '')
                .toString('utf8')
                .replace(/[^\x20-\x7e\s]/gu, '?'),
            },
    },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'copySpace and replaceInPage are found in small letters',
    change: {
      request: asked => ({
        path: asked.path
          .replace('/spaces/copyspace', '/spaces/copySpace')
          .replace('/spaces/replaceinpage', '/spaces/replaceInPage'),
      }),
    },
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'replaceInPage reads the fields of its elements in any case',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && Array.isArray(asked.json)
          ? {
              json: everyElement(asked.json, element =>
                Object.fromEntries(
                  Object.entries(element).map(([name, value]) => [
                    { oldtext: 'oldText', newtext: 'newText' }[name.toLowerCase()] ?? name,
                    value,
                  ]),
                ),
              ),
            }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'expand.list',
    description: 'a list of names to expand empties the answer of push',
    change: answering(
      (status, asked) => at('push')(asked) && status === 200 && /[?&]expand=[^&]*(?:,|%2C)/i.test(asked.path),
      { text: '{}' },
    ),
    seen: 'always',
  },
  {
    rule: 'expand.nested',
    description: 'push does nothing where a name to expand has a dot',
    change: {
      world: (asked, _, before) => (at('push')(asked) && /[?&]expand=[^&]*\./i.test(asked.path) ? before : undefined),
    },
    seen: 'with effects',
  },
];

export const unseen: readonly OneFault[] = [...groups, ...permissions, ...spaces, ...pushAndPull, ...addresses];

const isWiki = (asked: Asked) => asked.place !== '' && !isPpf(asked);
const trimmed = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim() : Array.isArray(value) ? value.map(trimmed) : value;

/** Servers that break no rule: they are odd where the document is silent, or fail at times. */
export const unseenBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'the wiki answers with what was sent',
    change: {
      answer: ({ status }, asked) =>
        isWiki(asked) && !at('spaces/isUnique')(asked) && status === 200 ? { json: { done: asked.json ?? null } } : {},
    },
  },
  {
    description: 'the wiki refuses everything with 422',
    change: answering(
      (status, asked) => isWiki(asked) && (status === 400 || status === 404 || status === 409),
      refused(422),
    ),
  },
  {
    description: 'what the wiki does not know is forbidden',
    change: answering((status, asked) => isWiki(asked) && status === 404, refused(403)),
  },
  {
    description: 'messages say what was done as well',
    change: reporting(isPpf, body => ({ ...body, messages: [...list(body.messages), 'The request was processed.'] })),
  },
  {
    description: 'names and texts in bodies are trimmed',
    change: sending(
      asked => isGroups(asked) || isPermissions(asked) || isPpf(asked),
      body => everyField(body, trimmed),
    ),
  },
  {
    description: 'one answer in eight is 500 although it is done, by chance',
    change: () => {
      let state = 11;
      return {
        answer: () => {
          state = (state * 48271) % 2147483647;
          return state % 8 === 0 ? refused(500) : {};
        },
      };
    },
  },
  {
    description: 'forty requests meet a server that is being restarted',
    change: answering((_, { count }) => count >= 300 && count < 340, { status: 503, ...html('<h1>Restarting</h1>') }),
  },
  {
    description: 'add-users answers 207 where one of several is a member already',
    change: () => {
      const known = new Set<unknown>();
      return answering(
        (status, asked) => {
          if (!at('groups/add-users')(asked) || !ok(status)) return false;
          const isPartial = namesIn(fields(asked)).some(name => known.has(`${fields(asked).group} ${name}`));
          for (const name of namesIn(fields(asked))) known.add(`${fields(asked).group} ${name}`);
          return isPartial;
        },
        { status: 207, text: '' },
      );
    },
  },
];
