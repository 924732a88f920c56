// The entities of Jira's REST API with their schemas: users, groups, filters, dashboards.
// https://developer.atlassian.com/server/jira/platform/rest/v11000/
import { sortedNames } from '../../domain/world/sorted-names.js';
import { favouritesOf, type Item, type World } from '../../domain/world/world.js';
import { access } from '../access.js';
import type { Caller } from '../operation-context.js';
import { count, EXAMPLE_BASE, entity, literal, texts } from '../rest-api/entity.js';
import type { ExpansionTree } from '../rest-api/expansion.js';
import { firstThatFit } from '../rest-api/paging.js';
import { groupsOf } from '../rest-api/visibility.js';
import { array, boolean, type Described, string, titled } from '../schema.js';

/** The address and the world of a Jira. */
export interface Jira {
  readonly base: string;
  readonly world: World;
}

/** Jira's public documentation. */
export const JIRA_REFERENCE = 'https://developer.atlassian.com/server/jira/platform/rest/v11000/';

const REST = '/rest/api/2';
export const jiraPaths = {
  user: (name: string) => `${REST}/user?username=${encodeURIComponent(name.toWellFormed())}`,
  group: (name: string) => `${REST}/group?groupname=${encodeURIComponent(name.toWellFormed())}`,
  members: (name: string) => `${REST}/group/member?groupname=${encodeURIComponent(name.toWellFormed())}`,
  filter: (id: number) => `${REST}/filter/${id}`,
  dashboard: (id: number) => `${REST}/dashboard/${id}`,
};

export const groupName = titled(
  'JiraGroupName',
  entity('A group.', { name: string('The name.'), self: string('URL of the resource.') }),
);

export function groupNamed({ base }: Jira, name: string): Described<typeof groupName> {
  return { name, self: `${base}${jiraPaths.group(name)}` };
}

const userFields = {
  self: string('URL of the resource.'),
  key: string('The key. Here it is the same as the name.'),
  name: string('The name.'),
  emailAddress: string('The mail address: the name at example.com.'),
  avatarUrls: texts('URLs of the default picture, by size.'),
  displayName: string('The display name.'),
  active: boolean('Whether the user can log in. Always true here.'),
  timeZone: literal('UTC', 'Always UTC.'),
  locale: literal('en_US', 'Always en_US.'),
};
export const jiraUser = titled('JiraUser', entity('A user.', userFields));
export type JiraUser = Described<typeof jiraUser>;

export function userNamed({ base, world }: Jira, name: string): JiraUser {
  return userAt(base, name, world.users.get(name)?.displayName ?? name);
}

const avatarSizes = { '48x48': '', '24x24': 'size=small&', '16x16': 'size=xsmall&', '32x32': 'size=medium&' };

function userAt(base: string, name: string, displayName: string): JiraUser {
  const avatars = Object.entries(avatarSizes).map(
    ([size, query]) => [size, `${base}/secure/useravatar?${query}avatarId=10122`] as const,
  );
  return {
    self: `${base}${jiraPaths.user(name)}`,
    key: name,
    name,
    emailAddress: `${name.replace(/[^\w.+-]+/g, '.')}@example.com`,
    avatarUrls: Object.fromEntries(avatars),
    displayName,
    active: true,
    timeZone: 'UTC',
    locale: 'en_US',
  };
}

const groupsOfUser = entity('The groups of the user.', {
  size: count('Their number.'),
  items: array(groupName, 'The groups, with `expand=groups`; otherwise empty.'),
});
/** A user as its own resource. */
export const wholeUser = titled(
  'JiraWholeUser',
  entity('A user.', {
    ...userFields,
    groups: groupsOfUser,
    expand: literal('groups', 'The names that `expand` accepts.'),
  }),
);

export function wholeUserNamed(tracker: Jira, name: string, wanted: ExpansionTree): Described<typeof wholeUser> {
  const groups = groupsOf(tracker.world, name);
  const items = wanted.groups === undefined ? [] : firstThatFit(groups, group => groupNamed(tracker, group));
  return { ...userNamed(tracker, name), groups: { size: groups.length, items }, expand: 'groups' };
}

const sharePermission = titled(
  'JiraSharePermission',
  entity('A share permission.', { type: string('global, group or user') }, { group: groupName, user: jiraUser }),
);

export const jiraFilter = titled(
  'JiraFilter',
  entity(
    'A filter.',
    {
      self: string('URL of the resource.'),
      id: string('The id, in digits.'),
      name: string('The name.'),
      owner: jiraUser,
      viewUrl: string('URL of its web page.'),
      searchUrl: string('URL of the issues that it finds. The fake does not serve it.'),
      favourite: boolean('Whether it is a favourite of the caller.'),
      sharePermissions: array(sharePermission, 'The share permissions; empty if it is not shared.'),
      subscriptions: entity('Its subscriptions, of which there are none.', {
        size: count('Always 0.'),
        items: array(string('Nothing.'), 'Always empty.'),
        'max-results': count('Maximum number in one response.'),
        'start-index': count('Always 0.'),
        'end-index': count('Always 0.'),
      }),
    },
    { jql: string('A query made from the name. Absent for an anonymous caller.') },
  ),
);

export function filterEntity(
  jira: Jira,
  caller: Caller,
  id: number,
  { name, owner, sharedWith }: Item,
): Described<typeof jiraFilter> {
  const { base, world } = jira;
  const isUser = caller.kind === 'user';
  const favourite = isUser && favouritesOf(world, caller.name).filters.has(id);
  const jql = `text ~ ${JSON.stringify(name)}`;
  return {
    self: `${base}${jiraPaths.filter(id)}`,
    id: String(id),
    name,
    owner: userNamed(jira, owner),
    ...(isUser && { jql }),
    viewUrl: `${base}/issues/?filter=${id}`,
    searchUrl: `${base}${REST}/search?jql=${encodeURIComponent(jql.toWellFormed())}`,
    favourite,
    sharePermissions: permissionsOf(jira, sharedWith),
    subscriptions: { size: 0, items: [], 'max-results': 1000, 'start-index': 0, 'end-index': 0 },
  };
}

function permissionsOf(jira: Jira, sharedWith: Item['sharedWith']): Described<typeof sharePermission>[] {
  if (sharedWith === 'everyone') return [{ type: 'global' }];
  if (sharedWith === 'nobody') return [];
  return [
    ...sortedNames(sharedWith.groups).map(name => ({ type: 'group', group: groupNamed(jira, name) })),
    ...sortedNames(sharedWith.users).map(name => ({ type: 'user', user: userNamed(jira, name) })),
  ];
}

export const jiraDashboard = titled(
  'JiraDashboard',
  entity('A dashboard.', {
    id: string('The id, in digits.'),
    name: string('The name.'),
    self: string('URL of the resource.'),
    view: string('URL of its web page.'),
  }),
);

export function dashboardEntity(
  { base }: Pick<Jira, 'base'>,
  id: number,
  { name }: Pick<Item, 'name'>,
): Described<typeof jiraDashboard> {
  const view = `${base}/secure/Dashboard.jspa?selectPageId=${id}`;
  return { id: String(id), name, self: `${base}${jiraPaths.dashboard(id)}`, view };
}

export const NOT_AUTHENTICATED = 'You are not authenticated. Authentication required to perform this operation.';

export const forJiraUsers = access({
  says: 'A user of Jira.',
  rules: {},
  gaps: [],
  refusals: ['rest-api-anonymous'],
  check(given) {
    return given.caller.kind === 'user' ? undefined : given.refuse('rest-api-anonymous', NOT_AUTHENTICATED);
  },
});

/** A user for examples, at the usual address. */
export function exampleJiraUser(name: string, displayName: string): JiraUser {
  return userAt(EXAMPLE_BASE, name, displayName);
}
