// Each reading of the gaps about names that the world does not have: users, groups, pages and spaces.
import { expect } from 'chai';
import type { Fact } from '../../../server/domain/facts.js';
import { ask } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';
import { validQuestions } from '../../support/worlds/valid.js';
import { accepts, refuses } from './gap-tests.js';

const ofGroups = ['groups.add-users', 'groups.remove-users', 'groups.set-users'] as const;
const adding = ['permissions.edit-add', 'permissions.view-add'] as const;
const removing = ['permissions.edit-remove', 'permissions.view-remove', 'permissions.all-remove'] as const;
const ofPages = [...adding, ...removing];
const params = { pageId: '65601' };
const lists = { users: ['alice'], groups: ['customers'] };
const on = teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', edit: lists, view: lists } } });
const json = [{ oldText: 'a', newText: 'b' }];

const copy = (more: object) => ({ query: { ...(validQuestions['spaces.copy'].query as object), ...more } });

/** What an operation does with the permissions of page 65601. */
function permissionFacts(id: (typeof ofPages)[number], users: string[], groups: string[]): Fact[] {
  const type = id.endsWith('add') ? 'page-permission-added' : 'page-permission-removed';
  const changed = (['edit', 'view'] as const).filter(permission => id.includes(permission) || id.includes('all'));
  return changed.map(permission => ({ type, page: '65601', permission, users, groups }));
}

describe('gap unknown-user', () => {
  const members = { json: { group: 'jira-core-users', users: ['bob', 'alice', 'demouser2'] } };
  const permitted = { on, params, json: { users: ['alice', 'bob', 'carol'], groups: [] } };
  const refusal = { code: 'unknown-user', message: /"bob"/ };
  for (const status of ['404', '400'] as const) {
    refuses({ 'unknown-user': status }, ofGroups, { ...members, ...refusal });
    refuses({ 'unknown-user': status }, ofPages, { ...permitted, ...refusal });
    refuses({ 'unknown-user': status }, 'spaces.copy', { ...copy({ targetSpaceAdmin: 'bob' }), ...refusal });
  }

  const skip = { 'unknown-user': 'skip' } as const;
  const group = 'jira-core-users';
  accepts(skip, 'groups.add-users', members, [{ type: 'group-member-added', group, user: 'demouser2' }]);
  accepts(skip, 'groups.remove-users', members, [{ type: 'group-member-removed', group, user: 'alice' }]);
  accepts(skip, 'groups.set-users', members, [{ type: 'group-members-set', group, users: ['alice', 'demouser2'] }]);
  for (const id of ofPages)
    accepts(skip, id, permitted, permissionFacts(id, [id.endsWith('add') ? 'carol' : 'alice'], []));

  it('unknown-user=skip: spaces.copy picks the default admin', () => {
    const asked = ask('spaces.copy', { ...copy({ targetSpaceAdmin: 'bob' }), readings: skip });
    expect(asked.rules).to.include('spaces.copy-default-admin');
    expect(asked.form.spaces.APOLLO?.admins).to.deep.equal(['admin']);
  });

  const nobody = { json: { group: 'team-members', users: ['bob'] } };
  for (const empty of ['clears', '400'] as const)
    for (const id of ofGroups) {
      const readings = { ...skip, 'set-users-empty': empty };
      accepts(readings, id, nobody, []);
      refuses({ 'no-change': '409', ...readings }, id, {
        ...nobody,
        message: 'None of the users exists, so "team-members" stays unchanged.',
        gaps: { ...skip, 'no-change': '409' },
      });
    }
});

describe('gap unknown-group', () => {
  const members = { json: { group: 'teem', users: ['alice'] } };
  const permitted = { on, params, json: { users: ['carol'], groups: ['teem', 'customers'] } };
  const refusal = { code: 'unknown-group', message: /"teem"/ };
  for (const status of ['404', '400'] as const) {
    refuses({ 'unknown-group': status }, ofGroups, { ...members, ...refusal });
    refuses({ 'unknown-group': status }, ofPages, { ...permitted, ...refusal });
  }

  const skip = { 'unknown-group': 'skip' } as const;
  const strict = { ...skip, 'no-change': '409' } as const;
  for (const id of ofGroups) accepts(skip, id, members, []);
  refuses(strict, ofGroups, { ...members, ...refusal, status: 409, code: 'no-change' });
  for (const id of adding) accepts(skip, id, permitted, permissionFacts(id, ['carol'], []));
  for (const id of removing) accepts(skip, id, permitted, permissionFacts(id, [], ['customers']));

  const create = { 'unknown-group': 'create' } as const;
  const created: Fact = { type: 'group-created', group: 'teem' };
  accepts({ ...create, 'no-change': '409' }, 'groups.add-users', members, [
    created,
    { type: 'group-member-added', group: 'teem', user: 'alice' },
  ]);
  accepts(create, 'groups.set-users', members, [
    created,
    { type: 'group-members-set', group: 'teem', users: ['alice'] },
  ]);
  accepts(create, 'groups.remove-users', members, []);
  for (const id of adding) accepts(create, id, permitted, [created, ...permissionFacts(id, ['carol'], ['teem'])]);
  for (const id of removing) accepts(create, id, { ...permitted, json: { users: [], groups: ['teem'] } }, []);
  refuses(create, 'groups.add-users', {
    json: { group: 'teem', users: ['bob'] },
    status: 404,
    code: 'unknown-user',
    message: /"bob"/,
    gaps: { ...create, 'unknown-user': '404' },
  });
});

describe('gap unknown-page', () => {
  const unknown = { params: { pageId: '99' }, json: { users: ['bob'], groups: ['teem'] } };
  const renamed = { query: { spaceKey: 'ds', pageTitle: 'welcome' }, json };
  for (const status of ['404', '400'] as const) {
    refuses({ 'unknown-page': status }, ofPages, { ...unknown, message: /"99"/ });
    refuses({ 'unknown-page': status }, 'spaces.replace-in-page', {
      ...renamed,
      message: /"welcome".*"ds"/,
    });
  }
});

describe('gap page-id-format', () => {
  const named = teamWith({ pages: { home: { space: 'ds', title: 'Home' } } });
  const home = { params: { pageId: 'home' }, json: lists };
  refuses({ 'page-id-format': 'digits', 'unknown-page': '400' }, ofPages, {
    ...home,
    on: named,
    status: 404,
    message: 'The page id "home" is not a number: expected only digits.',
    gaps: { 'page-id-format': 'digits' },
  });

  const any = { 'page-id-format': 'any' } as const;
  accepts(any, 'permissions.edit-add', { ...home, on: named }, [
    { type: 'page-permission-added', page: 'home', permission: 'edit', ...lists },
  ]);
  refuses({ ...any, 'unknown-page': '400' }, 'permissions.edit-add', {
    ...home,
    status: 400,
    code: 'unknown-page',
    message: /"home"/,
  });
});

describe('gap unknown-space', () => {
  const asked = [
    ['spaces.copy', copy({ sourceSpaceKey: 'DS', targetSpaceKey: 'tmpl' })],
    ['spaces.add-sidebar-link', { json: { spaceKey: 'DS', label: 'a', url: '/a' } }],
    ['spaces.replace-in-page', { query: { spaceKey: 'DS', pageTitle: 'None' }, json }],
  ] as const;
  for (const status of ['404', '400'] as const)
    for (const [id, question] of asked)
      refuses({ 'unknown-space': status }, id, {
        ...question,
        gaps: { 'name-case': 'exact', 'unknown-space': status },
      });
});
