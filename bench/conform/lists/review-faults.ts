// Faults by a reviewer who read the document sentence by sentence, without knowing how conform works.
import { removePage } from '../../../server/domain/pages.js';
import { noFavourites, type World } from '../../../server/domain/world.js';
import {
  answering,
  asAdmin,
  at,
  callerOf,
  changedPages,
  changingPage,
  type Fields,
  fields,
  headerOf,
  isGroups,
  isIds,
  isKnownOther,
  isNames,
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
  refused,
  reporting,
  sending,
  without,
} from '../faults.js';
import type { Asked, Change } from '../proxied-server.js';

const isSpaces = ({ place }: Asked) => place.startsWith('spaces/');
const isWiki = (asked: Asked) => isGroups(asked) || isPermissions(asked) || isSpaces(asked);
const isBelowContext = ({ path }: Asked) => !/^\/(rest|cwxapiextension)\//.test(path);
/** There is nothing at the paths of these requests. */
const nowhere = (isMeant: (asked: Asked) => boolean): Change => ({
  request: asked => (isMeant(asked) ? { path: asked.path.replace('/latest/', '/nowhere/') } : {}),
});
/** Some requests are served at another path only. */
const movedTo = (from: string, to: string): Change => ({
  request: ({ path }) => ({
    path: path.includes(to) ? path.replace(to, from) : path.replace(from, from.replace(/latest|cwx-ppf/, 'nowhere')),
  }),
});
/** Other parameters in the query. */
const asking = (
  isMeant: (asked: Asked) => boolean,
  change: (query: URLSearchParams, asked: Asked) => void,
): Change => ({
  request: asked => {
    const [path = '', text] = asked.path.split('?');
    if (!isMeant(asked) || text === undefined) return {};
    const query = new URLSearchParams(text);
    change(query, asked);
    return { path: `${path}?${query}` };
  },
});
/** Other names to expand. */
const expanding = (change: (names: readonly string[]) => readonly string[]): Change =>
  asking(
    asked => asked.place === '' && (parameter('expand', asked) ?? '') !== '',
    query => query.set('expand', change((query.get('expand') ?? '').split(',')).join(',')),
  );
const isRemoving = (place: string) => (asked: Asked) => asked.place === place && asked.method !== 'PUT';
const groupsIn = ({ groups }: Fields) => (isNames(groups) ? groups : []);
const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);
const lacksRecipient = ({ users, groups }: Fields) => isEmpty(users) && isEmpty(groups);
const lacksItem = ({ filters, dashboards }: Fields) => isEmpty(filters) && isEmpty(dashboards);
const isLacking = (asked: Asked) =>
  isPpf(asked) && asked.json !== undefined && (lacksRecipient(fields(asked)) || lacksItem(fields(asked)));
const lastNewText = ({ json: sent }: Asked) => String(fields({ json: list(sent).at(-1) }).newText);
const UNKNOWN_USER = /(find|such) user/;
const unknownUsers = ({ messages }: Fields) => list(messages).filter(one => UNKNOWN_USER.test(String(one))).length;
type Favourites = NonNullable<ReturnType<World['favourites']['get']>>;
/** Other favourites of each user whose favourites have changed. */
const favourites =
  (place: string, change: (after: Favourites, before: Favourites, user: string, asked: Asked) => Favourites) =>
  (asked: Asked, after: World, before: World): World | undefined =>
    at(place)(asked)
      ? {
          ...after,
          favourites: before.favourites.merge(after.favourites).map((_, user) => {
            const own = after.favourites.get(user) ?? noFavourites;
            const old = before.favourites.get(user) ?? noFavourites;
            return own === old ? own : change(own, old, user, asked);
          }),
        }
      : undefined;
/** A wiki operation that has a body. */
const isReading = (asked: Asked) => isWiki(asked) && !['spaces/copySpace', 'spaces/isUnique'].includes(asked.place);
const QUERY_NAMES = [
  'spaceKey',
  'spaceName',
  'pageTitle',
  'sourceSpaceKey',
  'targetSpaceKey',
  'targetSpaceTitle',
  'targetSpaceAdmin',
  'removeAdminPermissions',
  'keepPagesMetadata',
];
const COPY = at('spaces/copySpace');
const NEVER_BEFORE = '2026-01-01T00:00:00Z';

export const review: readonly OneFault[] = [
  // 4.1, 9: addresses
  {
    rule: 'address.context-path',
    description:
      'Below a context path the operations on groups and permissions are served, and those on spaces are 404.',
    change: nowhere(asked => isSpaces(asked) && isBelowContext(asked)),
    seen: 'always',
  },
  {
    rule: 'address.no-context-path',
    description:
      'Without a context path the operations on permissions are 404; below any context path they are served.',
    change: nowhere(asked => isPermissions(asked) && !isBelowContext(asked)),
    seen: 'always',
  },
  {
    rule: 'address.extension-path',
    description: 'The operations on spaces stand at /cwxapiextension/spaces/, without the segment latest.',
    change: movedTo('/cwxapiextension/latest/spaces/', '/cwxapiextension/spaces/'),
    seen: 'always',
  },
  {
    rule: 'address.ppf-path',
    description: 'Pull stands at /rest/cwx-ppf/1.0/pull only; push is where it should be.',
    change: movedTo('/rest/cwx-ppf/latest/pull', '/rest/cwx-ppf/1.0/pull'),
    seen: 'always',
  },
  // 2: bodies and names
  {
    rule: 'address.json-bodies',
    description: 'The operations on groups take forms and refuse JSON with 415.',
    change: {
      request: asked => {
        if (!isGroups(asked)) return {};
        if (!headerOf(asked, 'content-type')?.includes('form')) return { body: '{' };
        const form = new URLSearchParams(String(asked.body));
        return { json: { group: form.get('group'), users: form.getAll('users') } };
      },
      answer: (_, asked) => (isGroups(asked) && !headerOf(asked, 'content-type')?.includes('form') ? refused(415) : {}),
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'A body of a wiki operation that is no JSON is answered with 200 as if it had been read.',
    change: answering(
      (status, asked) => status === 400 && isReading(asked) && asked.body !== undefined && asked.json === undefined,
      { status: 200, text: '{}' },
    ),
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'The fields of the bodies of groups and permissions are taken in any case, such as Users.',
    change: sending(
      asked => isGroups(asked) || isPermissions(asked),
      some => Object.fromEntries(Object.entries(some).map(([name, value]) => [name.toLowerCase(), value])),
    ),
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'The query parameters of the operations on spaces are taken in any case, such as spacekey.',
    change: asking(isSpaces, query => {
      for (const [name, value] of [...query]) {
        const known = QUERY_NAMES.find(one => one.toLowerCase() === name.toLowerCase());
        if (known === undefined || known === name) continue;
        query.delete(name);
        query.set(known, value);
      }
    }),
    seen: 'always',
  },
  // 2: expansion
  {
    rule: 'expand.list',
    description: 'Only the first name of expand is expanded.',
    change: expanding(names => names.slice(0, 1)),
    seen: 'with effects',
  },
  {
    rule: 'expand.nested',
    description: 'Of a name with a dot only the part before the dot is expanded.',
    change: expanding(names => names.map(name => name.replace(/\..*/, ''))),
    seen: 'with effects',
  },
  // 4.2: groups
  {
    rule: 'groups.body',
    description: 'The list of users of a group is called members; a body with users is refused with 400.',
    change: sending(isGroups, ({ users: _, members: users, ...rest }) => ({ ...rest, users })),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'Adding users is refused with 409 as soon as one of them is a member already, and nobody is added.',
    change: () => {
      let isMixed = false;
      return {
        world: (asked, after, before) => {
          const old = before.groups.get(String(fields(asked).group));
          isMixed = at('groups/add-users')(asked) && namesIn(fields(asked)).some(user => old?.has(user) === true);
          return isMixed ? before : after;
        },
        answer: () => {
          const answer = isMixed ? refused(409) : {};
          isMixed = false;
          return answer;
        },
      };
    },
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'The last members of a group are not removed, though the answer is that of success.',
    change: { world: members('groups/remove-users', (after, before) => (after.size === 0 ? before : after)) },
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'Setting the users takes off those who are not in the list, and adds nobody.',
    change: { world: members('groups/set-users', (after, before) => after.intersect(before)) },
    seen: 'always',
  },
  // 4.3: permissions
  {
    rule: 'permissions.body',
    description: 'The users of a permission must be objects with a name; plain names are refused with 400.',
    change: sending(isPermissions, ({ users, ...rest }) => ({
      ...rest,
      users: Array.isArray(users)
        ? users.map(one => (typeof one === 'string' ? { name: one } : fields({ json: one }).name))
        : users,
    })),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'PUT on the edit permission takes off those who are not named in the request.',
    change: {
      world: changingPage(at('permissions/edit', 'PUT'), (after, _, asked) => ({
        ...after,
        edit: {
          users: after.edit.users.intersect(namesIn(fields(asked))),
          groups: after.edit.groups.intersect(groupsIn(fields(asked))),
        },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.heading-method',
    description: 'Removing from all permissions is served by POST only; DELETE is 405.',
    change: {
      request: asked => (at('permissions/all', 'DELETE')(asked) ? { method: 'PUT' } : {}),
    },
    seen: 'always',
  },
  {
    rule: 'permissions.heading-method',
    description: 'Adding to the view permission is served by POST only; PUT is 405.',
    change: {
      request: asked => {
        if (at('permissions/view', 'PUT')(asked)) return { method: 'PATCH' };
        return at('permissions/view', 'POST')(asked) ? { method: 'PUT' } : {};
      },
    },
    seen: 'always',
  },
  {
    rule: 'permissions.edit-remove',
    description: 'Removing some from the edit permission takes everybody off it.',
    change: {
      world: changingPage(isRemoving('permissions/edit'), after => ({
        ...after,
        edit: { users: after.edit.users.clear(), groups: after.edit.groups.clear() },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'Who is added to the view permission comes into the edit permission instead.',
    change: {
      request: asked =>
        at('permissions/view', 'PUT')(asked)
          ? { path: asked.path.replace('permissions/view', 'permissions/edit') }
          : {},
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'Users are removed from the view permission, groups stay in it.',
    change: {
      world: changingPage(isRemoving('permissions/view'), (after, before) => ({
        ...after,
        view: { ...after.view, groups: before.view.groups },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'Removing from all permissions leaves the edit permission as it was.',
    change: { world: changingPage(at('permissions/all'), (after, before) => ({ ...after, edit: before.edit })) },
    seen: 'with effects',
  },
  {
    rule: 'permissions.groups-field',
    description:
      'Removing from all permissions reads the groups from group only, and refuses a body with groups as incomplete.',
    change: sending(at('permissions/all'), ({ groups: _, ...rest }) => rest),
    seen: 'always',
  },
  {
    rule: 'permissions.groups-field',
    description:
      'Removing from all permissions passes over the field groups, and takes only the groups that stand in group.',
    change: sending(at('permissions/all'), ({ groups, group, ...rest }) => ({
      ...rest,
      groups: group ?? (isNames(groups) ? [] : groups),
    })),
    seen: 'with effects',
  },
  // 4.4: spaces
  {
    rule: 'spaces.sidebar-link',
    description: 'The text of a sidebar link is called name; a body with label is refused with 400.',
    change: sending(at('spaces/add-sidebar-link'), ({ label: _, name: label, ...rest }) => ({ ...rest, label })),
    seen: 'always',
  },
  {
    rule: 'spaces.sidebar-link',
    description: 'The sidebar keeps only the newest link: the others are gone.',
    change: {
      world: (asked, after, before) =>
        at('spaces/add-sidebar-link')(asked)
          ? {
              ...after,
              spaces: after.spaces.map((one, key) =>
                before.spaces.get(key)?.sidebar === one.sidebar ? one : { ...one, sidebar: one.sidebar.slice(-1) },
              ),
            }
          : undefined,
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy',
    description: 'The pages are moved: the source has none of them any more.',
    change: {
      world: (asked, after, before) =>
        COPY(asked)
          ? before.pages
              .filter(({ space }) => space === parameter('sourceSpaceKey', asked))
              .reduce((world, _, id) => removePage(world, id), after)
          : undefined,
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'The new space has the title of its source, whatever targetSpaceTitle says.',
    change: {
      world: (asked, after) => {
        const own = after.spaces.get(parameter('targetSpaceKey', asked) ?? '');
        const source = after.spaces.get(parameter('sourceSpaceKey', asked) ?? '');
        if (!COPY(asked) || own === undefined || source === undefined) return undefined;
        const named = { ...own, name: source.name };
        return { ...after, spaces: after.spaces.set(parameter('targetSpaceKey', asked) ?? '', named) };
      },
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'Copying a space without a JSON body is refused with 400.',
    change: {
      request: asked => (COPY(asked) && asked.json === undefined ? { path: asked.path.split('?')[0] ?? '' } : {}),
      answer: (_, asked) =>
        COPY(asked) && asked.json === undefined
          ? { status: 400, json: { statusCode: 400, message: 'There is no body.', reason: 'Bad Request' } }
          : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'What stands in a JSON body of copySpace counts before what stands in the query.',
    change: asking(COPY, (query, asked) => {
      for (const [name, value] of Object.entries(fields(asked)))
        if (QUERY_NAMES.includes(name)) query.set(name, String(value));
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'An empty targetSpaceAdmin is refused as a user that does not exist.',
    change: asking(COPY, query => {
      if (query.get('targetSpaceAdmin') === '') query.set('targetSpaceAdmin', ' ');
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'With an empty targetSpaceAdmin the last user by name is picked, who is no admin.',
    change: asking(COPY, query => {
      if (query.get('targetSpaceAdmin') === '') query.set('targetSpaceAdmin', 'demouser2');
    }),
    seen: 'never',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'With removeAdminPermissions=true copying is refused with 400.',
    change: asking(COPY, query => {
      if (query.get('removeAdminPermissions') === 'true') query.set('removeAdminPermissions', 'unsupported');
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'removeAdminPermissions means its opposite: true leaves the admin in, false takes him off.',
    change: asking(COPY, query => {
      const sent = query.get('removeAdminPermissions');
      if (sent === 'true' || sent === 'false') query.set('removeAdminPermissions', String(sent === 'false'));
    }),
    seen: 'never',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'With keepPagesMetadata the authors are kept, and the dates are those of the copy.',
    change: {
      world: changedPages('spaces/copySpace', (after, _, asked) =>
        parameter('keepPagesMetadata', asked) === 'true'
          ? { ...after, created: NEVER_BEFORE, updated: NEVER_BEFORE }
          : after,
      ),
    },
    seen: 'read back',
  },
  {
    rule: 'spaces.is-unique',
    description: 'Asking for a free key takes it: whoever asks again hears that the space exists.',
    change: () => {
      const reserved = new Set<string>();
      return asking(at('spaces/isUnique'), query => {
        const key = query.get('spaceKey') ?? '';
        if (reserved.has(key)) query.set('spaceKey', 'ds');
        if (reserved.has(key)) query.set('spaceName', 'Demonstration Space');
        reserved.add(key);
      });
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'The list of replacements must stand in a field replacements; a bare list is refused with 400.',
    change: sending(at('spaces/replaceInPage'), ({ replacements }, { json: sent }) =>
      Array.isArray(sent) ? { replacements: sent } : replacements,
    ),
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'Only the first pair of the list is replaced.',
    change: sending(at('spaces/replaceInPage'), (_, { json: sent }) => (Array.isArray(sent) ? sent.slice(0, 1) : sent)),
    seen: 'always',
  },
  {
    rule: 'spaces.replace-body',
    description: 'The body stays as it was where the title changes too.',
    change: {
      world: changedPages('spaces/replaceInPage', (after, old) =>
        old !== undefined && after.title !== old.title ? { ...after, body: old.body } : after,
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-body',
    description: 'The new text takes the place of the whole body and not of the old text in it.',
    change: {
      world: changedPages('spaces/replaceInPage', (after, old, asked) =>
        after.body === old?.body ? after : { ...after, body: lastNewText(asked) },
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-title',
    description: 'The title stays as it was where the body changes too.',
    change: {
      world: changedPages('spaces/replaceInPage', (after, old) =>
        old !== undefined && after.body !== old.body ? { ...after, title: old.title } : after,
      ),
    },
    seen: 'always',
  },
  // 4.5, 5, 7: push and pull
  {
    rule: 'ppf.authenticated',
    description: 'Push without credentials is served as if the admin had sent it.',
    change: asAdmin(asked => at('push')(asked) && isWithoutCredentials(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.authenticated',
    description: 'The password is not looked at: the name of the admin is enough for push and pull.',
    change: asAdmin(asked => isPpf(asked) && callerOf(asked) === 'admin'),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'A user who is no admin may push to himself alone.',
    change: asAdmin(asked => {
      const { users, groups } = fields(asked);
      const isOwn = isNames(users) && users.length > 0 && users.every(user => user === callerOf(asked));
      return at('push')(asked) && isKnownOther(asked) && isOwn && isEmpty(groups);
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'A caller who is known and no admin gets 404 from push and pull.',
    change: answering((status, asked) => status === 403 && isPpf(asked) && isKnownOther(asked), refused(404)),
    seen: 'always',
  },
  {
    rule: 'ppf.licensed-only',
    description: 'The licence of the add-on is never looked at: without one push and pull are served all the same.',
    change: {},
    seen: 'never',
  },
  {
    rule: 'ppf.body-types',
    description: 'The ids of filters and dashboards must be text; whole numbers are refused with 400.',
    change: sending(isPpf, ({ filters, dashboards, ...rest }) => {
      const turned = (ids: unknown) => {
        if (isIds(ids)) return ids.map(String);
        return isNames(ids) ? ids.map(Number) : ids;
      };
      return { ...rest, filters: turned(filters), dashboards: turned(dashboards) };
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'Both users and groups are required: a request that has only one of them is 400.',
    change: sending(isPpf, ({ users, groups, ...rest }) =>
      users === undefined || groups === undefined ? rest : { ...rest, users, groups },
    ),
    seen: 'always',
  },
  {
    rule: ['ppf.needs-recipient', 'ppf.invalid-is-400'],
    description: 'A push or pull without users and groups is processed for the caller.',
    change: sending(isPpf, (some, asked) => (lacksRecipient(some) ? { ...some, users: [callerOf(asked)] } : some)),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-item',
    description: 'Dashboards are not enough: a request without filters is 400.',
    change: sending(isPpf, ({ dashboards, ...rest }) => (isEmpty(rest.filters) ? rest : { ...rest, dashboards })),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'A request without recipients or without items is 422.',
    change: answering((status, asked) => status === 400 && isLacking(asked), { status: 422 }),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'A request without recipients or without items is 200 with success false and a message.',
    change: answering((status, asked) => status === 400 && isLacking(asked), {
      status: 200,
      json: { success: false, messages: ['The request names no recipients or no items'] },
    }),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'A push or pull that could not find a user is 404, with success and messages in the body.',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 200 && unknownUsers(json(text)) > 0 ? { status: 404 } : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'The answer has no messages where there are none.',
    change: reporting(isPpf, ({ messages, ...rest }) => (isEmpty(messages) ? rest : { ...rest, messages })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is true as soon as one of the users was found, whatever the messages say of the others.',
    change: reporting(isPpf, (body, asked) =>
      namesIn(fields(asked)).length > unknownUsers(body) && unknownUsers(body) > 0 ? { ...body, success: true } : body,
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'That a user could not be found is in no message; success is false all the same.',
    change: reporting(isPpf, body => ({
      ...body,
      messages: list(body.messages).filter(one => !UNKNOWN_USER.test(String(one))),
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.push',
    description: 'Push reaches the users, and not the members of the groups.',
    change: {
      world: favourites('push', (own, old, user, asked) => (namesIn(fields(asked)).includes(user) ? own : old)),
    },
    seen: 'with effects',
  },
  {
    rule: 'ppf.push',
    description: 'What is pushed takes the place of all the favourite filters that a user had before.',
    change: {
      world: favourites('push', (own, _old, _user, asked) => ({
        ...own,
        filters: own.filters.intersect(list(fields(asked).filters) as readonly number[]),
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'Pull takes all the favourites of the users away, those that are not named too.',
    change: { world: favourites('pull', () => noFavourites) },
    seen: 'with effects',
  },
];

export const reviewBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'A wiki operation that finds a name or a page not to exist answers 422.',
    change: answering((status, asked) => status === 404 && isWiki(asked), { status: 422 }),
  },
  {
    description:
      'The operations on groups and permissions answer 201 with words of their own when they have done their work.',
    change: answering((status, asked) => ok(status) && (isGroups(asked) || isPermissions(asked)), {
      status: 201,
      json: { done: true, at: 'once' },
    }),
  },
  {
    description: 'The messages of push and pull are German and brief.',
    change: reporting(isPpf, body => ({
      ...body,
      messages: list(body.messages).map(one => `Leider nicht: ${String(one).split(' ').at(-1)}`),
    })),
  },
  {
    description: 'POST on the edit permission and on all permissions is 405: only the request line is served.',
    change: {
      request: asked => (isPermissions(asked) && asked.method === 'POST' ? { method: 'PATCH' } : {}),
    },
  },
  {
    description: 'Push and pull check and report, and change nothing.',
    change: without(isPpf),
  },
  {
    description: 'Errors of the wiki operations are web pages.',
    change: answering((status, asked) => status >= 400 && isWiki(asked), {
      text: '<html><body>Oops</body></html>',
      headers: { 'content-type': 'text/html' },
    }),
  },
  {
    description: 'isUnique answers with an object that says whether the space exists.',
    change: {
      answer: ({ status, text }, asked) =>
        at('spaces/isUnique')(asked) && status === 200 && (text === 'true' || text === 'false')
          ? { json: { exists: text === 'false' } }
          : {},
    },
  },
  {
    description: 'Push and pull without credentials are 401 with WWW-Authenticate.',
    change: answering(
      (status, asked) => status === 403 && isPpf(asked) && !isOther(asked) && isWithoutCredentials(asked),
      {
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="tracker"' },
      },
    ),
  },
];
