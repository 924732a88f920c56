// The type of the faulty servers, and helpers that build their changes.

import type { Asked, Change } from '../../../harness/conform/faults/server-fault.js';
import { parsedJson } from '../../../server/domain/json/parsed-json.js';
import { pagesOf, pageTitled, putPage, removePage } from '../../../server/domain/world/pages.js';
import {
  type Favourites,
  favouritesOf,
  type Names,
  type Page,
  type Permission,
  type World,
} from '../../../server/domain/world/world.js';
import type { Received } from '../../../server/scenario/play/target.js';

export interface FaultyServer {
  /** Completes the sentence "A server that …". */
  readonly says: string;
  /** The broken rule; several where the document says the same twice. */
  readonly rule: string | readonly string[];
  /** A function if the server keeps state: each server has its own. */
  readonly change: Change | (() => Change);
  /** Why neither a response nor a REST resource can show it. */
  readonly unseen?: string;
}

/** A server that breaks no rule. */
export type CorrectServer = Pick<FaultyServer, 'says' | 'change'>;

/** Servers that break a rule, by what they do. */
export const breaking = (
  rule: FaultyServer['rule'],
  changes: Readonly<Record<string, FaultyServer['change']>>,
  unseen?: string,
): readonly FaultyServer[] =>
  Object.entries(changes).map(([says, change]) => ({ says, rule, change, ...(unseen !== undefined && { unseen }) }));

export type Fields = Readonly<Record<string, unknown>>;
export type Meant = (asked: Asked) => boolean;
type ResponsePart = ReturnType<NonNullable<Change['response']>>;

// Parts of a request

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const fields = (value: unknown): Fields => (isObject(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isText = (value: unknown): value is string => typeof value === 'string';
export const names = (value: unknown): readonly string[] => list(value).filter(isText);
/** The users that the body names. */
export const usersOf = ({ json }: Asked): readonly string[] => names(fields(json).users);
export const groupsOf = ({ json }: Asked): readonly string[] => names(fields(json).groups);
/** A text field of the body. */
export const textField = (name: string, { json }: Pick<Asked, 'json'>): string => {
  const value = fields(json)[name];
  return isText(value) ? value : '';
};
export const isEmpty = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);
export const textOf = ({ body }: Asked): string => Buffer.from(body ?? '').toString();
export const parameter = (name: string, { query }: Asked): string => query.get(name) ?? '';
export const headerOf = ({ headers }: Asked, name: string): string | undefined =>
  Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];

// Tests of a request

export const at =
  (place: string, method?: string): Meant =>
  asked =>
    asked.place === place && (method === undefined || asked.method === method);
export const both =
  (...tests: readonly Meant[]): Meant =>
  asked =>
    tests.every(test => test(asked));
const isIn =
  (family: string): Meant =>
  ({ place }) =>
    place.startsWith(`${family}/`);
export const isGroups = isIn('groups');
export const isPermissions = isIn('permissions');
export const isSpaces = isIn('spaces');
export const isPpf: Meant = ({ place }) => place === 'push' || place === 'pull';
export const isWiki: Meant = asked => asked.place !== '' && !isPpf(asked);
export const isAny: Meant = () => true;
export const isBelowContext: Meant = ({ path }) => !/^\/(rest|cwxapiextension)\//.test(path);
/** Removes from a permission, by either method. */
export const removing =
  (kind: Permission | 'all'): Meant =>
  asked =>
    at(`permissions/${kind}`)(asked) && asked.method !== 'PUT';
export const isAnonymous: Meant = asked =>
  headerOf(asked, 'authorization') === undefined && headerOf(asked, 'cookie') === undefined;
/** A user with the right password who is not an admin. */
export const isOther: Meant = asked => {
  const { name, isAdmin } = asked.caller;
  if (name === undefined || isAdmin) return false;
  const { password } = asked.world.users.get(name) ?? {};
  const [scheme, value = ''] = (headerOf(asked, 'authorization') ?? '').split(' ');
  return (
    password === undefined || scheme !== 'Basic' || Buffer.from(value, 'base64').toString().endsWith(`:${password}`)
  );
};
const hasNone =
  (...lists: readonly string[]): Meant =>
  asked =>
    isPpf(asked) && isObject(asked.json) && lists.every(name => isEmpty(fields(asked.json)[name]));
export const lacksRecipient = hasNone('users', 'groups');
export const lacksItem = hasNone('filters', 'dashboards');
export const isLacking: Meant = asked => lacksRecipient(asked) || lacksItem(asked);
export const namesUnknownUser: Meant = asked => usersOf(asked).some(user => !asked.world.users.has(user));

// Responses

export const ok = (status: number): boolean => status >= 200 && status < 300;
export const empty = (status: number): ResponsePart => ({ status, text: '', headers: {} });
export const page = (status: number, text: string): ResponsePart => ({
  status,
  text: `<!DOCTYPE html><html><body><h1>${text}</h1></body></html>`,
  headers: { 'content-type': 'text/html;charset=UTF-8' },
});

/** Another response where the status of the correct one fits. */
export const responding = (isMeant: Meant, fits: (status: number) => boolean, other: ResponsePart): Change => ({
  response: ({ status }, asked) => (isMeant(asked) && fits(status) ? other : {}),
});
/** An error although the work is done. */
export const failing = (isMeant: Meant, status: number): Change => responding(isMeant, ok, empty(status));
/** Nothing changes in the world. */
export const idle = (isMeant: Meant): Change => ({
  world: (after, before, asked) => (isMeant(asked) ? before : after),
});
/** Requests that a correct server accepts are refused. */
export const refusing = (isMeant: Meant, status: number): Change => ({
  ...failing(isMeant, status),
  ...idle(isMeant),
});
/** Unknown path the address of these requests. */
export const missing = (isMeant: Meant): Change => ({
  response: (_, asked) => (isMeant(asked) ? empty(404) : {}),
  ...idle(isMeant),
});

/** What push and pull respond with. */
export interface Report {
  readonly success: boolean;
  readonly messages: readonly string[];
}
/** `undefined`: it is not a report. */
export const reportOf = ({ status, text }: Received, asked: Asked): Report | undefined => {
  const { success, messages } = fields(isPpf(asked) && status === 200 ? parsedJson(text) : undefined);
  return typeof success === 'boolean' && Array.isArray(messages) ? { success, messages: names(messages) } : undefined;
};
/** Another body in the place of a report. */
export const reporting = (isMeant: Meant, other: (report: Report, asked: Asked) => unknown): Change => ({
  response: (response, asked) => {
    const report = isMeant(asked) ? reportOf(response, asked) : undefined;
    const json = report && other(report, asked);
    return json === report ? {} : { json };
  },
});

// Requests

/** Another body where it is an object. */
export const sending = (isMeant: Meant, other: (body: Fields, asked: Asked) => Fields): Change => ({
  request: asked => {
    if (!isMeant(asked) || !isObject(asked.json)) return {};
    const json = other(asked.json, asked);
    return json === asked.json ? {} : { json };
  },
});
/** Another value of one field. */
export const rewriting = (isMeant: Meant, field: string, other: (value: unknown) => unknown): Change =>
  sending(isMeant, body => {
    const value = other(body[field]);
    return value === body[field] ? body : { ...body, [field]: value };
  });
/** Another list in one field. */
export const listing = (
  isMeant: Meant,
  field: string,
  other: (some: readonly unknown[]) => readonly unknown[],
): Change => rewriting(isMeant, field, value => (Array.isArray(value) ? other(value) : value));
/** The server has another name for a field. */
export const renaming = (isMeant: Meant, field: string, own: string): Change =>
  sending(isMeant, body => ({ ...body, [own]: undefined, [field]: body[own] }));
/** Finds these fields in any case. */
export const inAnyCase = (body: Fields, ...known: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const meant = known.find(one => one.toLowerCase() === name.toLowerCase());
      return [meant === undefined || meant in body ? name : meant, value];
    }),
  );
/** Other query parameters. */
export const asking = (isMeant: Meant, change: (query: URLSearchParams, asked: Asked) => void): Change => ({
  request: asked => {
    if (!isMeant(asked) || asked.query.size === 0) return {};
    const query = new URLSearchParams(asked.query);
    change(query, asked);
    const path = asked.path.split('?')[0] ?? '';
    return String(query) === String(asked.query) ? {} : { path: `${path}?${query}` };
  },
});
/** Another value of one query parameter, if it is sent. */
export const askingFor = (place: string, name: string, other: (value: string, asked: Asked) => string): Change =>
  asking(
    both(at(place), ({ query }) => query.has(name)),
    (query, asked) => query.set(name, other(parameter(name, asked), asked)),
  );
/** Another body of replaceInPage, if it is a list. */
export const replacing = (other: (pairs: readonly unknown[], asked: Asked) => unknown): Change => ({
  request: asked =>
    at('spaces/replaceInPage')(asked) && Array.isArray(asked.json) ? { json: other(asked.json, asked) } : {},
});
/** Another path stands for the documented one. */
export const moving = (from: string, to: string): Change => ({
  request: ({ path }) => {
    if (path.includes(to)) return { path: path.replace(to, from) };
    return path.includes(from) ? { path: '/nowhere' } : {};
  },
});
/** One operation does the work of another. */
export const mistaking = (from: string, to: string, method?: string): Change => ({
  request: asked => (at(from, method)(asked) ? { path: asked.path.replace(`/${from}`, `/${to}`) } : {}),
});
/** Another method serves an operation, and the documented one gets 405. */
export const byMethod = (place: string, documented: string, own: string): Change => ({
  request: asked => {
    if (at(place, documented)(asked)) return { method: 'PATCH' };
    return at(place, own)(asked) ? { method: documented } : {};
  },
  response: ({ status }, asked) => (status === 405 && at(place)(asked) ? empty(405) : {}),
});
/** Served as if the admin had sent it. */
export const asAdmin = (isMeant: Meant): Change => ({
  request: asked => {
    if (!isMeant(asked)) return {};
    const others = Object.entries(asked.headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name));
    const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
    return { headers: { ...Object.fromEntries(others), Authorization: authorization } };
  },
});

// The world after a request

type Members = NonNullable<ReturnType<World['groups']['get']>>;
/** Other members of a group whose members have changed. */
export const members = (place: string, other: (after: Members, before: Members, asked: Asked) => Members): Change => ({
  world: (after, before, asked) => {
    const name = textField('group', asked);
    const own = after.groups.get(name);
    const old = before.groups.get(name);
    if (!at(place)(asked) || own === undefined || old === undefined || own === old) return after;
    return { ...after, groups: after.groups.set(name, other(own, old, asked)) };
  },
});

export const without = (some: Names, others: Names): Names => ({
  users: some.users.subtract(others.users),
  groups: some.groups.subtract(others.groups),
});
/** Another state of a page whose permissions have changed. */
export const restricted = (isMeant: Meant, other: (after: Page, before: Page, asked: Asked) => Page): Change => ({
  world: (after, before, asked) => {
    const id = /\/permissions\/[^/]+\/([^/?]+)/.exec(asked.path)?.[1] ?? '';
    const own = after.pages.get(id);
    const old = before.pages.get(id);
    if (!isMeant(asked) || own === undefined || old === undefined || own === old) return after;
    return putPage(after, id, other(own, old, asked));
  },
});
/** Another permission of a page that one has been added to (PUT) or removed from. */
export const permitted = (
  kind: Permission,
  verb: 'add' | 'remove',
  other: (after: Names, before: Names, asked: Asked) => Names,
): Change =>
  restricted(verb === 'add' ? at(`permissions/${kind}`, 'PUT') : removing(kind), (after, before, asked) => ({
    ...after,
    [kind]: other(after[kind], before[kind], asked),
  }));

/** Another world after a space was copied. */
export const copied = (other: (after: World, key: string, asked: Asked) => World): Change => ({
  world: (after, before, asked) => {
    const key = parameter('targetSpaceKey', asked);
    const isDone = at('spaces/copySpace')(asked) && !before.spaces.has(key) && after.spaces.has(key);
    return isDone ? other(after, key, asked) : after;
  },
});
/** Other pages in a copied space; `undefined`: the page is not there. */
export const copiedPages = (other: (page: Page, asked: Asked, place: number) => Page | undefined): Change =>
  copied((after, key, asked) =>
    pagesOf(after, key).reduce((world, [id, own], place) => {
      const changed = other(own, asked, place);
      return changed === undefined ? removePage(world, id) : putPage(world, id, changed);
    }, after),
  );
/** Another name of a copied space. */
export const copiedName = (other: (name: string, asked: Asked) => string): Change =>
  copied((after, key, asked) => ({
    ...after,
    spaces: after.spaces.update(key, space => space && { ...space, name: other(space.name, asked) }),
  }));
/** Whether a query parameter of a copy has this value, in any case. */
export const copying =
  (name: string, value: string): Meant =>
  asked =>
    at('spaces/copySpace')(asked) && asked.query.get(name)?.toLowerCase() === value;

/** Another state of the page in which text was replaced. */
export const replaced = (other: (after: Page, before: Page, asked: Asked) => Page): Change => ({
  world: (after, before, asked) => {
    const id = replacedId(asked);
    const own = after.pages.get(id);
    const old = before.pages.get(id);
    if (!at('spaces/replaceInPage')(asked) || own === undefined || old === undefined || own === old) return after;
    return putPage(after, id, other(own, old, asked));
  },
});
/** The page that replaceInPage means, by its id. */
export const replacedId = (asked: Asked): string =>
  pageTitled(asked.world, parameter('spaceKey', asked), parameter('pageTitle', asked)) ?? '';

/** Other favourites of each user whose favourites have changed. */
export const favourites = (
  place: 'push' | 'pull',
  other: (after: Favourites, before: Favourites, user: string, asked: Asked) => Favourites,
): Change => ({
  world: (after, before, asked) => {
    if (!at(place)(asked) || after.favourites === before.favourites) return after;
    const all = after.favourites.map((own, user) => {
      const old = favouritesOf(before, user);
      return own === old ? own : other(own, old, user, asked);
    });
    return { ...after, favourites: all };
  },
});

// Servers that fail now and then

/** The requests with these numbers, counted from 1, get an error before anything is done. */
export const sometimes = (isMeant: Meant, isHit: (count: number) => boolean, error: ResponsePart) => (): Change => {
  let count = 0;
  let hits = false;
  return {
    request: asked => {
      hits = isMeant(asked) && isHit(++count);
      return {};
    },
    world: (after, before) => (hits ? before : after),
    response: () => (hits ? error : {}),
  };
};
