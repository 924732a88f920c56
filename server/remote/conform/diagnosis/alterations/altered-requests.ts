// Alterations of the request: only a part of it, other texts, or another operation.
import type { HttpRequest } from '../../../../derive/sending/call.js';
import { isObject } from '../../../../domain/form/patch.js';
import type { World } from '../../../../domain/world.js';
import { bodyOf } from '../../../../scenario/play/judging.js';

export interface Alteration {
  /** Unique among all alterations. */
  readonly name: string;
  /** The request to perform instead. Default: the request itself. */
  readonly asked?: (request: HttpRequest) => HttpRequest;
  /** The world afterwards, instead of the right one (`after`). Default: the right one. */
  readonly world?: (after: World, before: World, request: HttpRequest) => World;
  /** It changes what requests of other files are about. */
  readonly isLeft?: true;
}

export const named = ['users', 'groups', 'filters', 'dashboards'] as const;

export type List = (typeof named)[number];

type Elements = readonly unknown[];

/** The part of a list that is used. */
const parts: Readonly<Record<string, (elements: Elements) => Elements>> = {
  'only the first of': elements => elements.slice(0, 1),
  'only the last of': elements => elements.slice(-1),
  'all but the first of': elements => (elements.length > 1 ? elements.slice(1) : elements),
  'all but the last of': elements => (elements.length > 1 ? elements.slice(0, -1) : elements),
  'none of': () => [],
};

export const inLists = (lists: readonly List[]): Alteration[] =>
  lists.flatMap(list => [
    ...Object.entries(parts).map(
      ([part, change]): Alteration => ({
        name: `${part} the ${list}`,
        asked: withBody(body => changed(body, list, change)),
      }),
    ),
    {
      name: `none of the ${list} beside others`,
      asked: withBody(body => (hasOthers(body, list) ? changed(body, list, () => []) : body)),
    },
  ]);

export const nobodyIsNamed: Alteration = {
  name: 'nobody is named',
  asked: withBody(body => (isObject(body) ? { ...body, users: [], groups: [] } : body)),
};

/** Operations that a server may confuse with this one, as replacements in the path. */
const others: Readonly<Record<string, ReadonlyArray<readonly [from: RegExp, to: string]>>> = {
  'groups.add-users': [
    [/add-users/, 'set-users'],
    [/add-users/, 'remove-users'],
  ],
  'groups.remove-users': [
    [/remove-users/, 'set-users'],
    [/remove-users/, 'add-users'],
  ],
  'groups.set-users': [
    [/set-users/, 'add-users'],
    [/set-users/, 'remove-users'],
  ],
  'permissions.edit-add': [[/\/edit\//, '/view/']],
  'permissions.edit-remove': [[/\/edit\//, '/view/']],
  'permissions.view-add': [[/\/view\//, '/edit/']],
  'permissions.view-remove': [[/\/view\//, '/edit/']],
  'permissions.all-remove': [
    [/\/all\//, '/view/'],
    [/\/all\//, '/edit/'],
  ],
  'ppf.push': [[/\/push/, '/pull']],
  'ppf.pull': [[/\/pull/, '/push']],
};

const onePlace = (
  field: 'oldText' | 'newText',
  name: string,
  text: (element: Readonly<Record<string, unknown>>) => unknown,
): Alteration => ({
  name,
  asked: withBody(body =>
    Array.isArray(body)
      ? body.map(one => (isObject(one) && field in one ? { ...one, [field]: text(one) } : one))
      : body,
  ),
});

/** Wrong ways to read a text. */
const misreadTexts: Readonly<Record<string, (text: string) => string>> = {
  'in small letters': text => text.toLowerCase(),
  'in capitals': text => text.toUpperCase(),
  'with a capital first': text => text.slice(0, 1).toUpperCase() + text.slice(1),
  trimmed: text => text.trim() || text,
};

/** Wrong uses of the texts of an element. */
export const ofTexts: readonly Alteration[] = [
  onePlace('newText', 'the new text is empty', () => ''),
  onePlace('newText', 'the new text is the old one', ({ oldText }) => oldText),
  ...Object.entries(misreadTexts).flatMap(([name, misread]) =>
    (['newText', 'oldText'] as const).map(field =>
      onePlace(field, `${field} ${name}`, one => (typeof one[field] === 'string' ? misread(one[field]) : one[field])),
    ),
  ),
];

export const textsExchanged: Alteration = {
  name: 'the texts stand for one another',
  asked: withBody(body =>
    Array.isArray(body)
      ? body.map(one => (isObject(one) ? { ...one, oldText: one.newText, newText: one.oldText } : one))
      : body,
  ),
};

/** Wrong ways to read a text that is not ASCII. */
export const misread: readonly Alteration[] = [
  { name: 'UTF-8 is read as Latin-1', asked: withText(text => Buffer.from(text).toString('latin1')) },
  { name: 'letters beyond ASCII become question marks', asked: withText(text => text.replaceAll(/[^\0-\x7f]/gu, '?')) },
  { name: 'letters beyond ASCII are left out', asked: withText(text => text.replaceAll(/[^\0-\x7f]/gu, '')) },
];

function withText(change: (text: string) => string): (request: HttpRequest) => HttpRequest {
  return request =>
    request.body === undefined ? request : { ...request, body: change(Buffer.from(request.body).toString('utf8')) };
}

export function inPlaceOf(operation: string): Alteration[] {
  const swapped = (others[operation] ?? []).map(
    ([from, to]): Alteration => ({
      name: `${to} for ${from.source}`,
      asked: request => ({ ...request, path: request.path.replace(from, to) }),
    }),
  );
  const [, what] = /^permissions\.(?:edit|view)-(add|remove)$/.exec(operation) ?? [];
  if (what === undefined) return swapped;
  const method = what === 'add' ? 'DELETE' : 'PUT';
  return [...swapped, { name: `${method} for ${what}`, asked: request => ({ ...request, method }) }];
}

export function withBody(change: (body: unknown) => unknown): (request: HttpRequest) => HttpRequest {
  return request => {
    const body = jsonIn(request);
    const other = body === undefined ? body : change(body);
    return other === body ? request : { ...request, body: JSON.stringify(other) };
  };
}

/** The user whose name is sent with a password. */
export function callerOf({ headers }: HttpRequest): string | undefined {
  const [, credentials] = /^Basic (.*)$/.exec(headers.Authorization ?? '') ?? [];
  return credentials === undefined ? undefined : Buffer.from(credentials, 'base64').toString().split(':')[0];
}

export function jsonIn({ body }: HttpRequest): unknown {
  return body === undefined ? undefined : bodyOf({ text: Buffer.from(body).toString('utf8') });
}

function changed(body: unknown, list: List, change: (elements: Elements) => Elements): unknown {
  if (!isObject(body)) return body;
  const elements = body[list];
  return Array.isArray(elements) ? { ...body, [list]: change(elements) } : body;
}

const size = (value: unknown) => (Array.isArray(value) ? value.length : 0);

const beside: Readonly<Record<List, List>> = {
  users: 'groups',
  groups: 'users',
  filters: 'dashboards',
  dashboards: 'filters',
};

export function hasOthers(body: unknown, list: List): boolean {
  return isObject(body) && size(body[list]) > 0 && size(body[beside[list]]) > 0;
}

/** How many users and groups a request names, each once. */
export function namesIn(request: HttpRequest): number {
  const body = jsonIn(request);
  if (!isObject(body)) return 0;
  return (['users', 'groups'] as const).reduce(
    (sum, list) => sum + (Array.isArray(body[list]) ? new Set(body[list]).size : 0),
    0,
  );
}

export function has(request: HttpRequest, list: List): boolean {
  const body = jsonIn(request);
  return isObject(body) && size(body[list]) > 0;
}

export function isOfSeveral(request: HttpRequest): boolean {
  const body = jsonIn(request);
  return Array.isArray(body) ? body.length > 1 : isObject(body) && named.some(list => size(body[list]) > 1);
}
