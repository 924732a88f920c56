// What a faulty server is, and what proxies look at in a request and make of it.
import { putPage } from '../../server/domain/pages.js';
import type { World } from '../../server/domain/world.js';
import type { Asked, Change } from './proxied-server.js';

export interface OneFault {
  /** The rule that is broken; where the document says it twice, any of them. */
  readonly rule: string | readonly string[];
  readonly description: string;
  /** A function where it remembers something: each server gets its own. */
  readonly change: Change | (() => Change);
  /** Where it can be seen: under the default readings too, only where effects are visible, only where the hosts show them, or nowhere. */
  readonly seen: 'always' | 'with effects' | 'read back' | 'never';
}

export type Fields = Readonly<Record<string, unknown>>;
export const fields = ({ json }: Pick<Asked, 'json'>): Fields =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : {};
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const isPpf = ({ place }: Asked) => place === 'push' || place === 'pull';
export const ok = (status: number) => status >= 200 && status < 300;
export const json = (text: string): Fields => fields({ json: text === '' ? {} : JSON.parse(text) });

/** Nothing comes of these requests. */
export const without = (isMeant: (asked: Asked) => boolean): Change => ({
  world: (asked, after, before) => (isMeant(asked) ? before : after),
});
export const at =
  (place: string, method?: string) =>
  (asked: Asked): boolean =>
    asked.place === place && (method === undefined || asked.method === method);
/** Another body for requests that fit. */
export const sending = (isMeant: (asked: Asked) => boolean, body: (some: Fields, asked: Asked) => unknown): Change => ({
  request: asked => (isMeant(asked) && asked.json !== undefined ? { json: body(fields(asked), asked) } : {}),
});
export const answering = (
  isMeant: (status: number, asked: Asked) => boolean,
  other: ReturnType<NonNullable<Change['answer']>>,
): Change => ({ answer: ({ status }, asked) => (isMeant(status, asked) ? other : {}) });
export const refused = (status: number) => ({ status, text: '', headers: {} });
export const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string');
export const isIds = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every(Number.isInteger);
export const isGroups = ({ place }: Asked) => place.startsWith('groups/');
export const isPermissions = ({ place }: Asked) => place.startsWith('permissions/');
export const namesIn = ({ users }: Fields) => (isNames(users) ? users : []);

/** Another path for requests to an operation. */
export const instead = (from: string, path: string): Change => ({
  request: asked => (at(from)(asked) ? { path: asked.path.replace(from, path) } : {}),
});
export const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`;
export const isAnonymous = (asked: Asked) => headerOf(asked, 'authorization') === undefined;
export const headerOf = ({ headers }: Asked, name: string) =>
  Object.entries(headers).find(([own]) => own.toLowerCase() === name)?.[1];
/** Neither a password nor a session. */
export const isWithoutCredentials = (asked: Asked) => isAnonymous(asked) && headerOf(asked, 'cookie') === undefined;
export const callerOf = ({ headers }: Asked) =>
  Buffer.from((headers.Authorization ?? '').replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')[0];

/** Each element of a list of objects becomes another. */
export const everyElement = (some: unknown, change: (one: Fields) => unknown) =>
  list(some).map(one => (typeof one === 'object' && one !== null ? change(fields({ json: one })) : one));

export const pageIdOf = ({ path }: Asked) => /permissions\/[^/]+\/([^/?]+)/.exec(path)?.[1] ?? '';
export type Page = NonNullable<ReturnType<World['pages']['get']>>;
/** Something else becomes of the page that permissions were changed of. */
export const changingPage =
  (isMeant: (asked: Asked) => boolean, change: (after: Page, before: Page, asked: Asked) => Page) =>
  (asked: Asked, after: World, before: World): World | undefined => {
    const own = after.pages.get(pageIdOf(asked));
    const old = before.pages.get(pageIdOf(asked));
    if (!isMeant(asked) || own === undefined || old === undefined) return undefined;
    return putPage(after, pageIdOf(asked), change(own, old, asked));
  };

export const parameter = (name: string, { path }: Asked) => new URLSearchParams(path.split('?')[1]).get(name);
export const html = (text: string) => ({ text, headers: { 'content-type': 'text/html' } });

/** Something else becomes of a group whose members have changed. */
export const members =
  (place: string, change: (after: Members, before: Members) => Members) =>
  (asked: Asked, after: World, before: World): World | undefined => {
    const name = String(fields(asked).group);
    const own = after.groups.get(name);
    const old = before.groups.get(name);
    if (!at(place)(asked) || own === undefined || old === undefined) return undefined;
    return { ...after, groups: after.groups.set(name, change(own, old)) };
  };
export type Members = NonNullable<ReturnType<World['groups']['get']>>;

/** Something else becomes of each page that an operation has changed or created. */
export const changedPages =
  (place: string, change: (after: Page, before: Page | undefined, asked: Asked) => Page) =>
  (asked: Asked, after: World, before: World): World | undefined =>
    at(place)(asked)
      ? [...after.pages].reduce((world, [id, one]) => {
          const old = before.pages.get(id);
          return old === one ? world : putPage(world, id, change(one, old, asked));
        }, after)
      : undefined;

/** Another JSON in the place of what push and pull report. */
export const reporting = (
  isMeant: (asked: Asked) => boolean,
  other: (body: Fields, asked: Asked) => unknown,
): Change => ({
  answer: ({ status, text }, asked) => (isMeant(asked) && status === 200 ? { json: other(json(text), asked) } : {}),
});
const WITH_ANY_PASSWORD = ['alice', 'demouser1', 'demouser2'];
/** Users of the default world who are no admins, with credentials that count. */
export const isKnownOther = (asked: Asked) =>
  headerOf(asked, 'authorization') === basic('carol') || WITH_ANY_PASSWORD.includes(callerOf(asked) ?? '');
/** Known callers who are no admins. */
export const isOther = (asked: Asked) => !isAnonymous(asked) && callerOf(asked) !== 'admin';
export const admin = ({ headers }: Asked) => ({ headers: { ...headers, Authorization: basic('admin') } });
/** These requests are served as if the admin had sent them. */
export const asAdmin = (isMeant: (asked: Asked) => boolean): Change => ({
  request: asked => (isMeant(asked) ? admin(asked) : {}),
});
/** Each list of a body, or each other value, becomes another. */
export const everyField = (body: Fields, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, change(value)]));
