// What the operations of the model have in common: a request and its parts, the names in it, and the responses of success. Refuses by throwing a status.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Request } from '../../../server/engine/request/request.js';
import { isJson, type Json, type ModelPage, type ModelWorld, type Named } from '../model-world.js';

/** A request as it was sent: path, query and all. */
export type ModelRequest = Pick<Request, 'method' | 'url' | 'credentials' | 'contentType' | 'body' | 'readings'>;

/** An operation of the document's tables (sections 2 to 4), copied by hand and independent of the sources, and what it does. */
export interface ModelOperation {
  readonly method: string;
  /** Below the address of its family. */
  readonly path: string;
  /** The method that only its heading names. */
  readonly heading?: string;
  /** The fields of each part of a request, and of the response; a list of one stands for an array. */
  readonly fields: Readonly<Partial<Record<'path' | 'query' | 'body' | 'reply', unknown>>>;
  /** Its effect on the world, which it changes, and its reply. */
  readonly perform: (given: Given) => Reply;
}

/** The request being decided, and the world it is decided on. */
export interface Given {
  readonly world: ModelWorld;
  readonly read: (gap: string) => string;
  readonly now: string;
  readonly request: ModelRequest;
  /** The parameters in the order sent. */
  readonly pairs: ReadonlyArray<readonly [name: string, value: string]>;
  /** Whether its percent-encoding is valid text. */
  readonly isQueryText: boolean;
  readonly pageId: string;
  /** A user name, or `anonymous`. */
  readonly caller: string;
  /** Called for a valid request to the wiki; refuses callers who may not use it. */
  readonly valid: () => void;
  /** Records that a name was skipped, and the response says so. */
  readonly skipped: () => void;
  /** Records that something happened. */
  readonly happened: () => void;
}

export class Refusal extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}
export function refuse(status: number | string): never {
  throw new Refusal(Number(status));
}

/** Stands for a text in a response that neither the document nor the design fixes. */
export const FREE = '\u0000any text';

/** Stands for one or more of them. */
export const FREE_TEXTS: readonly unknown[] = Object.freeze([FREE]);

export interface Reply {
  readonly status: number;
  /** The JSON value of the body; absent: no body. */
  readonly body?: unknown;
}

type Kind = 'text' | 'texts' | 'ids';
const kinds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: value => typeof value === 'string',
  texts: value => Array.isArray(value) && value.every(one => typeof one === 'string'),
  ids: value => Array.isArray(value) && value.every(Number.isInteger),
};

/** The value of the body, if it has one. `none`: the value without a body. */
export function bodyIn({ request: { body, contentType }, read }: Given, none?: unknown): unknown {
  const isRead = body.kind === 'json' || body.kind === 'not-json' || body.kind === 'not-utf8';
  const isTyped = /^application\/json *(; *charset="?utf-?8"?)?$/i.test(contentType);
  if (isRead && !isTyped && read('content-type') === '415') refuse(415);
  if (body.kind === 'json') return body.value;
  if (body.kind === 'absent') return none ?? refuse(400);
  return refuse(body.kind === 'too-large' ? 413 : body.kind === 'encoding' ? 415 : 400);
}

/** The value as one of the kind, as far as a reading says so. */
export function typed(kind: Kind, value: unknown, reading: string): unknown {
  if (reading === '400') return value;
  if (kind === 'text') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  const one = (element: unknown) =>
    kind === 'texts' ? typed('text', element, reading) : /^-?\d{1,18}$/.test(`${element}`) ? Number(element) : element;
  if (Array.isArray(value)) return value.map(one);
  return reading === 'all' && kinds[kind]([one(value)]) ? [one(value)] : value;
}

/** An object with these fields; all are required, unless a reading or `areDue` says otherwise. */
export function fieldsIn(value: unknown, shape: Readonly<Record<string, Kind>>, { read }: Given, areDue = true): Json {
  if (!isJson(value)) return refuse(400);
  const isThere = (name: string) =>
    Object.hasOwn(value, name) && (value[name] !== null || read('null-field') === '400');
  const isEmpty = (name: string) => read(shape[name] === 'text' ? 'missing-field' : 'missing-list') === 'empty';
  if (
    Object.keys(value).some(name => !Object.hasOwn(shape, name)) &&
    read(areDue ? 'unknown-field' : 'ppf-unknown-field') === '400'
  )
    refuse(400);
  if (Object.values(value).some(one => Array.isArray(one) && one.length > 1000) && read('list-limit') === '1000')
    refuse(400);
  const entries = Object.entries(shape).flatMap(([name, kind]) => {
    if (!isThere(name)) return areDue ? [[name, isEmpty(name) ? (kind === 'text' ? '' : []) : refuse(400)]] : [];
    const one = typed(kind, value[name], read('field-type'));
    return kinds[kind](one) ? [[name, one]] : refuse(400);
  });
  return Object.fromEntries(entries);
}

/** The value of a body that is missing or empty; a reading decides whether its fields may be missing. */
export function due({ read }: Given, none: unknown, ...gaps: readonly string[]): unknown {
  return gaps.every(gap => read(gap) === 'empty') ? none : undefined;
}

export function queryOf(given: Given, names: readonly string[]): readonly string[] {
  const { pairs, read } = given;
  checkNames(given, names);
  const valuesOf = (name: string) => pairs.flatMap(([own, value]) => (own === name ? [value] : []));
  const reading = read('repeated-parameter');
  if (names.some(name => valuesOf(name).length > 1) && reading === '400') refuse(400);
  for (const name of names) if (valuesOf(name).length === 0 && isDue(name, read('missing-parameter'))) refuse(400);
  return names.map(name => valuesOf(name).at(reading === 'last' ? -1 : 0) ?? '');
}

const copyOptions = ['targetSpaceAdmin', 'removeAdminPermissions', 'keepPagesMetadata'];
function isDue(name: string, reading: string): boolean {
  return reading === '400' || (reading === 'copy-options' && !copyOptions.includes(name));
}

/** What is wrong with the names in the query; `expand` has no part of a response to name. */
export function checkNames({ pairs, isQueryText, read }: Given, names: readonly string[]): void {
  const expands = pairs.some(([name, value]) => name === 'expand' && value.split(',').some(one => one.trim() !== ''));
  if (expands && read('expand-unknown') === '400') refuse(400);
  if (!isQueryText) refuse(400);
  const isKnown = (name: string) => name === 'expand' || names.includes(name);
  if (pairs.some(([name]) => !isKnown(name)) && read('unknown-parameter') === '400') refuse(400);
}

/** An unknown name stands for the first equal one in another case, if a reading says so. */
export function meant({ read }: Given, name: string, there: ReadonlyMap<string, unknown>): string {
  if (there.has(name) || read('name-case') === 'exact') return name;
  const isLike = (other: string) => other.length === name.length && other.toLowerCase() === name.toLowerCase();
  return [...there.keys()].filter(isLike).sort()[0] ?? name;
}

/** Unknown names, each once; if case does not count, the first of those that are equal in another case. */
export function eachOnce({ read }: Given, names: readonly string[]): string[] {
  const isSame = (one: string, other: string) =>
    one === other ||
    (one.length === other.length && one.toLowerCase() === other.toLowerCase() && read('name-case') === 'ignored');
  return names.filter((name, i) => names.findIndex(other => isSame(other, name)) === i);
}

/** Known users or groups, each once; a reading may skip others, or create them. */
export function known(
  kind: 'user' | 'group',
  given: Given,
  sent: readonly string[],
  made: Set<string>,
  isRemoving: boolean,
): string[] {
  const there: ReadonlyMap<string, unknown> = given.world[`${kind}s`];
  const names = sent.map(name => meant(given, name, there));
  const unknown = names.filter(name => !there.has(name));
  const reading = given.read(`unknown-${kind}`);
  if (unknown.length > 0 && /\d/.test(reading)) refuse(reading);
  if (unknown.length > 0 && reading === 'message') given.skipped();
  if (reading === 'create' && !isRemoving)
    for (const name of eachOnce(given, unknown)) if (kind === 'group' || name !== 'anonymous') made.add(name);
  return [...new Set(names)].filter(name => there.has(name) || made.has(name));
}

/** New users, who have nothing but their names. */
export function create({ world }: Given, users: ReadonlySet<string>): void {
  for (const name of users) world.users.set(name, { displayName: name, admin: false });
  for (const name of users) world.favourites.set(name, { filters: new Set(), dashboards: new Set() });
}

export function same(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  return a.size === b.size && [...a].every(one => b.has(one));
}

/** In their order. */
export function pagesIn({ pages }: ModelWorld, key: string): Array<[string, ModelPage]> {
  const inside = [...pages].filter(([, { space }]) => space === key);
  return inside.sort(([a, { position }], [b, other]) => position - other.position || Number(a) - Number(b));
}

/** Refuses callers who are neither admins, nor admins of the space, nor editors of the page, if a reading asks for that. */
export function permitted(spaceKey: string, given: Given, page?: ModelPage): void {
  const { world, caller, read } = given;
  if (read('wiki-auth') !== 'permitted' || world.users.get(caller)?.admin === true) return;
  const isEditor = page !== undefined && accessTo(page, given).every(isOpen => isOpen);
  if (!isEditor && world.spaces.get(spaceKey)?.admins.has(caller) !== true) refuse(403);
}

/** Whether the caller may view, and edit, a page. */
export function accessTo({ view, edit }: ModelPage, { world, caller }: Given): readonly [boolean, boolean] {
  const isIn = ({ users, groups }: Named) =>
    users.size + groups.size === 0 ||
    users.has(caller) ||
    [...groups].some(group => world.groups.get(group)?.has(caller));
  return [isIn(view) || world.users.get(caller)?.admin === true, isIn(edit)];
}

/** The effect of a wiki operation with the response of success. */
export function succeeding(act: (given: Given) => void): (given: Given) => Reply {
  return given => {
    act(given);
    return wikiSuccess(given);
  };
}

/** The responses that a person wrote down for each reading of wiki-success. */
const successes: Readonly<Record<string, { readonly expect: Reply }>> = parse(
  readFileSync(new URL('../../../scenarios/gaps/wiki-success.yaml', import.meta.url), 'utf8'),
).steps[0].for;

export function wikiSuccess({ read }: Given): Reply {
  const { status, body } = successes[read('wiki-success')]?.expect ?? { status: 0 };
  return isJson(body) && body.$absent === true ? { status } : { status, body };
}
