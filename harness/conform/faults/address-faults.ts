// Faults of addresses, bodies, names and `expand`: sections 2, 4.1 and 9 of the document.
import { isObject } from '../../../server/domain/form/patch.js';
import { pagesOf } from '../../../server/domain/world/pages.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import {
  accepts,
  asksInstead,
  at,
  both,
  breaking,
  hasBody,
  isText,
  lacks,
  not,
  pathOf,
  reads,
  readsLists,
  readsQuery,
  sum,
  type When,
} from './fault-changes.js';
import type { Asked, Change, ServerFault } from './server-fault.js';

const isOperation: When = ({ place }) => place !== '';
const isWiki = at('groups/', 'permissions/', 'spaces/');
const isPushPull = at('push', 'pull');
const hasContext: When = asked => !/^\/(?:rest\/|cwxapiextension\/)/.test(pathOf(asked));
const takesBody: When = asked => isOperation(asked) && !at('spaces/copySpace', 'spaces/isUnique')(asked);
const isJson: When = ({ json }) => json !== undefined;

/** What may have a fault of its own; `path`: its addresses in any case. */
const families = [
  { id: 'groups', name: 'the group operations', when: at('groups/'), path: /\/groups\//i },
  { id: 'permissions', name: 'the page permissions', when: at('permissions/'), path: /\/permissions\//i },
  { id: 'spaces', name: 'the space actions', when: at('spaces/'), path: /\/spaces\//i },
  { id: 'ppf', name: 'push and pull', when: isPushPull, path: /\/cwx-ppf\//i },
] as const;
const all = { id: 'all', name: 'its API', when: isOperation, path: /\/cwx/i } as const;
const wiki = { id: 'wiki', name: 'the wiki extension', when: isWiki, path: /\/cwxapiextension\//i } as const;

const SEGMENTS = ['rest', 'api', 'cwxapiextension', 'cwx-ppf', 'latest', ...operations.flatMap(o => o.path.split('/'))];
const FIELDS = ['group', 'users', 'groups', 'spaceKey', 'label', 'url', 'oldText', 'newText', 'filters', 'dashboards'];
const PARAMETERS = operations.flatMap(({ query }) => Object.keys(query ?? {}));

function inKnownCase(name: string, known: readonly string[]): string {
  return known.find(one => one.toLowerCase() === name.toLowerCase()) ?? name;
}

/** The value with the names of its fields as the document writes them. */
function withKnownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKnownFields);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [inKnownCase(name, FIELDS), inner]));
}

/** Serves other paths. */
function servesPaths(when: When, change: (path: string) => string): Change {
  return asksInstead(when, asked => {
    const path = pathOf(asked);
    const changed = change(path);
    return changed === path ? {} : { path: changed + asked.path.slice(path.length) };
  });
}

/** Serves addresses without `latest`, or with a number, and not those with it. */
function withoutLatest(path: string): string {
  const elsewhere = /(\/cwxapiextension|\/cwx-ppf)(?:\/\d[\d.]*)?\/(?=groups\/|permissions\/|spaces\/|push$|pull$)/;
  return path.includes('/latest/') ? path.replace('/latest/', '/') : path.replace(elsewhere, '$1/latest/');
}

/** Reads other text in the body. */
function readsText(when: When, change: (body: Buffer) => string): Change {
  return asksInstead(both(when, hasBody), ({ body = '' }) => {
    const bytes = Buffer.from(body);
    const text = change(bytes);
    return text === bytes.toString() ? {} : { body: text };
  });
}

/** Sends JSON as something else. */
function sendsAs(type: string, change: (text: string) => string): Change {
  return {
    response: ({ headers, text }, asked) =>
      isOperation(asked) && text !== '' && headers['content-type'] !== undefined
        ? { headers: { ...headers, 'content-type': type }, text: change(text) }
        : {},
  };
}

/** Expands other names. */
function expands(change: (names: readonly string[]) => readonly string[]): Change {
  return readsQuery(
    ({ query }) => query.has('expand'),
    query => {
      const names = query.getAll('expand').flatMap(list => list.split(','));
      const changed = change(names);
      if (changed.length === 0) query.delete('expand');
      else if (changed.join() !== names.join()) query.set('expand', changed.join());
    },
  );
}

const titlesOf = ({ world, query }: Asked) => pagesOf(world, query.get('spaceKey') ?? '').map(([, { title }]) => title);

/** Fields of a form instead of those of a JSON object. */
const readsForms = (when: When) =>
  asksInstead(when, ({ body = '' }) => {
    const form = new URLSearchParams(body.toString());
    const list = (name: string) => form.getAll(name).flatMap(text => text.split(','));
    const ids = (name: string) => list(name).map(Number);
    return {
      json: {
        ...(form.has('group') && { group: form.get('group') }),
        ...(form.has('users') && { users: list('users') }),
        ...(form.has('filters') && { filters: ids('filters') }),
      },
    };
  });

export const addressFaults: readonly ServerFault[] = [
  ...[all, ...families.filter(({ id }) => id !== 'ppf')].flatMap(({ name, when }) => [
    ...breaking('address.context-path', {
      [`does not serve ${name} below the context path`]: lacks(both(when, hasContext)),
    }),
    ...breaking('address.no-context-path', {
      [`serves ${name} only below a context path`]: lacks(both(when, not(hasContext))),
    }),
  ]),
  ...breaking('address.extension-path', { 'serves the wiki extension at another path': lacks(isWiki) }),
  ...breaking('address.ppf-path', { 'serves push and pull at another path': lacks(isPushPull) }),
  ...[wiki, ...families].flatMap(({ id, name, when }) =>
    breaking(id === 'ppf' ? 'address.ppf-path' : 'address.extension-path', {
      [`does not serve latest in the paths of ${name}`]: servesPaths(when, withoutLatest),
    }),
  ),
  ...[all, ...families].flatMap(({ name, when, path: anyCase }) => [
    ...breaking('address.case-sensitive', {
      [`serves the paths of ${name} in any case`]: servesPaths(
        asked => anyCase.test(pathOf(asked)),
        path =>
          path
            .split('/')
            .map(segment => inKnownCase(segment, SEGMENTS))
            .join('/'),
      ),
      [`accepts field names in any case in the bodies of ${name}`]: reads(both(takesBody, when), withKnownFields),
    }),
  ]),
  ...breaking('address.json-bodies', {
    'reads forms instead of JSON in group requests': readsForms(both(takesBody, at('groups/'))),
    'reads forms instead of JSON in push and pull': readsForms(isPushPull),
    'reports success for a body that is not JSON': sum(
      accepts(both(isWiki, takesBody, hasBody, not(isJson))),
      accepts(both(isPushPull, hasBody, not(isJson)), { success: true, messages: [] }, 400),
    ),
    'decodes request bodies as Latin-1': readsText(isOperation, body => body.toString('latin1')),
    'does not decode \\u escapes in request bodies': readsText(isOperation, body =>
      body.toString().replace(/\\u(?=[\da-f]{4})/gi, '\\\\u'),
    ),
    'sends responses with the content type text/plain': sendsAs('text/plain', text => text),
    'sends XML responses instead of JSON': sendsAs('application/xml', () => '<response/>'),
  }),
  ...breaking('address.case-sensitive', {
    'accepts query parameters in any case': readsQuery(isOperation, query => {
      for (const [name, value] of [...query]) {
        const known = inKnownCase(name, PARAMETERS);
        if (known === name || query.has(known)) continue;
        query.delete(name);
        query.set(known, value);
      }
    }),
    'finds a page by its title in any case': readsQuery(at('spaces/replaceInPage'), (query, asked) => {
      const title = query.get('pageTitle') ?? '';
      if (title !== '' && !titlesOf(asked).includes(title)) query.set('pageTitle', inKnownCase(title, titlesOf(asked)));
    }),
    'turns user names into lower case': readsLists(isOperation, ['users'], list =>
      list.map(name => (isText(name) ? name.toLowerCase() : name)),
    ),
  }),
  ...breaking('expand.list', {
    'ignores expand': expands(() => []),
    'expands only the first name of a list': expands(names => names.slice(0, 1)),
  }),
  ...breaking('expand.nested', {
    'expands only the entity before the first dot of a name': expands(names =>
      names.map(name => name.split('.', 1)[0] ?? ''),
    ),
  }),
];
