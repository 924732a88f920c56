// A valid request to each operation: its facts and all the rules that it names. What else it changes, and other requests: scenarios/rules and tests/model.
import { expect } from 'chai';
import type { Fact } from '../../server/domain/facts.js';
import { formOf } from '../../server/domain/form/form.js';
import type { OperationId } from '../../server/operations/catalog/catalog.js';
import { ask, type Question, smallTeam } from '../support/worlds/ask.js';
import { expectDone, teamWith } from '../support/worlds/judge.js';
import { validQuestions } from '../support/worlds/valid.js';

const wiki = ['address.no-context-path', 'address.extension-path', 'address.json-bodies'];
const ppf = ['address.ppf-path', 'address.json-bodies', 'ppf.body-types'];
const processed = ['ppf.processed-is-200', 'ppf.success-flag'];
const success = { success: true, messages: [] };
const now = '2026-03-04T05:06:07Z';

const lists = (users: string[] = [], groups: string[] = []) => ({ users, groups });
const both = lists(['alice', 'carol'], ['customers', 'team-members']);
const page = { params: { pageId: '65601' }, json: lists(['alice'], ['team-members']), as: 'carol', now };
/** A page that alice and carol and two groups may edit and view. */
const restricted = teamWith({
  pages: { '65601': { space: 'ds', title: 'Welcome', position: 1, author: 'alice', edit: both, view: both } },
});
const onPage = (type: 'page-permission-added' | 'page-permission-removed', permission: 'edit' | 'view'): Fact => ({
  type,
  page: '65601',
  permission,
  ...page.json,
});
const link = { label: 'Handbook', url: '/handbook' };

type Row = readonly [Question, facts: readonly Fact[], rules: readonly string[], reply?: unknown];
const permitting = (what: 'add' | 'remove', permission: 'edit' | 'view'): Row => [
  { ...page, on: what === 'add' ? smallTeam : restricted },
  [onPage(what === 'add' ? 'page-permission-added' : 'page-permission-removed', permission)],
  [...wiki, 'permissions.body', `permissions.${permission}-${what}`],
];
const copying = {
  sourceSpaceKey: 'tmpl',
  targetSpaceKey: 'APOLLO',
  targetSpaceTitle: 'Apollo',
  targetSpaceAdmin: 'alice',
  removeAdminPermissions: 'true',
  keepPagesMetadata: 'true',
};
const rows: { readonly [Id in OperationId]: Row } = {
  'groups.add-users': [
    { json: { group: 'team-members', users: ['alice', 'demouser2'] } },
    ['alice', 'demouser2'].map(user => ({ type: 'group-member-added', group: 'team-members', user })),
    [...wiki, 'groups.body', 'groups.add-users'],
  ],
  'groups.remove-users': [
    { json: { group: 'jira-core-users', users: ['carol'] } },
    [{ type: 'group-member-removed', group: 'jira-core-users', user: 'carol' }],
    [...wiki, 'groups.body', 'groups.remove-users'],
  ],
  'groups.set-users': [
    { json: { group: 'jira-core-users', users: ['demouser2', 'alice'] } },
    [{ type: 'group-members-set', group: 'jira-core-users', users: ['demouser2', 'alice'] }],
    [...wiki, 'groups.body', 'groups.set-users'],
  ],
  'permissions.edit-add': permitting('add', 'edit'),
  'permissions.edit-remove': permitting('remove', 'edit'),
  'permissions.view-add': permitting('add', 'view'),
  'permissions.view-remove': permitting('remove', 'view'),
  'permissions.all-remove': [
    { ...page, on: restricted },
    [onPage('page-permission-removed', 'edit'), onPage('page-permission-removed', 'view')],
    [...wiki, 'permissions.body', 'permissions.all-remove', 'permissions.groups-field'],
  ],
  'spaces.add-sidebar-link': [
    { json: { spaceKey: 'ds', ...link } },
    [{ type: 'sidebar-link-added', space: 'ds', ...link }],
    [...wiki, 'spaces.sidebar-link'],
  ],
  'spaces.copy': [
    { query: copying },
    [{ type: 'space-copied', source: 'tmpl', target: 'APOLLO', name: 'Apollo', admins: ['admin'], firstPageId: 65702 }],
    [...wiki.slice(0, 2), ...['', '-query-only', '-remove-admin', '-keep-metadata'].map(part => `spaces.copy${part}`)],
  ],
  'spaces.replace-in-page': [
    { ...validQuestions['spaces.replace-in-page'], as: 'carol', now },
    [{ type: 'page-text-replaced', page: '65601', title: 'Welcome', body: '<p>Bye, wiki.</p>', by: 'carol', at: now }],
    [...wiki, 'spaces.replace-list', 'spaces.replace-body'],
  ],
  'spaces.is-unique': [
    { query: { spaceKey: 'APOLLO', spaceName: 'Apollo' } },
    [],
    [...wiki.slice(0, 2), 'spaces.is-unique'],
    true,
  ],
  'ppf.push': [
    { json: { users: ['alice'], groups: ['team-members'], filters: [10500], dashboards: [11000] } },
    (['filters', 'dashboards'] as const).map(item => ({
      type: 'favourite-added',
      item,
      ids: [item === 'filters' ? 10500 : 11000],
      users: ['alice', 'demouser1'],
    })),
    [...ppf, 'ppf.push', ...processed],
    success,
  ],
  'ppf.pull': [
    { json: { groups: ['jira-core-users'], filters: [10600] } },
    [{ type: 'favourite-removed', item: 'filters', ids: [10600], users: ['carol'] }],
    [...ppf, 'ppf.pull', ...processed],
    success,
  ],
};

describe('a valid request', () => {
  for (const [id, [question, facts, rules, reply]] of Object.entries(rows) as [OperationId, Row][])
    it(`to ${id} has exactly its facts and rules`, () => {
      const asked = ask(id, question);
      expectDone(asked, facts, reply);
      expect(asked.rules).to.have.members(rules);
    });

  it('changes nothing in the given world, and makes no edit of a page whose permissions change', () => {
    const { world, form } = ask('permissions.view-add', page);
    expect(world).not.to.equal(smallTeam);
    expect(formOf(smallTeam).pages['65601']?.view).to.deep.equal(lists());
    expect(form.pages['65601']).to.deep.equal({ ...formOf(smallTeam).pages['65601'], view: page.json });
  });
});
