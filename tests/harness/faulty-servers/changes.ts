// The type of the faulty servers, and what their changes are made of besides the parts of conform's own faults.
import {
  asksInstead,
  at,
  both,
  doesNothing,
  fieldsOf,
  isText,
  listIn,
  makes,
  reads,
  readsFields,
  readsQuery,
  sends,
  type When,
} from '../../../harness/conform/faults/fault-changes.js';
import type { Asked, Change, ServerFault } from '../../../harness/conform/faults/server-fault.js';
import { authorization } from '../../../server/derive/sending/call.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { pagesOf, putPage, removePage } from '../../../server/domain/world/pages.js';
import {
  type Favourites,
  favouritesOf,
  type Names,
  type Page,
  type Permission,
  type World,
} from '../../../server/domain/world/world.js';
import type { Received } from '../../../server/scenario/play/target.js';

/** `change`: a function if the server keeps state, so that each server has its own. */
export interface FaultyServer extends Omit<ServerFault, 'change'> {
  readonly change: Change | (() => Change);
}

/** Servers that break a rule, or one of several where the document says the same twice, by what they do. */
export const breaking = (
  rule: string | readonly string[],
  changes: Readonly<Record<string, FaultyServer['change']>>,
): readonly FaultyServer[] => Object.entries(changes).map(([says, change]) => ({ says, rules: [rule].flat(), change }));

// Requests

export const isGroups = at('groups/');
export const isPermissions = at('permissions/');
export const isPpf = at('push', 'pull');
export const isWiki = at('groups/', 'permissions/', 'spaces/');
export const by =
  (method: string): When =>
  asked =>
    asked.method === method;
/** Removes from a permission, by either method. */
export const removing = (kind: Permission | 'all'): When =>
  both(at(`permissions/${kind}`), ({ method }) => method !== 'PUT');
export const isBelowContext: When = ({ path }) => !/^\/(rest|cwxapiextension)\//.test(path);
export const isAnonymous: When = ({ headers }) =>
  !Object.keys(headers).some(name => /^(authorization|cookie)$/i.test(name));
/** Of a user with the right password who is not an admin. */
export const isOther: When = ({ caller, response }) =>
  caller.name !== undefined && !caller.isAdmin && response.status === 403;
const isNone = (list: unknown) => list === undefined || (Array.isArray(list) && list.length === 0);
const lacks = (one: string, other: string): When =>
  both(isPpf, ({ json }) => isObject(json) && isNone(json[one]) && isNone(json[other]));
export const lacksRecipient = lacks('users', 'groups');
export const lacksItem = lacks('filters', 'dashboards');

export const names = (list: readonly unknown[]): readonly string[] => list.filter(isText);
export const usersOf = (asked: Asked): readonly string[] => names(listIn(asked, 'users'));
export const groupsOf = (asked: Asked): readonly string[] => names(listIn(asked, 'groups'));
export const namesUnknownUser: When = asked => usersOf(asked).some(user => !asked.world.users.has(user));
export const parameter = (name: string, { query }: Asked): string => query.get(name) ?? '';

/** Another value of one field. */
export const rewriting = (when: When, field: string, other: (value: unknown) => unknown): Change =>
  readsFields(when, fields => ({ ...fields, [field]: other(fields[field]) }));
/** Another value of one query parameter, if it is sent. */
export const askingFor = (place: string, name: string, other: (value: string, asked: Asked) => string): Change =>
  readsQuery(
    both(at(place), ({ query }) => query.has(name)),
    (query, asked) => query.set(name, other(parameter(name, asked), asked)),
  );
/** Other pairs of replaceInPage. */
export const replacing = (other: (pairs: ReadonlyArray<Fields>, asked: Asked) => readonly unknown[]): Change =>
  reads(at('spaces/replaceInPage'), (json, asked) =>
    Array.isArray(json)
      ? other(
          json.map(pair => fieldsOf({ json: pair })),
          asked,
        )
      : json,
  );
type Fields = ReturnType<typeof fieldsOf>;
/** The place of the documented path is taken by another one. */
export const moving = (from: string, to: string): Change =>
  asksInstead(
    () => true,
    ({ path }) =>
      path.includes(to) ? { path: path.replace(to, from) } : path.includes(from) ? { path: '/nowhere' } : {},
  );
/** Another method serves an operation, and the documented one gets 405. */
export const byMethod = (place: string, documented: string, own: string): Change =>
  asksInstead(at(place), ({ method }) =>
    method === documented ? { method: 'PATCH' } : method === own ? { method: documented } : {},
  );
/** Served as if the admin had sent it. */
export const asAdmin = (when: When): Change =>
  asksInstead(when, ({ headers }) => ({
    headers: { ...headers, Authorization: authorization({ user: 'admin', password: 'admin' }) },
  }));

// Responses

export const page = (status: number, text: string): Received => ({
  status,
  text: `<!DOCTYPE html><html><body><h1>${text}</h1></body></html>`,
  headers: { 'content-type': 'text/html;charset=UTF-8' },
});
export const empty = (status: number): Received => ({ status, text: '', headers: {} });
/** Another response to all of these requests, which change nothing. */
export const refusing = (when: When, other: Received): Change => ({
  ...doesNothing(when),
  response: (_, asked) => (when(asked) ? other : {}),
});

/** What push and pull respond with. */
export interface Report {
  readonly success: boolean;
  readonly messages: readonly string[];
}
/** Another body in the place of a report. */
export const reporting = (other: (report: Report, asked: Asked) => unknown): Change =>
  sends(isPpf, ({ success, messages }, asked) =>
    other({ success: success === true, messages: names(Array.isArray(messages) ? messages : []) }, asked),
  );

/** The requests with these numbers, counted from 1, get an error before anything is done. */
export const sometimes = (when: When, isHit: (count: number) => boolean, error: Received) => (): Change => {
  let count = 0;
  let hits = false;
  return {
    request: asked => {
      hits = when(asked) && isHit(++count);
      return {};
    },
    world: (after, before) => (hits ? before : after),
    response: () => (hits ? error : {}),
  };
};

// The world after a request

/** Other members of each group whose members have changed. */
export const members = (when: When, other: (after: Members, before: Members, asked: Asked) => Members): Change =>
  makes(when, (after, asked) => ({
    ...after,
    groups: after.groups.map((own, name) => {
      const old = asked.world.groups.get(name);
      return old === undefined || own === old ? own : other(own, old, asked);
    }),
  }));
type Members = Names['users'];

/** Another state of each page that has changed. */
export const pages = (when: When, other: (after: Page, before: Page, asked: Asked) => Page): Change =>
  makes(when, (after, asked) =>
    [...after.pages].reduce((world, [id, own]) => {
      const old = asked.world.pages.get(id);
      return old === undefined || own === old ? world : putPage(world, id, other(own, old, asked));
    }, after),
  );
/** Another permission of a page that one has been added to (PUT) or removed from. */
export const permitted = (
  kind: Permission,
  verb: 'add' | 'remove',
  other: (after: Names, before: Names, asked: Asked) => Names,
): Change =>
  pages(verb === 'add' ? both(at(`permissions/${kind}`), by('PUT')) : removing(kind), (after, before, asked) => ({
    ...after,
    [kind]: other(after[kind], before[kind], asked),
  }));

/** Another world after a space was copied. */
export const copied = (other: (after: World, key: string, asked: Asked) => World): Change =>
  makes(at('spaces/copySpace'), (after, asked) =>
    after.spaces === asked.world.spaces ? after : other(after, parameter('targetSpaceKey', asked), asked),
  );
/** Other pages in a copied space; `undefined`: the page is not there. */
export const copiedPages = (other: (page: Page, asked: Asked) => Page | undefined): Change =>
  copied((after, key, asked) =>
    pagesOf(after, key).reduce((world, [id, own]) => {
      const changed = other(own, asked);
      return changed === undefined ? removePage(world, id) : putPage(world, id, changed);
    }, after),
  );
/** Whether a query parameter of a copy has this value, in any case. */
export const copying = (name: string, value: string): When =>
  both(at('spaces/copySpace'), ({ query }) => query.get(name)?.toLowerCase() === value);

/** Other favourites of each user whose favourites have changed. */
export const favourites = (
  when: When,
  other: (after: Favourites, before: Favourites, user: string, asked: Asked) => Favourites,
): Change =>
  makes(when, (after, asked) => ({
    ...after,
    favourites: after.favourites.map((own, user) => {
      const old = favouritesOf(asked.world, user);
      return own === old ? own : other(own, old, user, asked);
    }),
  }));
