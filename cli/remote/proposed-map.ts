// Proposes a name map from what a server has: each line with its reason, and what is missing. Changes nothing.

import type { NamesThere } from '../../harness/names/name-map.js';
import type { RestApi } from '../../harness/target/rest-api.js';
import { visible } from '../../server/derive/text/visible.js';
import type { MappedKind } from '../../server/scenario/format/map-format.js';

/** What stands for a name of the fixture, and why; without a value, what has to be created. */
interface Proposal {
  readonly kind: MappedKind;
  readonly name: string;
  readonly value?: unknown;
  readonly why: string;
}

type Entry = Readonly<Record<string, unknown>>;
const MOST = 200;
/** Spaces whose pages are counted. */
const MOST_SPACES = 20;
const FOR_TESTS = /test|qa|demo|sandbox|templ|tmpl|cwx/i;

/** YAML for `--map`. The accounts of `names` are the first users. */
export async function proposedMap(api: RestApi, names: NamesThere, url: string): Promise<string> {
  const spaces = await proposedSpaces(api, names);
  const users = await proposedUsers(api, names);
  const carol = users.find(({ name }) => name === 'carol')?.value;
  const items = await proposedItems(api, typeof carol === 'string' && names.passwords.has(carol) ? carol : undefined);
  const all = [...users, ...(await proposedGroups(api, names)), ...spaces, ...items];
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const missing = all.filter(({ value }) => value === undefined);
  return [
    `# A name map for ${visible(url)}, proposed from what it has. Check each line: conform and calibrate change these groups, pages and favourites.`,
    ...kinds.flatMap(kind => {
      const own = all.filter(one => one.kind === kind && one.value !== undefined);
      return own.length === 0 ? [] : [`${kind}:`, ...own.map(lineOf)];
    }),
    ...missing.map(({ kind, name, why }) => `# missing for ${kind} ${name}: ${visible(why)}`),
    '',
  ].join('\n');
}

function lineOf({ name, value, why }: Proposal): string {
  return `  ${/^[a-z][\w-]*$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)} # ${visible(why)}`; // JSON is YAML
}

/** The fixture's own names where they are there, then those of a list, each once. */
async function chosen(
  own: readonly string[],
  isThere: (name: string) => Promise<boolean>,
  others: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of own) if (await isThere(name)) found.set(name, name);
  const left = others.filter(one => !found.has(one));
  for (const name of own) {
    const next = found.has(name) ? undefined : left.shift();
    if (next !== undefined) found.set(name, next);
  }
  return found;
}

async function proposedUsers(
  api: RestApi,
  { world, admin, adminThere, passwords, areGiven }: NamesThere,
): Promise<Proposal[]> {
  const given = areGiven ? [...passwords.keys()].filter(user => user !== adminThere) : [];
  const everybody = await api.entries('jira.user-search', { query: { username: '.', maxResults: MOST } });
  const others = textsIn(everybody, 'name').filter(user => user !== adminThere && FOR_TESTS.test(user));
  const own = [...world.users.keys()]
    .filter(user => user !== admin)
    .sort((a, b) => Number(b === 'carol') - Number(a === 'carol'));
  const isThere = async (user: string) =>
    !areGiven && !(await api.lacks('ppf', 'user', user)) && !(await api.lacks('wiki', 'user', user));
  const found = await chosen(own, isThere, [...new Set([...given, ...others])]);
  return own.map(name => {
    const value = found.get(name);
    const role = name === 'carol' ? 'a user who is not an admin and owns a filter and a dashboard' : 'a test user';
    if (value === undefined) return { kind: 'users', name, why: `${role}; name it with --as user:password` };
    return {
      kind: 'users',
      name,
      value,
      why: passwords.has(value)
        ? `${role}; its password is given`
        : `${role}; without --as its favourites are left alone`,
    };
  });
}

async function proposedGroups(api: RestApi, { world }: NamesThere): Promise<Proposal[]> {
  const groups = textsIn(await api.entries('confluence.groups', { query: { limit: MOST } }), 'name');
  const found = await chosen(
    [...world.groups.keys()],
    async name => groups.includes(name),
    groups.filter(name => FOR_TESTS.test(name)),
  );
  return [...world.groups.keys()].map(name => {
    const value = found.get(name);
    return value === undefined
      ? { kind: 'groups', name, why: `a group for tests, such as cwx-${name}, that Confluence and Jira share` }
      : {
          kind: 'groups',
          name,
          value,
          why:
            value === name
              ? 'has this name'
              : 'its name says that it is for tests; its members are changed and restored',
        };
  });
}

/** A space with one page for each of the fixture's, and that page. */
async function proposedSpaces(api: RestApi, { world }: NamesThere): Promise<Proposal[]> {
  const listed = await api.entries('confluence.spaces', { query: { limit: MOST } });
  const own = [...world.spaces.keys()].sort().reverse(); // the template first
  const rank = ({ key, name }: Entry) => (own.includes(String(key)) ? 0 : FOR_TESTS.test(`${key} ${name}`) ? 1 : 2);
  const spaces = [...listed].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_SPACES);
  const pages = await Promise.all(
    spaces.map(({ key }) =>
      api.entries('confluence.contents', { query: { spaceKey: String(key), type: 'page', limit: 2 } }),
    ),
  );
  const single = spaces.flatMap(({ key, name }, i) =>
    pages[i]?.length === 1 ? [{ key, name, page: pages[i]?.[0] }] : [],
  );
  const found = await chosen(
    own,
    async key => single.some(one => one.key === key),
    single.map(({ key }) => String(key)),
  );
  return own.flatMap((key): Proposal[] => {
    const space = single.find(one => one.key === found.get(key));
    const pageIds = [...world.pages].flatMap(([id, page]) => (page.space === key ? [[id, page.title] as const] : []));
    if (space === undefined)
      return [
        {
          kind: 'spaces',
          name: key,
          why: `a space with exactly one page, such as ${key.toUpperCase()} with a page "${pageIds[0]?.[1]}"`,
        },
      ];
    return [
      {
        kind: 'spaces',
        name: key,
        value: { key: space.key, name: space.name },
        why: 'has exactly one page, so that copies stay small',
      },
      ...pageIds.slice(0, 1).map(
        ([name]): Proposal => ({
          kind: 'pages',
          name,
          value: { id: space.page?.id, title: space.page?.title },
          why: `the page of ${space.key}; its restrictions are changed and restored`,
        }),
      ),
    ];
  });
}

/** Jira lists no filters of others: they are found among favourites. */
async function proposedItems(api: RestApi, carol: string | undefined): Promise<Proposal[]> {
  const asCarol = async (call: 'jira.favourite-filters' | 'jira.dashboards', query = {}) =>
    carol === undefined ? [] : api.entries(call, { as: carol, query });
  const shared = (await api.entries('jira.favourite-filters')).filter(({ sharePermissions }) =>
    isGlobal(sharePermissions),
  );
  const hers = (await asCarol('jira.favourite-filters')).filter(({ owner }) => nameOf(owner) === carol);
  const everybodys = await api.entries('jira.dashboards', { as: 'anonymous', query: { maxResults: MOST } });
  const visibleIds = new Set(textsIn(await api.entries('jira.dashboards', { query: { maxResults: MOST } }), 'id'));
  const own = (await asCarol('jira.dashboards', { filter: 'my', maxResults: MOST })).filter(
    ({ id }) => !visibleIds.has(String(id)),
  );
  const item = (kind: 'filters' | 'dashboards', name: string, [first]: readonly Entry[], why: string): Proposal =>
    first === undefined ? { kind, name, why } : { kind, name, value: Number(first.id), why: `${first.name}: ${why}` };
  return [
    item('filters', '10500', shared, "a filter that is shared with everyone, among the admin's favourites"),
    item(
      'filters',
      '10600',
      hers,
      'a filter of the user for carol, shared with the group for jira-core-users, among her favourites',
    ),
    item('dashboards', '11000', everybodys, 'a dashboard that is shared with everyone'),
    item('dashboards', '11100', own, 'a dashboard that only the user for carol can see'),
  ];
}

function isGlobal(permissions: unknown): boolean {
  return (
    Array.isArray(permissions) && permissions.some(({ type }) => ['global', 'loggedin', 'authenticated'].includes(type))
  );
}

function nameOf(user: unknown): unknown {
  return typeof user === 'object' && user !== null && 'name' in user ? user.name : undefined;
}

function textsIn(entries: readonly Entry[], field: string): string[] {
  return entries.flatMap(one => (field in one ? [String(one[field])] : []));
}
