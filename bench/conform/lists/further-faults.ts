// A list of servers that are correct but for one behaviour, at least one for each operation: written before the diagnosis was mended for the list
// before it, by somebody who knew the diagnosis and not the suite, and not looked at while it was.

import { type Favourites, favouritesOf } from '../../../server/domain/world.js';
import {
  answering,
  at,
  callerOf,
  changedPages,
  changingPage,
  everyElement,
  fields,
  isIds,
  isPpf,
  list,
  members,
  namesIn,
  type OneFault,
  parameter,
  refused,
  reporting,
  sending,
  without,
} from '../faults.js';
import type { Asked, Change } from '../proxied-server.js';

const isFilled = (value: unknown) => list(value).length > 0;
const has = (name: string) => (asked: Asked) => isFilled(fields(asked)[name]);
const isTwice = (value: unknown) => new Set(list(value)).size < list(value).length;
/** These requests are refused, and nothing comes of them. */
const refusing = (isMeant: (asked: Asked) => boolean, status: number): Change => ({
  ...answering((_, asked) => isMeant(asked), refused(status)),
  ...without(isMeant),
});

export const further: readonly OneFault[] = [
  {
    rule: 'groups.add-users',
    description: 'a group takes no more than two members',
    change: { world: members('groups/add-users', (after, before) => (after.size > 2 ? before : after)) },
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'the caller leaves the group, not those who are named',
    change: sending(at('groups/remove-users'), (some, asked) => ({ ...some, users: [callerOf(asked)] })),
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'the former members stay where several are set',
    change: {
      world: (asked, after, before) =>
        namesIn(fields(asked)).length > 1
          ? members('groups/set-users', (own, old) => own.union(old))(asked, after, before)
          : undefined,
    },
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'users are taken for groups, and groups for users',
    change: sending(at('permissions/edit', 'PUT'), some => ({ ...some, users: some.groups, groups: some.users })),
    seen: 'with effects',
  },
  {
    rule: 'permissions.edit-remove',
    description: 'the users stay where groups are removed too',
    change: sending(at('permissions/edit', 'DELETE'), some => (isFilled(some.groups) ? { ...some, users: [] } : some)),
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'a name given twice is a server error',
    change: refusing(
      asked => at('permissions/view', 'PUT')(asked) && (isTwice(fields(asked).users) || isTwice(fields(asked).groups)),
      500,
    ),
    seen: 'always',
  },
  {
    rule: 'permissions.view-remove',
    description: 'nothing is removed where no groups are named',
    change: without(asked => at('permissions/view', 'DELETE')(asked) && !has('groups')(asked)),
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'all restrictions of the page are removed',
    change: {
      world: changingPage(
        ({ place }) => place === 'permissions/all',
        page => ({
          ...page,
          edit: { users: page.edit.users.clear(), groups: page.edit.groups.clear() },
          view: { users: page.view.users.clear(), groups: page.view.groups.clear() },
        }),
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.sidebar-link',
    description: 'a link without a page of this server is not added',
    change: without(asked => at('spaces/add-sidebar-link')(asked) && /^https?:/.test(String(fields(asked).url))),
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy',
    description: 'the copy has the name of its source',
    change: {
      world: (asked, after, before) => {
        const name = before.spaces.get(parameter('sourceSpaceKey', asked) ?? '')?.name;
        if (!at('spaces/copySpace')(asked) || name === undefined) return undefined;
        return {
          ...after,
          spaces: after.spaces.map((space, key) => (before.spaces.has(key) ? space : { ...space, name })),
        };
      },
    },
    seen: 'always',
  },
  {
    rule: ['spaces.is-unique', 'address.json-bodies'],
    description: 'isUnique reads a name up to the first space',
    change: {
      request: asked => {
        if (!at('spaces/isUnique')(asked)) return {};
        return { path: asked.path.replace(/(spaceName=[^&]*?)(?:%20|\+)[^&]*/i, '$1') };
      },
    },
    seen: 'always',
  },
  {
    rule: ['spaces.replace-body', 'spaces.replace-title'],
    description: 'the new text gets a capital letter where it begins with a small one',
    change: sending(at('spaces/replaceInPage'), (_, { json }) =>
      everyElement(json, one => ({
        ...one,
        newText: String(one.newText).slice(0, 1).toUpperCase() + String(one.newText).slice(1),
      })),
    ),
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-title',
    description: 'a title takes no letters beyond ASCII',
    change: {
      world: changedPages('spaces/replaceInPage', (page, old) => ({
        ...page,
        title: /^[\x20-\x7e]*$/.test(page.title) ? page.title : (old ?? page).title,
      })),
    },
    seen: 'always',
  },
  {
    rule: 'ppf.push',
    description: 'who comes after a user who cannot be found gets nothing',
    change: {
      world: (asked, after, before) => {
        const users = namesIn(fields(asked));
        const unknown = users.findIndex(user => !before.users.has(user));
        if (!at('push')(asked) || unknown < 0) return undefined;
        const late = users.slice(unknown);
        return {
          ...after,
          favourites: after.favourites.map((own, user) => (late.includes(user) ? favouritesOf(before, user) : own)),
        };
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'a pull of filters takes all filters',
    change: {
      world: (asked, after) => {
        if (!at('pull')(asked) || !isFilled(fields(asked).filters)) return undefined;
        const users = namesIn(fields(asked));
        const without = (own: Favourites) => ({ ...own, filters: own.filters.clear() });
        return {
          ...after,
          favourites: after.favourites.map((own, user) => (users.includes(user) ? without(own) : own)),
        };
      },
    },
    seen: 'with effects',
  },
  {
    rule: 'address.json-bodies',
    description: 'a character set beside application/json is not understood',
    change: refusing(
      asked => /charset/i.test(asked.headers['Content-Type'] ?? asked.headers['content-type'] ?? ''),
      415,
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-item',
    description: 'an empty list of filters is refused although there are dashboards',
    change: refusing(asked => {
      const { filters, dashboards } = fields(asked);
      return isPpf(asked) && isIds(filters) && filters.length === 0 && isFilled(dashboards);
    }, 400),
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'messages are objects with a text',
    change: reporting(isPpf, body => ({ ...body, messages: list(body.messages).map(text => ({ text })) })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'only what cannot be found among users makes success false',
    change: reporting(isPpf, (body, asked) => ({ ...body, success: body.success === true || !has('users')(asked) })),
    seen: 'always',
  },
];
