// Servers with a fault in their addresses, their bodies or their expand parameter.
import {
  asksInstead,
  at,
  both,
  lacks,
  not,
  pathOf,
  readsQuery,
  refuses,
} from '../../../harness/conform/faults/fault-changes.js';
import type { Asked, Change } from '../../../harness/conform/faults/server-fault.js';
import {
  breaking,
  type FaultyServer,
  isBelowContext,
  isGroups,
  isPermissions,
  isPpf,
  isWiki,
  moving,
} from './changes.js';

const headerOf = ({ headers }: Asked, name: string) =>
  Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1] ?? '';
const textOf = ({ body }: Asked) => Buffer.from(body ?? '').toString();
const isForm = (asked: Asked) => headerOf(asked, 'content-type').includes('form-urlencoded');
const inLowerCase = (name: string, known: readonly string[]) =>
  known.find(one => one.toLowerCase() === name.toLowerCase()) ?? name;
/** Other names to expand. */
const expanding = (other: (names: readonly string[]) => readonly string[]): Change =>
  readsQuery(
    ({ query }) => query.has('expand'),
    query => query.set('expand', other(query.getAll('expand').join(',').split(',')).join(',')),
  );
const PARAMETERS = [
  ...['spaceKey', 'spaceName', 'pageTitle', 'sourceSpaceKey', 'targetSpaceKey', 'targetSpaceTitle'],
  ...['targetSpaceAdmin', 'removeAdminPermissions', 'keepPagesMetadata'],
];

export const addressServers: readonly FaultyServer[] = [
  ...breaking('address.context-path', {
    'loses the query of requests below its context path': asksInstead(both(isWiki, isBelowContext), asked => ({
      path: pathOf(asked),
    })),
  }),
  ...breaking('address.no-context-path', {
    'serves the page permissions only below a context path': lacks(both(isPermissions, not(isBelowContext))),
  }),
  ...breaking('address.extension-path', {
    'serves the wiki extension below version 1.0 and not below latest': moving(
      '/cwxapiextension/latest/',
      '/cwxapiextension/1.0/',
    ),
  }),
  ...breaking(['address.ppf-path', 'address.no-context-path'], {
    'does not find push and pull without a context path': lacks(both(isPpf, not(isBelowContext))),
  }),
  ...breaking('address.json-bodies', {
    'refuses application/json with a charset': refuses(
      asked => /json *; *charset/i.test(headerOf(asked, 'content-type')),
      415,
    ),
    'decodes request bodies as Latin-1': asksInstead(
      ({ json }) => json !== undefined,
      asked => ({ body: Buffer.from(textOf(asked)).toString('latin1') }),
    ),
    'responds to group operations with invalid JSON as if they had succeeded': {
      response: ({ status }, asked) =>
        isGroups(asked) && asked.json === undefined && textOf(asked) !== '' && status === 400
          ? { status: 200, text: '{}', headers: { 'content-type': 'application/json' } }
          : {},
    },
  }),
  ...breaking(['address.json-bodies', 'groups.body'], {
    'expects the group operations to be sent as forms': asksInstead(isGroups, asked => {
      const form = new URLSearchParams(textOf(asked));
      return isForm(asked) ? { json: { group: form.get('group'), users: form.getAll('users') } } : { body: '{' };
    }),
  }),
  ...breaking(['address.json-bodies', 'ppf.processed-is-200'], {
    'reports the result of a push or pull in XML': {
      response: ({ status }, asked) =>
        isPpf(asked) && status === 200
          ? { text: '<result><success>true</success></result>', headers: { 'content-type': 'application/xml' } }
          : {},
    },
  }),
  ...breaking('address.case-sensitive', {
    'accepts the field names of a push or pull in any case': asksInstead(isPpf, ({ json }) => ({
      json: Object.fromEntries(
        Object.entries(json ?? {}).map(([name, value]) => [
          inLowerCase(name, ['users', 'groups', 'filters', 'dashboards']),
          value,
        ]),
      ),
    })),
    'accepts the query parameters of space operations in any case': readsQuery(at('spaces/'), query => {
      for (const [name, value] of [...query]) {
        const meant = inLowerCase(name, PARAMETERS);
        if (query.has(meant)) continue;
        query.delete(name);
        query.set(meant, value);
      }
    }),
    'accepts the paths of group operations in any case': asksInstead(
      () => true,
      ({ path }) => ({ path: path.replace(/\/groups\/(add|remove|set)-users(?=$|\?)/i, text => text.toLowerCase()) }),
    ),
  }),
  ...breaking('expand.list', {
    'expands only the first name of a list': expanding(names => names.slice(0, 1)),
    'refuses a comma in expand': refuses(({ query }) => query.getAll('expand').join().includes(','), 400),
  }),
  ...breaking('expand.nested', {
    'ignores what follows a dot in a name to expand': expanding(names => names.map(name => name.replace(/\..*/, ''))),
  }),
];
