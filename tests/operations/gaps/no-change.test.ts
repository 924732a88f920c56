// Each reading of the gaps about requests that name nobody or change nothing.
import { ask } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';
import { accepts, refuses } from './gap-tests.js';

const group = 'jira-core-users';
const params = { pageId: '65601' };
const lists = { users: ['alice'], groups: ['customers'] };
const on = teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', edit: lists, view: lists } } });
const adding = ['permissions.edit-add', 'permissions.view-add'] as const;
const removing = ['permissions.edit-remove', 'permissions.view-remove', 'permissions.all-remove'] as const;

describe('gap no-change', () => {
  const have = { on, params, json: lists };
  const lack = { on, params, json: { users: ['carol'], groups: ['team-members'] } };
  const requests = [
    [
      'groups.add-users',
      { json: { group, users: ['alice', 'carol'] } },
      `All of these users are already members of "${group}".`,
    ],
    [
      'groups.remove-users',
      { json: { group, users: ['admin', 'demouser1'] } },
      `None of these users is a member of "${group}".`,
    ],
    [
      'groups.set-users',
      { json: { group, users: ['carol', 'alice'] } },
      `"${group}" already has exactly these members.`,
    ],
    ...adding.map(id => [id, have, 'All of them already have that permission on page "65601".'] as const),
    ...removing.map(id => [id, lack, 'None of them has that permission on page "65601".'] as const),
  ] as const;
  for (const [id, question, message] of requests) {
    accepts({ 'no-change': 'ok' }, id, question, []);
    refuses({ 'no-change': '409' }, id, { ...question, message });
  }

  const strict = { 'no-change': '409' } as const;
  accepts(strict, 'groups.add-users', { json: { group, users: ['carol', 'demouser2'] } }, [
    { type: 'group-member-added', group, user: 'demouser2' },
  ]);
  accepts(strict, 'groups.remove-users', { json: { group, users: ['carol', 'demouser2'] } }, [
    { type: 'group-member-removed', group, user: 'carol' },
  ]);
  for (const permission of ['edit', 'view'] as const) {
    const page = { page: '65601', permission, users: ['demouser1'], groups: [] };
    const gained = { ...have, json: { ...lists, users: ['alice', 'demouser1'] } };
    accepts(strict, `permissions.${permission}-add`, gained, [{ type: 'page-permission-added', ...page }]);
    const lost = { ...lack, json: { ...lack.json, users: ['carol', 'alice'] } };
    accepts(strict, `permissions.${permission}-remove`, lost, [
      { type: 'page-permission-removed', ...page, users: ['alice'] },
    ]);
    const { world } = ask(`permissions.${permission}-add`, { params, json: lists });
    accepts(strict, 'permissions.all-remove', { on: world, params, json: lists }, [
      { type: 'page-permission-removed', ...page, ...lists },
    ]);
  }
});

describe('gap empty-lists', () => {
  const nobody = { params, json: { users: [], groups: [] } };
  const refusal = { code: 'empty-lists' };
  for (const id of ['groups.add-users', 'groups.remove-users'] as const) {
    const question = { json: { group, users: [] } };
    accepts({ 'empty-lists': 'ok', 'no-change': '409', 'set-users-empty': '400' }, id, question, []);
    refuses({ 'empty-lists': '400' }, id, { ...question, ...refusal });
  }
  for (const id of [...adding, ...removing]) {
    accepts({ 'empty-lists': 'ok', 'no-change': '409' }, id, nobody, []);
    refuses({ 'empty-lists': '400' }, id, {
      ...nobody,
      ...refusal,
      gaps: { 'empty-lists': '400', ...(id === 'permissions.all-remove' && { 'all-remove-empty': 'like-others' }) },
    });
  }
  accepts({ 'empty-lists': '400' }, 'permissions.edit-add', { params, json: { users: [], groups: ['customers'] } }, [
    { type: 'page-permission-added', page: '65601', permission: 'edit', users: [], groups: ['customers'] },
  ]);
});

describe('gap set-users-empty', () => {
  const question = { json: { group, users: [] } };
  accepts({ 'set-users-empty': 'clears' }, 'groups.set-users', question, [
    { type: 'group-members-set', group, users: [] },
  ]);
  accepts(
    { 'set-users-empty': 'clears', 'no-change': '409' },
    'groups.set-users',
    { json: { group: 'customers', users: [] } },
    [],
  );
  refuses({ 'set-users-empty': '400' }, 'groups.set-users', {
    ...question,
  });
});
