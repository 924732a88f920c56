// Faults of addresses and bodies: sections 2 and 9 of the document.
import { operations } from '../../../server/operations/catalog/catalog.js';
import { asksInstead, at, both, breaking, lacks, not, pathOf, readsQuery, type When } from './fault-changes.js';
import type { Change, ServerFault } from './server-fault.js';

const isOperation: When = ({ place }) => place !== '';
const isWiki = at('groups/', 'permissions/', 'spaces/');
const isPushPull = at('push', 'pull');
const hasContext: When = asked => !/^\/(?:rest\/|cwxapiextension\/)/.test(pathOf(asked));

/** What may have a fault of its own. */
const families = [
  { id: 'groups', name: 'the group operations', when: at('groups/') },
  { id: 'permissions', name: 'the page permissions', when: at('permissions/') },
  { id: 'spaces', name: 'the space actions', when: at('spaces/') },
  { id: 'ppf', name: 'push and pull', when: isPushPull },
] as const;
const all = { id: 'all', name: 'its API', when: isOperation } as const;
const wiki = { id: 'wiki', name: 'the wiki extension', when: isWiki } as const;

const PARAMETERS = operations.flatMap(({ query }) => Object.keys(query ?? {}));

function inKnownCase(name: string, known: readonly string[]): string {
  return known.find(one => one.toLowerCase() === name.toLowerCase()) ?? name;
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
  ...breaking('address.json-bodies', {
    'reads forms instead of JSON in group requests': asksInstead(at('groups/'), ({ body = '' }) => {
      const form = new URLSearchParams(body.toString());
      return { json: { group: form.get('group') ?? '', users: form.getAll('users') } };
    }),
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
  }),
];
