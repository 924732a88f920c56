// The operations on spaces, as the model has them.
import type { ModelSpace, Named } from '../model-world.js';
import {
  bodyIn,
  checkNames,
  create,
  due,
  FREE,
  FREE_TEXTS,
  fieldsIn,
  type Given,
  known,
  meant,
  pagesIn,
  permitted,
  queryOf,
  type Reply,
  refuse,
  succeeding,
  wikiSuccess,
} from './given.js';

export const spaceOperations = {
  'spaces.add-sidebar-link': {
    method: 'POST',
    path: '/spaces/add-sidebar-link',
    fields: { body: { spaceKey: 'text', label: 'text', url: 'text' } },
    perform: succeeding(addLink),
  },
  'spaces.copy': {
    method: 'POST',
    path: '/spaces/copySpace',
    fields: {
      query: {
        sourceSpaceKey: 'text',
        targetSpaceKey: 'text',
        targetSpaceTitle: 'text',
        targetSpaceAdmin: 'text',
        removeAdminPermissions: 'boolean',
        keepPagesMetadata: 'boolean',
      },
    },
    perform: copied,
  },
  'spaces.is-unique': {
    method: 'POST',
    path: '/spaces/isUnique',
    fields: { query: { spaceKey: 'text', spaceName: 'text' } },
    perform: uniqueness,
  },
};

function addLink(given: Given): void {
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

function isUnique(given: Given): boolean {
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

function copySpace(given: Given): { readonly key: string; readonly name: string } {
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

function uniqueness(given: Given): Reply {
  const isFree = isUnique(given);
  const reading = given.read('is-unique-answer');
  if (reading === 'status') return isFree ? { status: 200, body: {} } : refuse(409);
  if (reading === 'found') return isFree ? refuse(404) : { status: 200, body: {} };
  if (reading === 'exists') return { status: 200, body: { exists: !isFree } };
  if (reading === 'messages') return { status: 200, body: { success: isFree, messages: isFree ? [] : FREE_TEXTS } };
  return { status: 200, body: reading === 'object' ? { unique: isFree } : isFree === (reading === 'boolean') };
}

function copied(given: Given): Reply {
  const { key, name } = copySpace(given);
  const reading = given.read('copy-success');
  const task = { id: key, links: { status: FREE } };
  const body = { 201: {}, 202: task, space: { key, name, type: 'global' } }[reading];
  return body === undefined ? wikiSuccess(given) : { status: Number(reading) || 201, body };
}
