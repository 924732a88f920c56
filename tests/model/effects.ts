// The effects of the operations on the world of the model, and the requirements for a body. Each refuses by throwing a status.
import type { Request } from '../../server/engine/request/request.js';
import type { OperationId } from '../../server/operations/catalog/catalog.js';
import { isJson, type Json, type ModelPage, type ModelSpace, type ModelWorld, type Named } from './model-world.js';

/** A request as it was sent: path, query and all. */
export type ModelRequest = Pick<Request, 'method' | 'url' | 'credentials' | 'contentType' | 'body' | 'readings'>;

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

type Kind = 'text' | 'texts' | 'ids';
const kinds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: value => typeof value === 'string',
  texts: value => Array.isArray(value) && value.every(one => typeof one === 'string'),
  ids: value => Array.isArray(value) && value.every(Number.isInteger),
};

/** The value of the body, if it has one. `none`: the value without a body. */
function bodyIn({ request: { body, contentType }, read }: Given, none?: unknown): unknown {
  const isRead = body.kind === 'json' || body.kind === 'not-json' || body.kind === 'not-utf8';
  const isTyped = /^application\/json *(; *charset="?utf-?8"?)?$/i.test(contentType);
  if (isRead && !isTyped && read('content-type') === '415') refuse(415);
  if (body.kind === 'json') return body.value;
  if (body.kind === 'absent') return none ?? refuse(400);
  return refuse(body.kind === 'too-large' ? 413 : body.kind === 'encoding' ? 415 : 400);
}

/** The value as one of the kind, as far as a reading says so. */
function typed(kind: Kind, value: unknown, reading: string): unknown {
  if (reading === '400') return value;
  if (kind === 'text') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  const one = (element: unknown) =>
    kind === 'texts' ? typed('text', element, reading) : /^-?\d{1,18}$/.test(`${element}`) ? Number(element) : element;
  if (Array.isArray(value)) return value.map(one);
  return reading === 'all' && kinds[kind]([one(value)]) ? [one(value)] : value;
}

/** An object with these fields; all are required, unless a reading or `areDue` says otherwise. */
function fieldsIn(value: unknown, shape: Readonly<Record<string, Kind>>, { read }: Given, areDue = true): Json {
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
function due({ read }: Given, none: unknown, ...gaps: readonly string[]): unknown {
  return gaps.every(gap => read(gap) === 'empty') ? none : undefined;
}

function queryOf(given: Given, names: readonly string[]): readonly string[] {
  const { pairs, read } = given;
  checkNames(given, names);
  const valuesOf = (name: string) => pairs.flatMap(([own, value]) => (own === name ? [value] : []));
  const reading = read('repeated-parameter');
  if (names.some(name => valuesOf(name).length > 1) && reading === '400') refuse(400);
  for (const name of names) if (valuesOf(name).length === 0 && isDue(name, read('missing-parameter'))) refuse(400);
  return names.map(name => valuesOf(name).at(reading === 'last' ? -1 : 0) ?? '');
}

function isDue(name: string, reading: string): boolean {
  return reading === '400' || (reading === 'copy-options' && ![...switches, 'targetSpaceAdmin'].includes(name));
}

/** What is wrong with the names in the query; `expand` has no part of a response to name. */
function checkNames({ pairs, isQueryText, read }: Given, names: readonly string[]): void {
  const expands = pairs.some(([name, value]) => name === 'expand' && value.split(',').some(one => one.trim() !== ''));
  if (expands && read('expand-unknown') === '400') refuse(400);
  if (!isQueryText) refuse(400);
  const isKnown = (name: string) => name === 'expand' || names.includes(name);
  if (pairs.some(([name]) => !isKnown(name)) && read('unknown-parameter') === '400') refuse(400);
}

/** An unknown name stands for the first equal one in another case, if a reading says so. */
function meant({ read }: Given, name: string, there: ReadonlyMap<string, unknown>): string {
  if (there.has(name) || read('name-case') === 'exact') return name;
  const isLike = (other: string) => other.length === name.length && other.toLowerCase() === name.toLowerCase();
  return [...there.keys()].filter(isLike).sort()[0] ?? name;
}

/** Unknown names, each once; if case does not count, the first of those that are equal in another case. */
function eachOnce({ read }: Given, names: readonly string[]): string[] {
  const isSame = (one: string, other: string) =>
    one === other ||
    (one.length === other.length && one.toLowerCase() === other.toLowerCase() && read('name-case') === 'ignored');
  return names.filter((name, i) => names.findIndex(other => isSame(other, name)) === i);
}

/** Known users or groups, each once; a reading may skip others, or create them. */
function known(
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
function create({ world }: Given, users: ReadonlySet<string>): void {
  for (const name of users) world.users.set(name, { displayName: name, admin: false });
  for (const name of users) world.favourites.set(name, { filters: new Set(), dashboards: new Set() });
}

export function membership(operation: OperationId, given: Given): void {
  const { world, read, happened } = given;
  checkNames(given, []);
  const none = due(given, {}, 'missing-field', 'missing-list');
  const body = fieldsIn(bodyIn(given, none), { group: 'text', users: 'texts' }, given);
  const { group: sent, users } = body as { group: string; users: string[] }; // as the shape says
  const isSetting = operation === 'groups.set-users';
  if (users.length === 0 && read(isSetting ? 'set-users-empty' : 'empty-lists') === '400') refuse(400);
  given.valid();
  const group = meant(given, sent, world.groups);
  const isRemoving = operation === 'groups.remove-users';
  const [made, newUsers] = [new Set<string>(), new Set<string>()];
  const isThere = known('group', given, [group], made, isRemoving).length > 0;
  const named = known('user', given, users, newUsers, isRemoving);
  const isRefused = users.length > 0 && read('no-change') === '409';
  if (!isThere && isRefused) refuse(409);
  if (!isThere) return;
  const before = world.groups.get(group) ?? new Set();
  const after = new Set(
    isSetting
      ? named.length === 0 && users.length > 0
        ? before
        : named
      : operation === 'groups.add-users'
        ? [...before, ...named]
        : [...before].filter(user => !named.includes(user)),
  );
  const isSame = made.size + newUsers.size === 0 && same(before, after);
  if (isSame && isRefused) refuse(409);
  if (isSame) return;
  create(given, newUsers);
  world.groups.set(group, after);
  happened();
}

function same(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  return a.size === b.size && [...a].every(one => b.has(one));
}

export function permission(operation: OperationId, given: Given): void {
  const { world, read, happened, pageId } = given;
  const [, which = '', what = ''] = /permissions\.(\w+)-(\w+)/.exec(operation) ?? [];
  checkNames(given, []);
  const value = bodyIn(given, due(given, {}, 'missing-list'));
  const body = fieldsIn(which === 'all' ? renamed(value, given) : value, { groups: 'texts', users: 'texts' }, given);
  const { groups, users } = body as { groups: string[]; users: string[] }; // as the shape says
  if (!/^[0-9]+$/.test(pageId) && read('page-id-format') === 'digits') refuse(404);
  const isNobody = users.length + groups.length === 0;
  const isEveryone = which === 'all' && isNobody && read('all-remove-empty') === 'everyone';
  if (isNobody && !isEveryone && read('empty-lists') === '400') refuse(400);
  given.valid();
  const page = world.pages.get(pageId) ?? refuse(read('unknown-page'));
  permitted(page.space, given, page);
  const [made, newUsers] = [new Set<string>(), new Set<string>()];
  const named = new Set(known('user', given, users, newUsers, what === 'remove'));
  const asked: Named = { users: named, groups: new Set(known('group', given, groups, made, what === 'remove')) };
  let isChanged = made.size + newUsers.size > 0;
  for (const list of [page.edit, page.view].filter((_, i) => which === 'all' || (which === 'view') === (i === 1)))
    for (const kind of ['users', 'groups'] as const)
      for (const name of isEveryone ? [...list[kind]] : asked[kind]) {
        if (list[kind].has(name) === (what === 'add')) continue;
        isChanged = true;
        if (what === 'add') list[kind].add(name);
        else list[kind].delete(name);
      }
  for (const group of made) world.groups.set(group, new Set());
  create(given, newUsers);
  if (isChanged) happened();
  else if (users.length + groups.length > 0 && read('no-change') === '409') refuse(409);
}

/** The document calls the list of groups `group` in one place. */
function renamed(value: unknown, { read }: Given): unknown {
  if (!isJson(value) || !Object.hasOwn(value, 'group') || read('all-group-field') === 'groups-only') return value;
  const { group: sent, groups: own, ...rest } = value;
  const [group, groups] = [sent, own].map(one => typed('texts', one, read('field-type')));
  if (groups === undefined) return { ...rest, groups: group };
  if ((group === null) !== (groups === null))
    return { ...rest, groups: read('null-field') === 'absent' ? (groups ?? group) : null };
  return { ...rest, groups: Array.isArray(group) && Array.isArray(groups) ? [...groups, ...group] : 'no list' };
}

export function addLink(given: Given): void {
  const { world, read, happened } = given;
  checkNames(given, []);
  const body = fieldsIn(
    bodyIn(given, due(given, {}, 'missing-field')),
    { spaceKey: 'text', label: 'text', url: 'text' },
    given,
  );
  const { spaceKey: sent, label, url } = body as { spaceKey: string; label: string; url: string }; // as the shape says
  const spaceKey = meant(given, sent, world.spaces);
  const isLink = label.trim() !== '' && (/^https?:\/\/[^\s/]\S*$/i.test(url) || /^\/\S*$/.test(url));
  if (!isLink && read('sidebar-link-form') === 'checked') refuse(400);
  given.valid();
  const space = world.spaces.get(spaceKey) ?? refuse(read('unknown-space'));
  permitted(spaceKey, given);
  const at = space.sidebar.findIndex(link => link.label === label);
  const reading = at === -1 ? 'append' : read('sidebar-duplicate');
  if (reading === '409') refuse(409);
  if (reading === 'replace')
    space.sidebar = space.sidebar.flatMap((link, i) =>
      i === at ? [{ label, url }] : link.label === label ? [] : [link],
    );
  else space.sidebar.push({ label, url });
  happened();
}

export function isUnique(given: Given): boolean {
  const [key = '', name = ''] = queryOf(given, ['spaceKey', 'spaceName']);
  if (given.request.body.kind === 'too-large') refuse(413);
  given.valid();
  const named = meant(given, key, given.world.spaces);
  const spaces = [...given.world.spaces].map(([own, space]) => [own === named, space.name === name]);
  const taken: Readonly<Record<string, boolean>> = {
    either: spaces.some(([isKey, isName]) => isKey || isName),
    both: spaces.some(([isKey, isName]) => isKey && isName),
    'key-only': spaces.some(([isKey]) => isKey),
  };
  return taken[given.read('is-unique-match')] !== true;
}

const copying = ['sourceSpaceKey', 'targetSpaceKey', 'targetSpaceTitle', 'targetSpaceAdmin'];
const switches = ['removeAdminPermissions', 'keepPagesMetadata'];

export function copySpace(given: Given): { readonly key: string; readonly name: string } {
  const { world, read, now, caller, happened, request } = given;
  const values = queryOf(given, [...copying, ...switches]);
  const [sent = '', key = '', name = '', wanted = '', removes = '', keeps = ''] = values;
  const from = meant(given, sent, world.spaces);
  const isOdd = (text: string, i: number) =>
    given.pairs.some(([own]) => own === switches[i]) && !/^(true|false)$/i.test(text);
  if ([removes, keeps].some(isOdd) && read('query-boolean') === 'strict') refuse(400);
  if (request.body.kind === 'too-large') refuse(413);
  if (read('space-key-format') === 'alphanumeric' && !/^[A-Za-z0-9]{1,255}$/.test(key)) refuse(400);
  if (read('space-title-form') === '1-to-255' && (name === '' || [...name].length > 255)) refuse(400);
  given.valid();
  const source = world.spaces.get(from) ?? refuse(read('unknown-space'));
  permitted(from, given);
  if (world.spaces.has(meant(given, key, world.spaces))) refuse(read('target-space-exists'));
  const isTitleTaken = [...world.spaces.values()].some(space => space.name === name);
  if (isTitleTaken && read('target-title-taken') === '409') refuse(409);
  const newUsers = new Set<string>();
  const named = wanted === '' ? undefined : known('user', given, [wanted], newUsers, false)[0];
  if (named !== undefined && !world.users.get(named)?.admin && read('admin-eligibility') === 'admins-only') refuse(400);
  const isAll = read('copied-content') === 'all';
  create(given, newUsers);
  const admin = named ?? defaultAdmin(given);
  const admins = new Set([...(isAll ? source.admins : []), admin]);
  if (removes.toLowerCase() === 'true') admins.delete(admin);
  const space: ModelSpace = { name, admins, sidebar: isAll ? source.sidebar.map(link => ({ ...link })) : [] };
  const author = read('copied-metadata-when-not-kept') === 'caller-now' ? caller : admin;
  const stamp = { author, updatedBy: author, created: now, updated: now };
  for (const [, page] of pagesIn(world, from)) {
    const open = !isAll && { edit: anyone(), view: anyone() };
    const copy = {
      ...structuredClone(page),
      ...open,
      ...(keeps.toLowerCase() !== 'true' && stamp),
      space: key,
      version: 1,
    };
    world.pages.set(String(world.nextPageId), copy);
    world.nextPageId += 1;
  }
  world.spaces.set(key, space);
  happened();
  return { key, name };
}

const anyone = (): Named => ({ users: new Set(), groups: new Set() });

function defaultAdmin({ world, caller, read }: Given): string {
  const admins = [...world.users].flatMap(([name, { admin }]) => (admin ? [name] : [])).sort();
  if (read('default-space-admin') === 'caller' && caller !== 'anonymous') return caller;
  return admins[0] ?? refuse(400);
}

/** In their order. */
function pagesIn({ pages }: ModelWorld, key: string): Array<[string, ModelPage]> {
  const inside = [...pages].filter(([, { space }]) => space === key);
  return inside.sort(([a, { position }], [b, other]) => position - other.position || Number(a) - Number(b));
}

export function replaceInPage(given: Given): void {
  const { world, read, now, caller, happened } = given;
  const [sentKey = '', pageTitle = ''] = queryOf(given, ['spaceKey', 'pageTitle']);
  const spaceKey = meant(given, sentKey, world.spaces);
  const value = bodyIn(given, due(given, [], 'missing-field'));
  if (!Array.isArray(value) || (value.length > 1000 && read('list-limit') === '1000')) refuse(400);
  const sent = (value as unknown[]).map(one =>
    fieldsIn(one, { oldText: 'text', newText: 'text' }, given),
  ) as unknown as Pair[]; // as the shape says
  if (sent.some(({ oldText }) => oldText === '') && read('old-text-empty') === '400') refuse(400);
  given.valid();
  if (!world.spaces.has(spaceKey)) refuse(read('unknown-space'));
  const inside = pagesIn(world, spaceKey).map(([, one]) => one);
  const page = inside.find(({ title }) => title === pageTitle) ?? refuse(read('unknown-page'));
  const [isVisible, isEditable] = accessTo(page, given);
  if (!(isVisible && isEditable) && read('replace-permission') !== 'ignored')
    refuse(read('replace-permission') === '403' && isVisible ? 403 : read('unknown-page'));
  permitted(spaceKey, given, page);
  if (inside.filter(({ title }) => title === pageTitle).length > 1 && read('page-title-shared') === '409') refuse(409);
  const list = sent.filter(({ oldText }) => oldText !== '');
  const found = new Set<number>();
  const body = read('replace-target') === 'markup' ? only(replaced([page.body], list, given, found)) : visibly();
  const title = only(replaced([page.title], list, given, found));
  if (found.size < list.length && read('replace-not-found') === '404') refuse(404);
  const isNone = title === '' || title.length > 255;
  if (title !== page.title && isNone && read('replaced-title') === '400') refuse(400);
  const isSame = (other: ModelPage) =>
    other.title === title ||
    (other !== page &&
      other.title.length === title.length &&
      other.title.toLowerCase() === title.toLowerCase() &&
      read('page-title-case') === 'ignored');
  const isTaken = title !== page.title && inside.some(isSame);
  if (isTaken && read('replace-title-clash') !== 'allow') refuse(read('replace-title-clash'));
  if (body === page.body && title === page.title) return;
  Object.assign(page, { body, title, updatedBy: caller, updated: now, version: page.version + 1 });
  happened();

  function visibly(): string {
    const parts = page.body.split(TAGS);
    const texts = parts.filter((_, i) => i % 2 === 0).map(decoded);
    const changed = replaced(texts, list, given, found);
    return parts
      .map((part, i) => (i % 2 === 1 || changed[i / 2] === texts[i / 2] ? part : encoded(changed[i / 2] ?? '')))
      .join('');
  }
}

const TAGS = /(<!--.*?(?:-->|$)|<!\[CDATA\[.*?(?:\]\]>|$)|<[A-Za-z/!?][^>]*(?:>|$))/s;
const decoded = (text: string) =>
  ['lt <', 'gt >', 'quot "', 'amp &'].reduce((before, pair) => {
    const [name = '', character = ''] = pair.split(' ');
    return before.replaceAll(`&${name};`, character);
  }, text);
const encoded = (text: string) => text.replace(/[&<>]/g, one => `&${{ '&': 'amp', '<': 'lt', '>': 'gt' }[one]};`);
const only = ([text = '']: readonly string[]) => text;

/** Refuses callers who are neither admins, nor admins of the space, nor editors of the page, if a reading asks for that. */
function permitted(spaceKey: string, given: Given, page?: ModelPage): void {
  const { world, caller, read } = given;
  if (read('wiki-auth') !== 'permitted' || world.users.get(caller)?.admin === true) return;
  const isEditor = page !== undefined && accessTo(page, given).every(isOpen => isOpen);
  if (!isEditor && world.spaces.get(spaceKey)?.admins.has(caller) !== true) refuse(403);
}

/** Whether the caller may view, and edit, a page. */
function accessTo({ view, edit }: ModelPage, { world, caller }: Given): readonly [boolean, boolean] {
  const isIn = ({ users, groups }: Named) =>
    users.size + groups.size === 0 ||
    users.has(caller) ||
    [...groups].some(group => world.groups.get(group)?.has(caller));
  return [isIn(view) || world.users.get(caller)?.admin === true, isIn(edit)];
}

interface Pair {
  readonly oldText: string;
  readonly newText: string;
}

/** `found` collects the indexes in the list whose text was found. */
function replaced(texts: readonly string[], list: readonly Pair[], { read }: Given, found: Set<number>): string[] {
  const most = read('replace-scope') === 'first' ? 1 : Number.POSITIVE_INFINITY;
  const passes = read('replace-order') === 'sequential' ? list.map((_, i) => [i]) : [list.map((_, i) => i)];
  return passes.reduce<string[]>(
    (all, elements) => {
      const left = new Map(elements.map(i => [i, most]));
      return all.map(before => {
        let after = '';
        for (let at = 0; at < before.length; ) {
          const i = elements.find(one => (left.get(one) ?? 0) > 0 && before.startsWith(list[one]?.oldText ?? '', at));
          after += i === undefined ? before[at] : list[i]?.newText;
          at += i === undefined ? 1 : (list[i]?.oldText.length ?? 1);
          if (i !== undefined) left.set(i, (left.get(i) ?? 0) - 1);
          if (i !== undefined) found.add(i);
        }
        return after;
      });
    },
    [...texts],
  );
}

/** The response of a push or a pull. */
export function transfer(isPush: boolean, given: Given): { status: number; body: unknown } {
  const { world, read, caller } = given;
  const isAdmin = world.users.get(caller)?.admin === true && world.licence.ppf === 'valid';
  const status = caller === 'anonymous' ? Number(read('ppf-anonymous')) : 403;
  if (!isAdmin && read('ppf-check-order') === '403-first') refuse(status);
  checkNames(given, []);
  const body = transferBody(given);
  if (!isAdmin) refuse(status);
  const { filters = [], dashboards = [] } = body;
  const users = (body.users ?? []).map(name => meant(given, name, world.users));
  const groups = (body.groups ?? []).map(name => meant(given, name, world.groups));
  const unknown = (what: string, names: readonly unknown[], known: { has(name: string): boolean }) =>
    [...new Set(names)]
      .filter(name => !known.has(String(name)))
      .map(name => missingText(given, what, asSent(name, given)));
  const unnamed = (names: readonly string[], known: { has(name: string): boolean }) =>
    eachOnce(
      given,
      names.filter(name => !known.has(name)),
    );
  const things = [
    ...unknown('group with name', unnamed(groups, world.groups), world.groups),
    ...unknown('filter with id', filters, world.filters),
    ...unknown('dashboard with id', dashboards, world.dashboards),
  ];
  if (things.length > 0 && read('ppf-unknown-item') === '400') refuse(400);
  const messages = [...unknown('user with name', unnamed(users, world.users), world.users), ...things];
  const members = groups.flatMap(group => [...(world.groups.get(group) ?? [])].sort());
  const recipients = [...new Set([...users.filter(user => world.users.has(user)), ...members])];
  const changes: Array<() => void> = [];
  let notes = 0;
  for (const [kind, ids] of [['filters', filters] as const, ['dashboards', dashboards] as const])
    for (const id of new Set(ids.filter(one => world[kind].has(String(one)))))
      for (const user of recipients) {
        const outcome = passed(isPush, given, user, kind, id);
        if (typeof outcome === 'object') notes += 1;
        if (typeof outcome === 'object') messages.push(outcome.note);
        else if (typeof outcome === 'string') messages.push(outcome);
        else if (outcome !== undefined) changes.push(outcome);
      }
  const success = messages.length === notes;
  const isKept = success || read('ppf-partial') === 'apply-rest';
  if (changes.length > 0 && isKept && read('ppf-effect') !== 'record-only') {
    for (const change of changes) change();
    given.happened();
  }
  return { status: 200, body: { success, messages } };
}

/** `what`: such as `user with name`. */
function missingText({ read }: Given, what: string, name: unknown): string {
  return read('ppf-message-text') === 'vendor'
    ? `Could not find ${what} ${name}`
    : `No such ${what.split(' ')[0]}: ${name}`;
}

interface TransferBody {
  readonly users?: string[];
  readonly groups?: string[];
  readonly filters?: number[];
  readonly dashboards?: number[];
}

/** A whole number that JavaScript cannot represent is shown as written in the body. */
function asSent(name: unknown, { request: { body } }: Given): unknown {
  if (typeof name !== 'number' || Number.isSafeInteger(name) || body.kind !== 'json') return name;
  return (
    [...body.text.matchAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)].find(([sent]) => Number(sent) === name)?.[0] ?? name
  );
}

function transferBody(given: Given): TransferBody {
  const shape = { users: 'texts', groups: 'texts', filters: 'ids', dashboards: 'ids' } as const;
  const body = fieldsIn(bodyIn(given, {}), shape, given, false) as TransferBody; // as the shape says
  const counts = (list: readonly unknown[] | undefined) =>
    list !== undefined && (list.length > 0 || given.read('ppf-empty-arrays') === 'present');
  if (![body.users, body.groups].some(counts) || ![body.filters, body.dashboards].some(counts)) refuse(400);
  return body;
}

/** One item and one user: the change, or the message why there is none, which may be no failure; or neither. */
function passed(
  isPush: boolean,
  { world, read }: Given,
  user: string,
  kind: 'filters' | 'dashboards',
  id: number,
): (() => void) | string | { readonly note: string } | undefined {
  const isVendor = read('ppf-message-text') === 'vendor';
  const short = `${kind === 'filters' ? 'Filter' : 'Dashboard'} ${id}`;
  const name = short.replace(' ', ' with id ');
  const favourites = world.favourites.get(user)?.[kind];
  if (favourites === undefined) return undefined;
  const { owner = '', sharedWith = 'nobody' } = world[kind].get(String(id)) ?? {};
  const isSeen =
    owner === user ||
    sharedWith === 'everyone' ||
    (sharedWith !== 'nobody' &&
      (sharedWith.users.has(user) || [...sharedWith.groups].some(group => world.groups.get(group)?.has(user))));
  if (isPush && !isSeen && read('ppf-invisible-item') === 'message')
    return isVendor ? `${name} is not visible to user with name ${user}` : `Not allowed for ${user}: ${short}`;
  const place = `${user} ${kind} ${id}`;
  const isOwn = !isPush && favourites.has(id) && !world.pushed.has(place);
  if (favourites.has(id) === isPush || (isOwn && read('ppf-effect') === 'pushed-only')) {
    const how = isPush ? 'is a favourite already of' : isOwn ? 'was not pushed to' : 'is no favourite of';
    const reading = read('ppf-no-change');
    if (reading === 'ok') return undefined;
    const note = isVendor ? `${name} ${how} user with name ${user}` : `Nothing to do for ${user}: ${short}`;
    return reading === 'note' ? { note } : note;
  }
  return () => {
    favourites[isPush ? 'add' : 'delete'](id);
    world.pushed[isPush ? 'add' : 'delete'](place);
  };
}
