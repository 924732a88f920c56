// Confluence's users and groups: /rest/api/group and /rest/api/user.
import { sortedKeys, sortedNames } from '../../domain/world/sorted-names.js';
import { quoted } from '../lookups.js';
import { callerName } from '../operation-context.js';
import { whichUser } from '../rest-api/entity.js';
import { confluencePage, confluencePaging, examplePage, pageOfAll } from '../rest-api/paging.js';
import { forAll, resource } from '../rest-api/resource.js';
import { groupsOf } from '../rest-api/visibility.js';
import { string, titled } from '../schema.js';
import {
  CONFLUENCE_REFERENCE,
  confluenceGroup,
  confluenceUser,
  exampleConfluenceUser,
  forConfluenceUsers,
  groupEntity,
  profilePicture,
  userEntity,
} from './confluence-entities.js';

const GROUPS = `${CONFLUENCE_REFERENCE}api-group-user-group/`;
const USERS = `${CONFLUENCE_REFERENCE}api-group-user/`;

const groupPage = titled('ConfluenceGroupPage', confluencePage(confluenceGroup, 'A page of groups.'));
const userPage = titled('ConfluenceUserPage', confluencePage(confluenceUser, 'A page of users.'));
const name = string('The exact name of a group.');

export const confluenceGroups = resource({
  id: 'confluence.groups',
  family: 'confluence',
  summary: 'List groups',
  method: 'GET',
  path: '/group',
  query: confluencePaging,
  access: forConfluenceUsers,
  refusals: [],
  replies: [{ status: 200, when: 'The groups, sorted by name.', body: groupPage }],
  examples: [
    {
      title: 'The first group',
      as: 'alice',
      query: { limit: '1' },
      response: examplePage(
        '/rest/api/group',
        [{ type: 'group', name: 'customers', _links: { self: 'http://127.0.0.1:8080/rest/api/group/customers' } }],
        { limit: 1, next: '/rest/api/group?start=1&limit=1', query: '?limit=1' },
      ),
    },
  ],
  source: GROUPS,
  absent: 'Directories and kinds of groups.',
  decide(given) {
    const groups = sortedKeys(given.world.groups);
    const body = pageOfAll(given.place, given.input.query, groups, group => groupEntity(given, group));
    return given.accept([], { status: 200, body });
  },
});

export const confluenceGroupByName = resource({
  id: 'confluence.group',
  family: 'confluence',
  summary: 'Read a group',
  method: 'GET',
  path: '/group/{name}',
  params: { name },
  access: forConfluenceUsers,
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The group.', body: confluenceGroup }],
  examples: [
    {
      title: 'A group',
      as: 'alice',
      params: { name: 'customers' },
      response: {
        status: 200,
        body: { type: 'group', name: 'customers', _links: { self: 'http://127.0.0.1:8080/rest/api/group/customers' } },
      },
    },
  ],
  source: GROUPS,
  absent: 'Directories and kinds of groups.',
  decide(given) {
    const { name: group } = given.input.params;
    if (!given.world.groups.has(group)) return given.refuse('rest-api-not-found', noGroup(group));
    return given.accept([], { status: 200, body: groupEntity(given, group) });
  },
});

export const confluenceGroupMembers = resource({
  id: 'confluence.group-members',
  family: 'confluence',
  summary: 'List the members of a group',
  method: 'GET',
  path: '/group/{name}/member',
  params: { name },
  query: confluencePaging,
  access: forConfluenceUsers,
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The members, sorted by name.', body: userPage }],
  examples: [
    {
      title: 'The members of a group',
      as: 'alice',
      params: { name: 'team-members' },
      response: examplePage('/rest/api/group/team-members/member', [exampleConfluenceUser('demouser1', 'demouser1')]),
    },
  ],
  source: GROUPS,
  absent: 'Groups in groups, profile pictures, the status of users.',
  decide(given) {
    const { name: group } = given.input.params;
    const members = given.world.groups.get(group);
    if (members === undefined) return given.refuse('rest-api-not-found', noGroup(group));
    const users = sortedNames(members);
    const body = pageOfAll(given.place, given.input.query, users, member => userEntity(given, member));
    return given.accept([], { status: 200, body });
  },
});

export const confluenceUserByName = resource({
  id: 'confluence.user',
  family: 'confluence',
  summary: 'Read a user',
  method: 'GET',
  path: '/user',
  query: whichUser,
  access: forConfluenceUsers,
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The user.', body: confluenceUser }],
  examples: [
    {
      title: 'A user',
      as: 'alice',
      query: { username: 'carol' },
      response: {
        status: 200,
        body: exampleConfluenceUser('carol', 'Carol'),
      },
    },
  ],
  source: USERS,
  absent: 'Profile pictures, the status of users, keys other than names.',
  decide(given) {
    const { username, key } = given.input.query;
    const user = username ?? key;
    if (user === undefined || !given.world.users.has(user))
      return given.refuse('rest-api-not-found', noUser(username, key));
    return given.accept([], { status: 200, body: userEntity(given, user) });
  },
});

export const confluenceCurrentUser = resource({
  id: 'confluence.current-user',
  family: 'confluence',
  summary: 'Read the caller',
  method: 'GET',
  path: '/user/current',
  access: forAll,
  refusals: [],
  replies: [{ status: 200, when: 'The caller; without credentials, the anonymous user.', body: confluenceUser }],
  examples: [
    {
      title: 'A request without credentials',
      response: { status: 200, body: { type: 'anonymous', displayName: 'Anonymous', profilePicture } },
    },
  ],
  source: USERS,
  absent: 'Profile pictures, the status of users, keys other than names.',
  decide(given) {
    return given.accept([], { status: 200, body: userEntity(given, callerName(given.caller)) });
  },
});

export const confluenceUserGroups = resource({
  id: 'confluence.user-groups',
  family: 'confluence',
  summary: 'List the groups of a user',
  method: 'GET',
  path: '/user/memberof',
  query: { ...whichUser, ...confluencePaging },
  access: forConfluenceUsers,
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The groups, sorted by name.', body: groupPage }],
  examples: [
    {
      title: 'The groups of Carol',
      as: 'alice',
      query: { username: 'carol' },
      response: examplePage('/rest/api/user/memberof?username=carol', [
        {
          type: 'group',
          name: 'jira-core-users',
          _links: { self: 'http://127.0.0.1:8080/rest/api/group/jira-core-users' },
        },
      ]),
    },
  ],
  source: USERS,
  absent: 'Groups in groups.',
  decide(given) {
    const { username, key } = given.input.query;
    const user = username ?? key;
    if (user === undefined || !given.world.users.has(user))
      return given.refuse('rest-api-not-found', noUser(username, key));
    const groups = groupsOf(given.world, user);
    const body = pageOfAll(given.place, given.input.query, groups, group => groupEntity(given, group));
    return given.accept([], { status: 200, body });
  },
});

function noGroup(group: string): string {
  return `No group found with name: ${quoted(group)}`;
}

function noUser(username: string | undefined, key: string | undefined): string {
  if (username === undefined && key === undefined) return 'No user found: say which by username or by key.';
  return username === undefined
    ? `No user found with key : ${quoted(key ?? '')}`
    : `No user found with username : ${quoted(username)}`;
}
