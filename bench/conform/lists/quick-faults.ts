// Faults that came to mind first, by somebody who has not seen how the command works; and servers that look odd and are right.
import { type Favourites, favouritesOf, noFavourites, type World } from '../../../server/domain/world.js';
import {
  answering,
  asAdmin,
  at,
  basic,
  changedPages,
  changingPage,
  type Fields,
  fields,
  headerOf,
  isGroups,
  isIds,
  isKnownOther,
  isNames,
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

type Meant = (asked: Asked) => boolean;

const isSpaces: Meant = ({ place }) => place.startsWith('spaces/');
const isWiki: Meant = asked => asked.place !== '' && !isPpf(asked);
const isBelowContext: Meant = ({ path }) => !/^\/(rest|cwxapiextension)\//.test(path);
/** Refused, and nothing comes of it. */
const refusing = (status: number, isMeant: Meant, isAnswered = (_: number) => true): Change => ({
  ...answering((own, asked) => isAnswered(own) && isMeant(asked), refused(status)),
  ...without(isMeant),
});

/** Other parameters for requests that fit. */
const asking = (isMeant: Meant, change: (query: URLSearchParams, asked: Asked) => void): Change => ({
  request: asked => {
    if (!isMeant(asked)) return {};
    const [path, query] = asked.path.split('?');
    const parameters = new URLSearchParams(query);
    change(parameters, asked);
    return { path: `${path}?${parameters}` };
  },
});
/** A parameter that is true counts as false. */
const unheard = (name: string): Change =>
  asking(at('spaces/copySpace'), query => {
    if (query.get(name)?.toLowerCase() === 'true') query.set(name, 'false');
  });
/** The fields that this does not name are as they were. */
const besides = (isMeant: Meant, some: (body: Fields) => Fields): Change =>
  sending(isMeant, body => ({ ...body, ...some(body) }));
const listed = (value: unknown) => (typeof value === 'string' ? [value] : value);
const permission = (kind: 'edit' | 'view' | 'all', method: string) => at(`permissions/${kind}`, method);
/** Whoever pushes or pulls gets or loses only this. */
const favouritesOnly =
  (
    place: string,
    keep: (user: string, body: Fields, of: { readonly after: World; readonly before: World }) => Partial<Favourites>,
  ) =>
  (asked: Asked, after: World, before: World): World | undefined =>
    at(place)(asked)
      ? {
          ...after,
          favourites: after.favourites.map((own, user) => ({
            ...own,
            ...keep(user, fields(asked), { after, before }),
          })),
        }
      : undefined;
/** None of these is there, and nothing is of another type. */
const lacks =
  (...names: readonly string[]): Meant =>
  asked =>
    isPpf(asked) &&
    asked.json instanceof Object &&
    !Array.isArray(asked.json) &&
    ['users', 'groups'].every(name => fields(asked)[name] === undefined || isNames(fields(asked)[name])) &&
    ['filters', 'dashboards'].every(name => fields(asked)[name] === undefined || isIds(fields(asked)[name])) &&
    names.every(name => list(fields(asked)[name]).length === 0);
const expanding = (change: (names: readonly string[]) => readonly string[]): Change => ({
  request: ({ place, path }) =>
    place === ''
      ? {
          path: path.replace(
            /([?&]expand=)([^&]*)/,
            (_, name, value) => `${name}${change(decodeURIComponent(value).split(','))}`,
          ),
        }
      : {},
});

export const quick: readonly OneFault[] = [
  // Addresses
  {
    rule: 'address.context-path',
    description: 'Below a context path the operations on spaces are not there, though those on groups are.',
    change: refusing(404, asked => isSpaces(asked) && isBelowContext(asked)),
    seen: 'always',
  },
  {
    rule: 'address.no-context-path',
    description: 'Without a context path the operations on groups are not there, though those on spaces are.',
    change: refusing(404, asked => isGroups(asked) && !isBelowContext(asked)),
    seen: 'always',
  },
  {
    rule: 'address.extension-path',
    description: 'The wiki extension is served below /cwxapiextension/ without the segment latest.',
    change: {
      request: ({ path }) =>
        path.includes('/cwxapiextension/latest/')
          ? { path: path.replace('/latest/', '/latest/latest/') }
          : { path: path.replace('/cwxapiextension/', '/cwxapiextension/latest/') },
    },
    seen: 'always',
  },
  {
    rule: 'address.ppf-path',
    description: 'Push and pull are served below /rest/ppf/latest/ instead.',
    change: {
      request: ({ path }) =>
        path.includes('/rest/cwx-ppf/')
          ? { path: path.replace('/cwx-ppf/', '/no-ppf/') }
          : { path: path.replace('/rest/ppf/', '/rest/cwx-ppf/') },
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'Push and pull answer with XML.',
    change: {
      answer: ({ status, text }, asked) => {
        if (!isPpf(asked) || status !== 200) return {};
        const { success, messages } = json(text);
        const inner = list(messages).map(one => `<message>${one}</message>`);
        const headers = { 'content-type': 'application/xml' };
        return { text: `<result><success>${success}</success>${inner.join('')}</result>`, headers };
      },
    },
    seen: 'always',
  },
  {
    rule: 'address.json-bodies',
    description: 'The operations on groups take a body that is no JSON for an empty one and answer that it is done.',
    change: answering(
      (status, asked) => isGroups(asked) && status === 400 && asked.json === undefined && !!asked.body?.length,
      {
        status: 200,
        text: '{}',
      },
    ),
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'The fields of a push or pull count in any case.',
    change: sending(isPpf, body => Object.fromEntries(Object.entries(body).map(([k, v]) => [k.toLowerCase(), v]))),
    seen: 'always',
  },
  {
    rule: 'address.case-sensitive',
    description: 'The paths of the operations on groups are served in any case.',
    change: {
      request: ({ path }) => ({ path: path.replace(/\/groups\/(add|remove|set)-users/i, some => some.toLowerCase()) }),
    },
    seen: 'always',
  },
  // Expansion
  {
    rule: 'expand.list',
    description: 'Only the first name of expand counts.',
    change: expanding(names => names.slice(0, 1)),
    seen: 'with effects',
  },
  {
    rule: 'expand.nested',
    description: 'What stands behind a dot in a name of expand does not count.',
    change: expanding(names => names.map(name => name.split('.')[0] ?? '')),
    seen: 'with effects',
  },
  // Groups
  {
    rule: 'groups.body',
    description: 'The operations on groups take one text for users.',
    change: besides(isGroups, ({ users }) => ({ users: listed(users) })),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'Nobody is added to a group.',
    change: without(at('groups/add-users')),
    seen: 'always',
  },
  {
    rule: 'groups.add-users',
    description: 'Those who were members of a group are so no longer when others are added.',
    change: { world: members('groups/add-users', (after, before) => after.subtract(before)) },
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'Nobody is removed from a group.',
    change: without(at('groups/remove-users')),
    seen: 'always',
  },
  {
    rule: 'groups.remove-users',
    description: 'All members are removed from a group when one is.',
    change: { world: members('groups/remove-users', after => after.clear()) },
    seen: 'always',
  },
  {
    rule: 'groups.set-users',
    description: 'Setting the members of a group only adds them.',
    change: { world: members('groups/set-users', (after, before) => before.union(after)) },
    seen: 'always',
  },
  // Permissions
  {
    rule: 'permissions.body',
    description: 'The operations on permissions take one text for users and for groups.',
    change: sending(isPermissions, ({ users, groups, ...rest }) => ({
      ...rest,
      ...(users !== undefined && { users: listed(users) }),
      ...(groups !== undefined && { groups: listed(groups) }),
    })),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-add',
    description: 'Groups are not added to the edit permission, only users.',
    change: {
      world: changingPage(permission('edit', 'PUT'), (after, { edit }) => ({
        ...after,
        edit: { ...after.edit, groups: edit.groups },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.edit-add',
    description: 'Who is added to the edit permission is added to the view permission instead.',
    change: {
      request: asked => (permission('edit', 'PUT')(asked) ? { path: asked.path.replace('/edit/', '/view/') } : {}),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.heading-method',
    description: 'DELETE on permissions/all is not allowed, only POST is.',
    change: refusing(405, permission('all', 'DELETE')),
    seen: 'always',
  },
  {
    rule: 'permissions.edit-remove',
    description: 'Nobody is removed from the edit permission.',
    change: without(asked => at('permissions/edit')(asked) && asked.method !== 'PUT'),
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-add',
    description: 'Whoever was in the view permission is there no longer when others are added.',
    change: {
      world: changingPage(permission('view', 'PUT'), (after, { view }) => ({
        ...after,
        view: { users: after.view.users.subtract(view.users), groups: after.view.groups.subtract(view.groups) },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.view-remove',
    description: 'Removing from the view permission leaves nobody in it.',
    change: {
      world: changingPage(permission('view', 'DELETE'), after => ({
        ...after,
        view: { users: after.view.users.clear(), groups: after.view.groups.clear() },
      })),
    },
    seen: 'with effects',
  },
  {
    rule: 'permissions.all-remove',
    description: 'Removing from all permissions leaves the view permission as it is.',
    change: { world: changingPage(at('permissions/all'), (after, { view }) => ({ ...after, view })) },
    seen: 'with effects',
  },
  {
    rule: 'permissions.groups-field',
    description: 'Removing from all permissions wants the groups in a list called group, and refuses groups.',
    change: refusing(400, asked => at('permissions/all')(asked) && fields(asked).groups !== undefined),
    seen: 'always',
  },
  // Spaces
  {
    rule: 'spaces.sidebar-link',
    description: 'No link is added to the sidebar.',
    change: without(at('spaces/add-sidebar-link')),
    seen: 'never',
  },
  {
    rule: 'spaces.sidebar-link',
    description: 'Label and url of a new link are exchanged.',
    change: besides(at('spaces/add-sidebar-link'), ({ label, url }) => ({ label: url, url: label })),
    seen: 'with effects',
  },
  {
    rule: 'spaces.copy',
    description: 'No new space comes of a copy.',
    change: without(at('spaces/copySpace')),
    seen: 'always',
  },
  {
    rule: 'spaces.copy',
    description: 'The new space has the title of the source.',
    change: {
      world: (asked, after, before) => {
        const key = parameter('targetSpaceKey', asked) ?? '';
        const own = after.spaces.get(key);
        const source = before.spaces.get(parameter('sourceSpaceKey', asked) ?? '');
        return at('spaces/copySpace')(asked) && own !== undefined && source !== undefined
          ? { ...after, spaces: after.spaces.set(key, { ...own, name: source.name }) }
          : undefined;
      },
    },
    seen: 'always',
  },
  {
    rule: 'spaces.copy-query-only',
    description: 'What stands in a body counts more than the parameters of a copy.',
    change: asking(at('spaces/copySpace'), (query, asked) => {
      for (const [name, value] of Object.entries(fields(asked))) query.set(name, String(value));
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-default-admin',
    description: 'A copy without an admin to use is refused.',
    change: refusing(400, asked => at('spaces/copySpace')(asked) && parameter('targetSpaceAdmin', asked) === ''),
    seen: 'always',
  },
  {
    rule: 'spaces.copy-remove-admin',
    description: 'The admin stays in the permissions of the new space, whatever is asked.',
    change: unheard('removeAdminPermissions'),
    seen: 'never',
  },
  {
    rule: 'spaces.copy-keep-metadata',
    description: 'Authors and dates of the template are never kept.',
    change: unheard('keepPagesMetadata'),
    seen: 'read back',
  },
  {
    rule: 'spaces.is-unique',
    description: 'Every space is free.',
    change: answering((status, asked) => at('spaces/isUnique')(asked) && ok(status), { text: 'true' }),
    seen: 'always',
  },
  {
    rule: 'spaces.is-unique',
    description: 'Only the name of a space is compared, not its key.',
    change: asking(at('spaces/isUnique'), query => {
      if (query.has('spaceKey')) query.set('spaceKey', 'NONEOFTHEM');
    }),
    seen: 'always',
  },
  {
    rule: 'spaces.replace-list',
    description: 'Only the first element of the list of replacements counts.',
    change: {
      request: asked =>
        at('spaces/replaceInPage')(asked) && Array.isArray(asked.json) ? { json: asked.json.slice(0, 1) } : {},
    },
    seen: 'always',
  },
  {
    rule: 'spaces.replace-body',
    description: 'Text is replaced in the title of a page only.',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({ ...after, body: before?.body ?? after.body })),
    },
    seen: 'with effects',
  },
  {
    rule: 'spaces.replace-title',
    description: 'Text is replaced in the body of a page only.',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({
        ...after,
        title: before?.title ?? after.title,
      })),
    },
    seen: 'always',
  },
  // Push and pull
  {
    rule: 'ppf.authenticated',
    description: 'Push and pull serve a caller without credentials.',
    change: asAdmin(asked => isPpf(asked) && isWithoutCredentials(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'Push and pull serve users who are no admins.',
    change: asAdmin(asked => isPpf(asked) && isKnownOther(asked)),
    seen: 'always',
  },
  {
    rule: 'ppf.admin-only',
    description: 'Users who are no admins get 404 from push and pull.',
    change: answering((status, asked) => isPpf(asked) && isKnownOther(asked) && status === 403, refused(404)),
    seen: 'always',
  },
  {
    rule: 'ppf.licensed-only',
    description: 'Without a licence the answer is 402.',
    change: {
      answer: ({ status }, asked) =>
        isPpf(asked) && status === 403 && headerOf(asked, 'authorization') === basic('admin') ? { status: 402 } : {},
    },
    seen: 'never',
  },
  {
    rule: 'ppf.body-types',
    description: 'Filters and dashboards may be given as text.',
    change: sending(isPpf, body => ({
      ...body,
      ...Object.fromEntries(
        ['filters', 'dashboards']
          .filter(name => Array.isArray(body[name]))
          .map(name => [name, list(body[name]).map(id => (/^\d+$/.test(String(id)) ? Number(id) : id))]),
      ),
    })),
    seen: 'always',
  },
  {
    rule: 'ppf.needs-recipient',
    description: 'Groups alone are not enough: without users the answer is 400.',
    change: refusing(400, lacks('users'), ok),
    seen: 'always',
  },
  {
    rule: ['ppf.needs-item', 'ppf.invalid-is-400'],
    description: 'A request without filters and dashboards is processed, and all is well.',
    change: answering(
      (status, asked) => status === 400 && lacks('filters', 'dashboards')(asked) && !lacks('users', 'groups')(asked),
      { status: 200, text: '{"success":true,"messages":[]}' },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.invalid-is-400',
    description: 'Without recipients or without items the answer is 422.',
    change: answering(
      (status, asked) => status === 400 && (lacks('users', 'groups')(asked) || lacks('filters', 'dashboards')(asked)),
      { status: 422 },
    ),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'A push that is processed gets 201.',
    change: answering((status, asked) => at('push')(asked) && status === 200, { status: 201 }),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'There are no messages in the answer where all is well.',
    change: reporting(isPpf, ({ messages, ...body }) => (list(messages).length === 0 ? body : { ...body, messages })),
    seen: 'always',
  },
  {
    rule: 'ppf.processed-is-200',
    description: 'A user that could not be found makes the answer 404.',
    change: {
      answer: ({ status, text }, asked) =>
        isPpf(asked) && status === 200 && text.includes('Could not find user') ? { status: 404 } : {},
    },
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is true whatever went wrong.',
    change: reporting(isPpf, body => ({ ...body, success: true })),
    seen: 'always',
  },
  {
    rule: 'ppf.success-flag',
    description: 'success is false even if all went well.',
    change: reporting(isPpf, body => ({ ...body, success: false })),
    seen: 'always',
  },
  {
    rule: 'ppf.failure-message',
    description: 'There are no messages about what went wrong.',
    change: reporting(isPpf, body => ({ ...body, messages: [] })),
    seen: 'always',
  },
  {
    rule: 'ppf.push',
    description: 'What is pushed reaches the users, but not the members of the groups.',
    change: {
      world: favouritesOnly('push', (user, body, { before }) =>
        namesIn(body).includes(user) ? {} : favouritesOf(before, user),
      ),
    },
    seen: 'with effects',
  },
  {
    rule: 'ppf.push',
    description: 'Dashboards are not pushed, only filters.',
    change: {
      world: favouritesOnly('push', (user, _, { before }) => ({ dashboards: favouritesOf(before, user).dashboards })),
    },
    seen: 'with effects',
  },
  {
    rule: 'ppf.pull',
    description: 'A pull takes all favourites from the users, not only those that are named.',
    change: {
      world: favouritesOnly('pull', (user, _, { after, before }) =>
        after.favourites.get(user) === before.favourites.get(user) ? {} : noFavourites,
      ),
    },
    seen: 'with effects',
  },
];

export const quickBlameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>> = [
  {
    description: 'An operation of the wiki that has done its work answers 204.',
    change: answering(
      (status, asked) => isWiki(asked) && !at('spaces/isUnique')(asked) && status === 200,
      refused(204),
    ),
  },
  {
    description: 'isUnique answers with an object.',
    change: {
      answer: ({ status, text }, asked) =>
        at('spaces/isUnique')(asked) && status === 200 ? { json: { unique: text === 'true' } } : {},
    },
  },
  {
    description: 'The messages of push and pull are in other words.',
    change: reporting(isPpf, body => ({
      ...body,
      messages: list(body.messages).map(one => String(one).replace('Could not find', 'There is no')),
    })),
  },
  { description: 'Push and pull report and change nothing.', change: without(isPpf) },
  {
    description: 'The methods of the headings are not served.',
    change: refusing(405, asked => isPermissions(asked) && asked.method === 'POST'),
  },
  {
    description: 'The operations of the wiki want credentials.',
    change: refusing(401, asked => isWiki(asked) && isWithoutCredentials(asked)),
  },
  {
    description: 'Whoever pushes or pulls without credentials gets 401.',
    change: answering((status, asked) => isPpf(asked) && isWithoutCredentials(asked) && status === 403, refused(401)),
  },
  {
    description: 'A wiki operation that finds no such user, group, page or space says so with 400.',
    change: {
      answer: ({ status, text }, asked) =>
        isWiki(asked) && status === 404 && /There is no (user|group|page|space) /.test(text) ? { status: 400 } : {},
    },
  },
];
