// Servers with a fault in their addresses, their bodies or their expand parameter.
import type { Asked, Change } from '../../../harness/conform/faults/server-fault.js';
import {
  asking,
  both,
  breaking,
  empty,
  type FaultyServer,
  headerOf,
  inAnyCase,
  isBelowContext,
  isGroups,
  isPermissions,
  isPpf,
  isSpaces,
  isWiki,
  type Meant,
  missing,
  moving,
  page,
  refusing,
  reportOf,
  sending,
  textOf,
} from './changes.js';

const isForm: Meant = asked => headerOf(asked, 'content-type')?.includes('form-urlencoded') === true;
/** The body has bytes and cannot be parsed. */
const isBroken: Meant = ({ json, body }) => json === undefined && body !== undefined && body.length > 0;
/** Another text of a body that is JSON. */
const reading = (other: (text: string, asked: Asked) => string): Change => ({
  request: asked => {
    if (asked.json === undefined) return {};
    const text = textOf(asked);
    const body = other(text, asked);
    return body === text ? {} : { body };
  },
});

const expandsWith =
  (part: string): Meant =>
  ({ query }) =>
    query.getAll('expand').some(names => names.includes(part));
/** Other names to expand. */
const expanding = (other: (names: readonly string[]) => readonly string[]): Change =>
  asking(
    ({ query }) => query.has('expand'),
    (query, asked) => query.set('expand', other(asked.query.getAll('expand').join(',').split(',')).join(',')),
  );

const PARAMETERS = [
  ...['spaceKey', 'spaceName', 'pageTitle', 'sourceSpaceKey', 'targetSpaceKey', 'targetSpaceTitle'],
  ...['targetSpaceAdmin', 'removeAdminPermissions', 'keepPagesMetadata'],
];

export const addressServers: readonly FaultyServer[] = [
  ...breaking('address.context-path', {
    'does not find the group operations below its context path': missing(both(isGroups, isBelowContext)),
    'loses the query of requests below its context path': {
      request: asked => (isWiki(asked) && isBelowContext(asked) ? { path: asked.path.split('?')[0] ?? '' } : {}),
    },
  }),
  ...breaking('address.no-context-path', {
    'serves the page permissions only below a context path': missing(
      both(isPermissions, asked => !isBelowContext(asked)),
    ),
  }),
  ...breaking('address.extension-path', {
    'serves the wiki extension below /cwx-api-extension/latest/': moving(
      '/cwxapiextension/latest/',
      '/cwx-api-extension/latest/',
    ),
    'serves the wiki extension below version 1.0 and not below latest': moving(
      '/cwxapiextension/latest/',
      '/cwxapiextension/1.0/',
    ),
    'serves the space operations without the segment latest': moving(
      '/cwxapiextension/latest/spaces/',
      '/cwxapiextension/spaces/',
    ),
  }),
  ...breaking('address.ppf-path', {
    'serves push and pull below /rest/ppf/latest/': moving('/rest/cwx-ppf/latest/', '/rest/ppf/latest/'),
  }),
  ...breaking(['address.ppf-path', 'ppf.pull'], {
    'serves pull below version 1.0, and only push below latest': moving(
      '/rest/cwx-ppf/latest/pull',
      '/rest/cwx-ppf/1.0/pull',
    ),
  }),
  ...breaking('address.json-bodies', {
    'refuses application/json with a charset': refusing(
      asked => /json *; *charset/i.test(headerOf(asked, 'content-type') ?? ''),
      415,
    ),
    'decodes request bodies as Latin-1': reading(text => Buffer.from(text).toString('latin1')),
    'does not decode \\u escapes in the bodies of requests': reading(text => text.replaceAll('\\u', '\\\\u')),
    'responds to group operations with invalid JSON as if they had succeeded': {
      response: ({ status }, asked) =>
        isGroups(asked) && isBroken(asked) && status === 400
          ? { status: 200, text: '{}', headers: { 'content-type': 'application/json' } }
          : {},
    },
  }),
  ...breaking(['address.json-bodies', 'groups.body'], {
    'expects the group operations to be sent as forms': {
      request: asked => {
        if (!isGroups(asked)) return {};
        const form = new URLSearchParams(textOf(asked));
        return isForm(asked) ? { json: { group: form.get('group'), users: form.getAll('users') } } : { body: '{' };
      },
      response: (_, asked) => (isGroups(asked) && !isForm(asked) ? empty(415) : {}),
    },
  }),
  ...breaking(['address.json-bodies', 'ppf.processed-is-200'], {
    'reports the result of a push or pull in XML': {
      response: (response, asked) => {
        const { success, messages = [] } = reportOf(response, asked) ?? {};
        if (success === undefined) return {};
        const text = messages.map(message => `<message>${message}</message>`).join('');
        const headers = { 'content-type': 'application/xml' };
        return { text: `<result><success>${success}</success>${text}</result>`, headers };
      },
    },
  }),
  ...breaking('address.case-sensitive', {
    'accepts the field names of a push or pull in any case': sending(isPpf, body =>
      inAnyCase(body, 'users', 'groups', 'filters', 'dashboards'),
    ),
    'accepts the field names of group and permission bodies in any case': sending(
      asked => isGroups(asked) || isPermissions(asked),
      body => inAnyCase(body, 'group', 'groups', 'users'),
    ),
    'accepts the query parameters of space operations in any case': asking(isSpaces, (query, asked) => {
      for (const [name, value] of asked.query) {
        const meant = PARAMETERS.find(one => one.toLowerCase() === name.toLowerCase()) ?? name;
        if (query.has(meant)) continue;
        query.delete(name);
        query.set(meant, value);
      }
    }),
    'accepts the paths of group operations in any case': {
      request: ({ path }) => {
        const known = path.replace(/\/groups\/(add|remove|set)-users(?=$|\?)/i, text => text.toLowerCase());
        return known === path ? {} : { path: known };
      },
    },
  }),
  ...breaking('expand.list', {
    'expands only the first name of a list': expanding(names => names.slice(0, 1)),
    'treats a list in expand as one unknown name': expanding(names => (names.length > 1 ? [names.join(';')] : names)),
    'refuses a comma in expand': refusing(expandsWith(','), 400),
  }),
  ...breaking('expand.nested', {
    'ignores what follows a dot in a name to expand': expanding(names => names.map(name => name.replace(/\..*/, ''))),
    'fails when a name to expand has a dot': {
      response: (_, asked) => (expandsWith('.')(asked) ? page(500, 'NullPointerException') : {}),
    },
  }),
];
