// Page permissions: section 4.3 of the document, with its contradicting methods.
import type { Fact } from '../../domain/facts.js';
import { sortedNames } from '../../domain/world/sorted-names.js';
import type { Page, Permission } from '../../domain/world/world.js';
import { strangerRefusal, wikiAccess } from '../access.js';
import type { StatementText } from '../document/statement.js';
import { emptyRefusal, knownGroups, knownPage, knownUsers, pageIdRefusal, quoted } from '../lookups.js';
import { type Heading, operation } from '../operation.js';
import type { Asks, Decision } from '../operation-context.js';
import { isRefused, type Refused } from '../provenance.js';
import { array, object, string, titled } from '../schema.js';
import { namingReplies, wikiSuccess } from './wiki.js';

const params = { pageId: string('The id of the page.') };
const fields = object(
  {
    groups: array(string('A group name.'), 'Groups, by name.'),
    users: array(string('A user name.'), 'Users, by name.'),
  },
  'permissions.body',
  'Groups and users, by name.',
);
const body = { schema: titled('PermissionBody', fields) };
const bodyRule = {
  'permissions.body': {
    says: 'The body has a list of group names and a list of user names.',
    source: '2, Permission body; 4.3',
  },
};
const headingRule = {
  'permissions.heading-method': {
    says: 'If the heading and the request line of an operation name different methods, the one in the request line is accepted, and the one in the heading may be accepted too.',
    source: '4.3, the paragraph below the table',
  },
};
const alsoPost: Heading = { method: 'POST', gap: 'heading-methods', reading: 'unambiguous' };
const example = (title: string) => ({
  ...{ title, as: 'admin' as const, params: { pageId: '65601' } },
  body: { groups: ['team-members'], users: ['alice'] },
  response: { status: 200, body: {} },
});

const shared = {
  family: 'wiki',
  params,
  body,
  access: wikiAccess,
  refusals: [
    'page-id-format',
    'unknown-page',
    'wiki-not-permitted',
    'unknown-user',
    'unknown-group',
    'empty-lists',
    'no-change',
  ],
  gaps: [
    'page-id-format',
    'unknown-page',
    'wiki-auth',
    'name-case',
    'unknown-user',
    'unknown-group',
    'empty-lists',
    'no-change',
    'wiki-success',
  ],
  replies: namingReplies,
  check: formRefusal,
} as const;

const ids = [
  'permissions.edit-add',
  'permissions.edit-remove',
  'permissions.view-add',
  'permissions.view-remove',
  'permissions.all-remove',
];

/** Section 4.3 of the document. */
export const permissionStatements: readonly StatementText[] = [
  [
    'All five name a page in the path and take a permission body.',
    {
      rules: ['permissions.body'],
      gaps: ['unknown-page', 'unknown-user', 'unknown-group', 'empty-lists', 'no-change'],
    },
  ],
  [
    'PUT on permissions/edit/{pageId} adds users and groups to the edit permission.',
    { rules: ['permissions.edit-add'] },
  ],
  [
    'To remove them, the same path has DELETE in its request line, but POST in its heading.',
    { rules: ['permissions.edit-remove', 'permissions.heading-method'], gaps: ['heading-methods'] },
  ],
  [
    'To add users and groups to the view permission, permissions/view/{pageId} has PUT in its request line, but POST in its heading.',
    { rules: ['permissions.view-add', 'permissions.heading-method'], gaps: ['view-post'] },
  ],
  [
    'To remove them, the same path has DELETE in its request line, but POST in its heading.',
    { rules: ['permissions.view-remove', 'permissions.heading-method'], gaps: ['view-post'] },
  ],
  [
    'To remove them from all permissions, permissions/all/{pageId} has DELETE in its request line, but POST in its heading.',
    {
      rules: ['permissions.all-remove', 'permissions.heading-method'],
      gaps: ['heading-methods', 'all-remove-empty'],
    },
  ],
  [
    'A server should accept the method of the request line: PUT to add, DELETE to remove.',
    { rules: [...ids, 'permissions.heading-method'] },
  ],
  [
    'It may accept the method of the heading as well.',
    { rules: ['permissions.heading-method'], gaps: ['heading-methods', 'view-post'] },
  ],
  [
    'The last operation calls its list of groups `group` in one place and `groups` in the example; the example takes precedence.',
    { rules: ['permissions.groups-field'], gaps: ['all-group-field'] },
  ],
];

export const editAdd = operation({
  ...shared,
  id: 'permissions.edit-add',
  summary: 'Let users and groups edit a page',
  method: 'PUT',
  path: '/permissions/edit/{pageId}',
  rules: {
    ...bodyRule,
    'permissions.edit-add': {
      says: 'The users and groups are added to the edit permission of the page.',
      source: '4.3, first row',
      effect: true,
    },
  },
  examples: [example('a group and a user may edit')],
  decide(given) {
    return change(given, ['edit'], 'added', () => given.applies('permissions.edit-add'));
  },
});

export const editRemove = operation({
  ...shared,
  id: 'permissions.edit-remove',
  summary: 'Take users and groups off the edit permission of a page',
  method: 'DELETE',
  heading: alsoPost,
  path: '/permissions/edit/{pageId}',
  rules: {
    ...bodyRule,
    ...headingRule,
    'permissions.edit-remove': {
      says: 'The users and groups are removed from the edit permission of the page.',
      source: '4.3, second row',
      effect: true,
    },
  },
  examples: [example('a group and a user leave')],
  decide(given) {
    return change(given, ['edit'], 'removed', () => given.applies('permissions.edit-remove'));
  },
});

export const viewAdd = operation({
  ...shared,
  id: 'permissions.view-add',
  summary: 'Let users and groups view a page',
  method: 'PUT',
  heading: { method: 'POST', gap: 'view-post', reading: 'add' },
  path: '/permissions/view/{pageId}',
  rules: {
    ...bodyRule,
    ...headingRule,
    'permissions.view-add': {
      says: 'The users and groups are added to the view permission of the page.',
      source: '4.3, third row',
      effect: true,
    },
  },
  examples: [example('a group and a user may view')],
  decide(given) {
    return change(given, ['view'], 'added', () => given.applies('permissions.view-add'));
  },
});

export const viewRemove = operation({
  ...shared,
  id: 'permissions.view-remove',
  summary: 'Take users and groups off the view permission of a page',
  method: 'DELETE',
  heading: { method: 'POST', gap: 'view-post', reading: 'remove' },
  path: '/permissions/view/{pageId}',
  rules: {
    ...bodyRule,
    ...headingRule,
    'permissions.view-remove': {
      says: 'The users and groups are removed from the view permission of the page.',
      source: '4.3, fourth row',
      effect: true,
    },
  },
  examples: [example('a group and a user leave')],
  decide(given) {
    return change(given, ['view'], 'removed', () => given.applies('permissions.view-remove'));
  },
});

export const allRemove = operation({
  ...shared,
  id: 'permissions.all-remove',
  summary: 'Take users and groups off all permissions of a page',
  method: 'DELETE',
  heading: alsoPost,
  path: '/permissions/all/{pageId}',
  body: {
    schema: titled('AllPermissionsBody', fields),
    alias: {
      name: 'group',
      of: 'groups',
      gap: 'all-group-field',
      reading: 'groups-or-group',
      rule: 'permissions.groups-field',
    },
  },
  rules: {
    ...bodyRule,
    ...headingRule,
    'permissions.all-remove': {
      says: 'The users and groups are removed from both the edit and the view permission of the page.',
      source: '4.3, fifth row',
      effect: true,
    },
    'permissions.groups-field': {
      says: 'The list of groups is called groups, as in the example; the shape calls it group.',
      source: '4.3, the paragraph below the table',
    },
  },
  examples: [example('a group and a user lose both')],
  gaps: [...shared.gaps, 'all-remove-empty'],
  check(given) {
    return isForEveryone(given) ? pageIdRefusal(given, given.input.params.pageId) : formRefusal(given);
  },
  decide(given) {
    return change(
      given,
      ['edit', 'view'],
      'removed',
      () => given.applies('permissions.all-remove', 'permissions.groups-field'),
      isForEveryone(given),
    );
  },
});

interface Sent {
  readonly input: { readonly params: { readonly pageId: string }; readonly body: NameLists };
}
type Given = Asks<(typeof shared)['gaps'][number], (typeof shared)['refusals'][number]> & Sent;
interface NameLists {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}
type Change = 'added' | 'removed';
/** Whether two empty lists stand for everyone (gap all-remove-empty). */
function isForEveryone(given: Asks<'all-remove-empty'> & Sent): boolean {
  const { users, groups } = given.input.body;
  return users.length + groups.length === 0 && given.reading('all-remove-empty') === 'everyone';
}

type FormGap = 'page-id-format' | 'empty-lists';

function formRefusal(given: Asks<FormGap, FormGap> & Sent): Refused | undefined {
  const { params, body: sent } = given.input;
  return pageIdRefusal(given, params.pageId) ?? emptyRefusal(given, { groups: sent.groups, users: sent.users });
}

function change(
  given: Given,
  permissions: readonly Permission[],
  what: Change,
  applies: () => void,
  isForAll = false,
): Decision {
  const { pageId } = given.input.params;
  const page = knownPage(given, pageId);
  if (isRefused(page)) return page;
  const stranger = strangerRefusal(given, given.world.spaces.get(page.space), page);
  if (stranger !== undefined) return stranger;
  const named = knownNames(given, what === 'removed');
  if (isRefused(named)) return named;
  applies();
  const { users, groups } = given.input.body; // a list that is emptied by skipping names counts as it was sent
  const facts = permissions.flatMap(permission => {
    const { users: all, groups: every } = page[permission];
    const meant = isForAll ? { users: sortedNames(all), groups: sortedNames(every) } : named;
    return changed(pageId, page, permission, meant, what);
  });
  const isNothing = facts.length + named.created.length === 0 && users.length + groups.length > 0;
  if (isNothing && given.deciding('no-change') === '409') {
    const state = what === 'added' ? 'All of them already have' : 'None of them has';
    return given.refuse('no-change', `${state} that permission on page ${quoted(pageId)}.`);
  }
  return { facts: [...named.created, ...facts], reply: wikiSuccess(given, named.messages) };
}

function knownNames(given: Given, isRemoving: boolean) {
  const users = knownUsers(given, given.input.body.users, isRemoving);
  if (isRefused(users)) return users;
  const groups = knownGroups(given, given.input.body.groups, isRemoving);
  if (isRefused(groups)) return groups;
  return {
    users: users.names,
    groups: groups.names,
    created: [...groups.created, ...users.created],
    messages: [...groups.messages, ...users.messages],
  };
}

/** The fact that changes a permission as requested, if any. */
function changed(pageId: string, page: Page, permission: Permission, named: NameLists, what: Change): Fact[] {
  const differs = (set: { has(name: string): boolean }) => (name: string) => set.has(name) !== (what === 'added');
  const users = named.users.filter(differs(page[permission].users));
  const groups = named.groups.filter(differs(page[permission].groups));
  if (users.length + groups.length === 0) return [];
  return [{ type: `page-permission-${what}`, page: pageId, permission, users, groups }];
}
