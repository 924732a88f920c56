// Facts in words: one clause for each.
import type { Fact, FactType } from '../../domain/facts.js';
import { isObject } from '../../domain/form/patch.js';
import type { ItemKind, World } from '../../domain/world/world.js';

/** Names of filters and dashboards, which no operation changes. */
export type NamedItems = Pick<World, 'filters' | 'dashboards'>;

type FactOf<T extends FactType> = Extract<Fact, { type: T }>;

const MAX_NAMES = 5;
const MAX_TEXT = 80;

/** The place of a name in a patch: `users bob`. */
const NAME_DEPTH = 2;

const texts: { readonly [T in FactType]: (fact: FactOf<T>, world: NamedItems) => string } = {
  'user-created': ({ user }) => `the user ${user} is created`,
  'group-created': ({ group }) => `the group ${group} is created`,
  'group-member-added': ({ group, user }) => `${user} joins ${group}`,
  'group-member-removed': ({ group, user }) => `${user} leaves ${group}`,
  'group-members-set': ({ group, users }) =>
    users.length === 0 ? `${group} no longer has members` : `${group} now has ${listedNames(users)}`,
  'page-permission-added': ({ page, permission, users, groups }) =>
    `page ${page}: ${whoIn(users, groups)} can ${permission}`,
  'page-permission-removed': ({ page, permission, users, groups }) =>
    `page ${page}: ${whoIn(users, groups)} ${users.length + groups.length === 1 ? 'is' : 'are'} removed from the ${permission} permission`,
  'sidebar-link-added': ({ space, label, url }) => `space ${space}: the sidebar gets the link ${label} (${cut(url)})`,
  'sidebar-link-replaced': ({ space, label, url }) => `space ${space}: the link ${label} now leads to ${cut(url)}`,
  'space-copied': ({ source, target, name, admins, content }) =>
    `space ${target} (${name}) is created from ${content === 'pages' ? `the pages of ${source}` : source}, ${admins.length === 0 ? 'without admins' : `with the admin${admins.length === 1 ? '' : 's'} ${listedNames(admins)}`}`,
  'page-text-replaced': ({ page, title, body }) => `page ${page} (${title}) now reads ${cut(body)}`,
  'favourite-added': ({ item, ids, users }, world) =>
    `${listedNames(users)} ${gets(users)} ${itemsText(item, ids, world)}`,
  'favourite-removed': ({ item, ids, users }, world) =>
    `${listedNames(users)} ${users.length === 1 ? 'loses' : 'lose'} ${itemsText(item, ids, world)}`,
  'world-patched': ({ patch }) => {
    const leaves = leavesOf(patch, []);
    return leaves.length === 0 ? 'nothing changes' : listedNames(leaves);
  },
};

/** `alice gets filter 10500 (Open bugs)`: no capital, no full stop. Names are not escaped. */
export function factText(fact: Fact, world: NamedItems): string {
  const text = texts[fact.type] as (fact: Fact, world: NamedItems) => string; // the table pairs each type with its own fact
  return text(fact, world);
}

/** The changes of a merge-patch, place by place. */
function leavesOf(patch: unknown, path: readonly string[]): string[] {
  const place = path.join(' ');
  if (patch === null) return [`${place} is removed`];
  if (!isObject(patch)) return [`${place} is now ${cut(typeof patch === 'string' ? patch : JSON.stringify(patch))}`];
  const members = Object.entries(patch);
  if (members.length === 0 && path.length === NAME_DEPTH) return [`${place} exists`];
  return members.flatMap(([key, value]) => leavesOf(value, [...path, key]));
}

/** The first few names, and the number of the others. */
export function listedNames(names: readonly string[], most = MAX_NAMES): string {
  const more = names.length - most;
  const shown = more > 1 ? [...names.slice(0, most), `${more} more`] : [...names];
  const last = shown.pop() ?? 'nobody';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

function whoIn(users: readonly string[], groups: readonly string[]): string {
  const named = groups.length === 0 ? [] : [`the group${groups.length === 1 ? '' : 's'} ${listedNames(groups)}`];
  return [...(users.length === 0 ? [] : [listedNames(users)]), ...named].join(', and ');
}

function gets(users: readonly string[]): string {
  return users.length === 1 ? 'gets' : 'get';
}

function itemsText(item: ItemKind, ids: readonly number[], world: NamedItems): string {
  const names = ids.slice(0, MAX_NAMES + 1).map(id => {
    const name = world[item].get(id)?.name;
    return `${id}${name === undefined ? '' : ` (${name})`}`;
  });
  const kind = item === 'filters' ? 'filter' : 'dashboard';
  return `${kind}${ids.length === 1 ? '' : 's'} ${listedNames([...names, ...ids.slice(names.length).map(String)])}`;
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}
