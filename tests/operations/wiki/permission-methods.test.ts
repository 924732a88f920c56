// The methods of the document's section 4.3, whose headings and request lines disagree, and the array with two names.
import { expect } from 'chai';
import type { Fact } from '../../../server/domain/facts.js';
import type { World } from '../../../server/domain/world/world.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';
import { operationIds } from '../../support/worlds/valid.js';

const params = { pageId: '65601' };
const json = { groups: ['team-members'], users: ['alice'] };
const lists = { users: ['alice'], groups: ['team-members'] };
const on = teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', edit: lists, view: lists } } });

describe('permissions.heading-method', () => {
  it('the method of the request line is served under every reading', () => {
    const readings = { 'heading-methods': 'none', 'view-post': 'reject' } as const;
    for (const id of operationIds.filter(id => id.startsWith('permissions.'))) {
      const asked = ask(id, { params, json, readings });
      expect(asked).to.include({ status: 200, operation: id });
      expect(asked.rules).to.include(id).and.not.include('permissions.heading-method');
    }
  });

  const removed = (permission: 'edit' | 'view'): Fact => {
    return { type: 'page-permission-removed', page: '65601', permission, ...json };
  };
  const added: Fact = { type: 'page-permission-added', page: '65601', permission: 'view', ...json };
  const posts: ReadonlyArray<readonly [path: OperationId, SomeReadings, means: OperationId, World, readonly Fact[]]> = [
    ['permissions.edit-add', { 'heading-methods': 'unambiguous' }, 'permissions.edit-remove', on, [removed('edit')]],
    ['permissions.all-remove', {}, 'permissions.all-remove', on, [removed('edit'), removed('view')]],
    ['permissions.view-add', { 'view-post': 'add' }, 'permissions.view-add', smallTeam, [added]],
    ['permissions.view-add', { 'view-post': 'remove' }, 'permissions.view-remove', on, [removed('view')]],
  ];
  it('permissions.heading-method: POST means the operation of the heading, or the one that a reading chooses', () => {
    for (const [path, readings, means, world, facts] of posts) {
      const asked = ask(path, { on: world, method: 'POST', params, json, readings });
      expectDone(asked, facts);
      expect(asked.operation).to.equal(means);
      expect(asked.rules).to.include.members(['permissions.heading-method', means]);
    }
  });
});

describe('methods that are not served', () => {
  type Row = [OperationId, method: string, allow: string, code?: string, SomeReadings?];
  const rows: readonly Row[] = [
    ['groups.set-users', 'DELETE', 'POST, OPTIONS'],
    ['ppf.push', 'PUT', 'POST, OPTIONS'],
    ['permissions.edit-add', 'PATCH', 'PUT, DELETE, POST, OPTIONS'],
    ['permissions.all-remove', 'PUT', 'DELETE, POST, OPTIONS'],
    ['permissions.view-add', 'GET', 'PUT, DELETE, OPTIONS'],
    ['permissions.view-add', 'POST', 'PUT, DELETE, OPTIONS', 'view-post-ambiguous', { 'view-post': 'reject' }],
    ...(['permissions.edit-remove', 'permissions.all-remove'] as const).map((id): Row => {
      const allow = id === 'permissions.all-remove' ? 'DELETE, OPTIONS' : 'PUT, DELETE, OPTIONS';
      return [id, 'POST', allow, 'heading-method-not-served', { 'heading-methods': 'none' }];
    }),
  ];
  for (const [id, method, allow, code = 'method-not-allowed', readings = {}] of rows)
    it(`${method} on the path of ${id} is 405 with Allow: ${allow} (${code})`, () => {
      const asked = ask(id, { method, params, json, readings });
      const message = new RegExp(`\\b${method} (is not allowed on|to (both )?${id})`);
      expectRefused(asked, { status: 405, code, message });
      expect(asked.gaps).to.include(readings);
      expect(asked.response.headers.Allow).to.equal(allow);
      expect(asked.operation).to.equal(undefined);
    });
});

describe('permissions.groups-field', () => {
  const id = 'permissions.all-remove';
  const rule = 'permissions.groups-field';
  const page = { space: 'ds', title: 'Welcome', edit: { groups: ['customers', 'team-members'] } };
  const more = teamWith({ pages: { '65601': page } });

  it('permissions.groups-field: all-group-field=groups-or-group, group is accepted too, and both together are one list', () => {
    for (const [json, left] of [
      [{ groups: ['team-members'] }, ['customers']],
      [{ group: ['team-members'] }, ['customers']],
      [{ group: ['customers'], groups: ['team-members'] }, []],
    ] as const) {
      const asked = ask(id, { on: more, params, json: { users: [], ...json } });
      expect(asked.rules).to.include(rule);
      expect('all-group-field' in asked.gaps).to.equal('group' in json);
      expect(asked.form.pages['65601']?.edit.groups).to.deep.equal(left);
    }
  });

  it('permissions.groups-field: all-group-field=groups-only, group is an unknown field and groups is missing', () => {
    const readings = { 'all-group-field': 'groups-only' } as const;
    expectRefused(ask(id, { on, params, json: { group: ['team-members'], users: [] }, readings }), {
      status: 400,
      code: 'missing-list',
      message: 'Missing field "groups". The body has "group": did you mean "groups"?',
      gaps: { 'all-group-field': 'groups-only', 'unknown-field': 'ignore', 'missing-list': '400' },
      on,
    });
    const both = { group: ['customers'], groups: ['team-members'], users: [] };
    const { form } = ask(id, { on: more, params, json: both, readings });
    expect(form.pages['65601']?.edit.groups).to.deep.equal(['customers']);
  });

  const misplaced: ReadonlyArray<readonly [json: object, message: string, nulls?: 'absent']> = [
    [{ group: null, groups: ['customers'] }, '/group must be a list, not null.'],
    [{ group: ['customers'], groups: null }, '/groups must be a list, not null.'],
    [{ group: [2], groups: ['a'] }, '/group/0 must be a string, not 2.'],
    [{ group: ['a'], groups: ['a', 2] }, '/groups/1 must be a string, not 2.'],
    [{ group: ['a'], groups: 2 }, '/groups must be a list, not 2.'],
    [{ group: [2], groups: null }, '/group/0 must be a string, not 2.', 'absent'],
    [{ group: null, groups: [2] }, '/groups/0 must be a string, not 2.', 'absent'],
  ];
  it('permissions.groups-field: names the place that was sent', () => {
    for (const [lists, message, nulls = '400'] of misplaced) {
      const asked = ask(id, { on, params, json: { ...lists, users: [] }, readings: { 'null-field': nulls } });
      expectRefused(asked, { status: 400, code: 'body-shape', message, on });
    }
  });

  it('permissions.groups-field: no other operation knows group', () => {
    const asked = ask('permissions.edit-remove', { on, params, json: { group: ['team-members'], users: [] } });
    expect(asked.refused).to.equal('missing-list');
    expect(asked.rules).not.to.include(rule);
  });
});
