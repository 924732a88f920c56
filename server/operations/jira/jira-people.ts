// Jira's users and groups: /rest/api/2/user, myself, group and groups/picker.

import type { Set as PSet } from 'immutable';
import { keptFor } from '../../domain/kept-for.js';
import { sortedKeys, sortedNames } from '../../domain/world/sorted-names.js';
import type { World } from '../../domain/world/world.js';
import { MANY } from '../operation.js';
import { type Asks, callerName } from '../operation-context.js';
import { isRefused, type Refused } from '../provenance.js';
import { count, entity, numberFrom0, optional, several, whichUser } from '../rest-api/entity.js';
import { firstThatFit, jiraPage, jiraPageOf, jiraPaging, jiraWindow } from '../rest-api/paging.js';
import { resource } from '../rest-api/resource.js';
import { array, string } from '../schema.js';
import {
  exampleJiraUser,
  forJiraUsers,
  groupNamed,
  JIRA_REFERENCE,
  jiraUser,
  NOT_AUTHENTICATED,
  userNamed,
  wholeUser,
  wholeUserNamed,
} from './jira-entities.js';

const USERS = `${JIRA_REFERENCE}api-group-user/`;
const GROUPS = `${JIRA_REFERENCE}api-group-group/`;
const absent = 'Real mail addresses and pictures, application roles, inactive users, keys other than names.';

export const jiraMyself = resource({
  id: 'jira.myself',
  family: 'jira',
  summary: 'Read the caller',
  method: 'GET',
  path: '/myself',
  access: forJiraUsers,
  expandable: { groups: {} },
  refusals: [],
  replies: [{ status: 200, when: 'The caller.', body: wholeUser }],
  examples: [
    {
      title: 'Alice reads her own user',
      as: 'alice',
      response: {
        status: 200,
        body: { ...exampleJiraUser('alice', 'Alice'), groups: { size: 1, items: [] }, expand: 'groups' },
      },
    },
    {
      title: 'An anonymous caller',
      response: {
        status: 401,
        body: { errorMessages: [NOT_AUTHENTICATED], errors: {} },
      },
    },
  ],
  source: `${JIRA_REFERENCE}api-group-myself/`,
  absent,
  decide(given) {
    return given.accept([], { status: 200, body: wholeUserNamed(given, callerName(given.caller), given.wanted) });
  },
});

export const jiraUserByName = resource({
  id: 'jira.user',
  family: 'jira',
  summary: 'Read a user',
  method: 'GET',
  path: '/user',
  query: whichUser,
  access: forJiraUsers,
  expandable: { groups: {} },
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The user.', body: wholeUser }],
  examples: [
    {
      title: 'A user that does not exist',
      as: 'alice',
      query: { username: 'bob' },
      response: { status: 404, body: { errorMessages: ["The user named 'bob' does not exist"], errors: {} } },
    },
  ],
  source: USERS,
  absent,
  decide(given) {
    const { username, key } = given.input.query;
    const name = username ?? key;
    const lacking = "Either the 'username' or the 'key' query parameters need to be provided";
    if (name === undefined) return given.refuse('rest-api-not-found', lacking);
    if (!given.world.users.has(name)) return given.refuse('rest-api-not-found', noUser(name));
    return given.accept([], { status: 200, body: wholeUserNamed(given, name, given.wanted) });
  },
});

/** Maximum users or groups of one search. */
const MAX_FOUND = 1_000;
/** The texts that find every user. */
const EVERYBODY: ReadonlySet<string> = new Set(['.', '%', '_', '""', "''"]);

export const jiraUserSearch = resource({
  id: 'jira.user-search',
  family: 'jira',
  summary: 'Find users by a part of their names',
  method: 'GET',
  path: '/user/search',
  query: {
    username: optional(
      string(
        'A part of a name or display name, ignoring case; `.`, `%`, `_`, `""` and `\'\'` find every user (https://jira.atlassian.com/browse/JRASERVER-29069).',
      ),
    ),
    startAt: jiraPaging.startAt,
    maxResults: numberFrom0(
      `Maximum number of users; values above ${MAX_FOUND} count as ${MAX_FOUND}, as in Jira 9.`,
      50,
    ),
  },
  access: forJiraUsers,
  refusals: ['rest-api-bad-request'],
  replies: [{ status: 200, when: 'The users, sorted by name.', body: array(jiraUser, 'The users.') }],
  examples: [
    {
      title: 'Users with car in their names',
      as: 'alice',
      query: { username: 'car' },
      response: { status: 200, body: [exampleJiraUser('carol', 'Carol')] },
    },
  ],
  source: USERS,
  absent,
  isHeavy: ({ users }) => users.size > MANY,
  decide(given) {
    const { username, startAt, maxResults: asked } = given.input.query;
    if (username === undefined)
      return given.refuse('rest-api-bad-request', 'The username query parameter was not provided.');
    const maxResults = Math.min(asked, MAX_FOUND);
    const part = EVERYBODY.has(username) ? '' : username.toLowerCase();
    const found: string[] = [];
    let skip = startAt;
    for (const [name, text] of searchable(given.world.users)) {
      if (found.length === maxResults) break;
      if (!text.includes(part)) continue;
      if (skip > 0) skip -= 1;
      else found.push(name);
    }
    return given.accept([], { status: 200, body: firstThatFit(found, name => userNamed(given, name)) });
  },
});

/** Each user with its searched text, by name; cached until a user changes. */
const searchable = keptFor((users: World['users']) =>
  sortedKeys(users).map(name => [name, `${name}\n${users.get(name)?.displayName}`.toLowerCase()] as const),
);

const groupname = optional(string('The exact name of a group.'));

export const jiraGroup = resource({
  id: 'jira.group',
  family: 'jira',
  summary: 'Read a group',
  method: 'GET',
  path: '/group',
  query: { groupname },
  access: forJiraUsers,
  expandable: { users: {} },
  refusals: ['rest-api-not-found', 'rest-api-bad-request'],
  replies: [
    {
      status: 200,
      when: 'The group. `expand=users` or `expand=users[0:49]` shows its members.',
      body: entity('A group.', {
        name: string('The name.'),
        self: string('URL of the resource.'),
        users: entity(
          'Its members.',
          {
            size: count('Their number.'),
            items: array(jiraUser, 'The members in the requested range; empty if none was requested.'),
            'max-results': count('Maximum number in one response.'),
            'start-index': count('Index of the first one.'),
            'end-index': count('Index of the last one.'),
          },
          {},
        ),
        expand: string('The names that `expand` accepts.'),
      }),
    },
  ],
  examples: [
    {
      title: 'A group with its members',
      as: 'alice',
      query: { groupname: 'jira-core-users', expand: 'users' },
      response: {
        status: 200,
        body: {
          name: 'jira-core-users',
          self: 'http://127.0.0.1:8080/rest/api/2/group?groupname=jira-core-users',
          users: {
            size: 2,
            items: [exampleJiraUser('alice', 'Alice'), exampleJiraUser('carol', 'Carol')],
            'max-results': 50,
            'start-index': 0,
            'end-index': 1,
          },
          expand: 'users',
        },
      },
    },
  ],
  source: GROUPS,
  absent: 'Groups in groups, inactive users.',
  decide(given) {
    const group = groupAsked(given);
    if (isRefused(group)) return group;
    const { name, members } = group;
    const { users } = given.wanted;
    const { first, last } = rangeIn(Object.keys(users ?? {})[0]);
    const items = users === undefined ? [] : sortedNames(members).slice(first, last + 1);
    const body = {
      ...groupNamed(given, name),
      users: {
        size: members.size,
        items: items.map(member => userNamed(given, member)),
        'max-results': MAX_IN_RANGE,
        'start-index': users === undefined ? 0 : first,
        'end-index': Math.max(0, first + items.length - 1),
      },
      expand: 'users',
    };
    return given.accept([], { status: 200, body });
  },
});

const MAX_IN_RANGE = 50;

/** `[50:99]` of `users[50:99]`; at most fifty. */
function rangeIn(text: string | undefined): { readonly first: number; readonly last: number } {
  const [, from = '0', to] = /^\[(\d{1,9}):(\d{1,9})\]$/.exec(text ?? '') ?? [];
  const first = Number(from);
  const last = first + MAX_IN_RANGE - 1;
  return { first, last: to === undefined ? last : Math.min(Number(to), last) };
}

export const jiraGroupMembers = resource({
  id: 'jira.group-members',
  family: 'jira',
  summary: 'List the members of a group',
  method: 'GET',
  path: '/group/member',
  query: {
    groupname,
    includeInactiveUsers: optional(string('Ignored: there are no inactive users here.')),
    ...jiraPaging,
  },
  access: forJiraUsers,
  refusals: ['rest-api-not-found', 'rest-api-bad-request'],
  replies: [{ status: 200, when: 'The members, sorted by name.', body: jiraPage(jiraUser, 'A page of users.') }],
  examples: [
    {
      title: 'The first member of a group',
      as: 'alice',
      query: { groupname: 'jira-core-users', maxResults: '1' },
      response: {
        status: 200,
        body: {
          self: 'http://127.0.0.1:8080/rest/api/2/group/member?groupname=jira-core-users&startAt=0&maxResults=1',
          startAt: 0,
          maxResults: 1,
          total: 2,
          isLast: false,
          values: [exampleJiraUser('alice', 'Alice')],
          nextPage: 'http://127.0.0.1:8080/rest/api/2/group/member?groupname=jira-core-users&startAt=1&maxResults=1',
        },
      },
    },
  ],
  source: GROUPS,
  absent: 'Groups in groups, inactive users.',
  decide(given) {
    const group = groupAsked(given);
    if (isRefused(group)) return group;
    const { members } = group;
    const window = jiraWindow(given.input.query);
    const { startAt, maxResults } = window;
    const values = sortedNames(members).slice(startAt, startAt + maxResults);
    const users = values.map(member => userNamed(given, member));
    return given.accept([], { status: 200, body: jiraPageOf(given.place, window, members.size, users) });
  },
});

export const jiraGroupPicker = resource({
  id: 'jira.group-picker',
  family: 'jira',
  summary: 'Find groups by a part of their names',
  method: 'GET',
  path: '/groups/picker',
  query: {
    query: optional(string('A part of a name, ignoring case. Default: every group.')),
    exclude: several('Groups to omit.'),
    maxResults: numberFrom0(`Maximum number of groups; values above ${MAX_FOUND} count as ${MAX_FOUND}.`, 20),
  },
  access: forJiraUsers,
  refusals: [],
  replies: [
    {
      status: 200,
      when: 'The groups, sorted by name.',
      body: entity('Groups that match.', {
        header: string('A text that says how many are shown.'),
        total: count('Number of matching groups.'),
        groups: array(
          entity('A group.', { name: string('The name.'), html: string('The name, with the match in bold.') }),
          'Those that are shown.',
        ),
      }),
    },
  ],
  examples: [
    {
      title: 'Groups with jira in their names',
      as: 'alice',
      query: { query: 'jira' },
      response: {
        status: 200,
        body: {
          header: 'Showing 1 of 1 matching groups',
          total: 1,
          groups: [{ name: 'jira-core-users', html: '<b>jira</b>-core-users' }],
        },
      },
    },
  ],
  source: `${JIRA_REFERENCE}api-group-groups/`,
  absent: 'Labels.',
  isHeavy: ({ groups }) => groups.size > MANY,
  decide(given) {
    const { query = '', exclude, maxResults } = given.input.query;
    const part = query.toLowerCase();
    const matching = sortedKeys(given.world.groups).filter(
      name => name.toLowerCase().includes(part) && !exclude.includes(name),
    );
    const shown = matching.slice(0, Math.min(maxResults, MAX_FOUND));
    const groups = firstThatFit(shown, name => ({ name, html: highlighted(name, part) }));
    const header = `Showing ${groups.length} of ${matching.length} matching groups`;
    return given.accept([], { status: 200, body: { header, total: matching.length, groups } });
  },
});

function highlighted(name: string, part: string): string {
  const from = name.toLowerCase().indexOf(part);
  const to = from + part.length;
  if (part === '' || from === -1) return escaped(name);
  return `${escaped(name.slice(0, from))}<b>${escaped(name.slice(from, to))}</b>${escaped(name.slice(to))}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`);
}

function noUser(name: string): string {
  return `The user named '${name.slice(0, 80)}' does not exist`;
}

function groupAsked(
  given: Asks<never, 'rest-api-bad-request' | 'rest-api-not-found'> & {
    readonly input: { readonly query: { readonly groupname: string | undefined } };
  },
): { readonly name: string; readonly members: PSet<string> } | Refused {
  const { groupname: name } = given.input.query;
  if (name === undefined)
    return given.refuse('rest-api-bad-request', 'The groupname query parameter was not provided.');
  const members = given.world.groups.get(name);
  return members === undefined
    ? given.refuse('rest-api-not-found', `The group named '${name.slice(0, 80)}' does not exist`)
    : { name, members };
}
