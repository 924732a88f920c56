// The methods of the document's section 4.3, whose headings and request lines disagree, and the array with two names.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const params = { pageId: '65601' };
const json = { groups: ['team-members'], users: ['alice'] };
const lists = { users: ['alice'], groups: ['team-members'] };
const on = teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', edit: lists, view: lists } } });

const requestLines = {
  'permissions.edit-add': 'PUT',
  'permissions.edit-remove': 'DELETE',
  'permissions.view-add': 'PUT',
  'permissions.view-remove': 'DELETE',
  'permissions.all-remove': 'DELETE',
} as const;

describe('permissions.heading-method', () => {
  for (const [id, method] of Object.entries(requestLines) as [keyof typeof requestLines, string][]) {
    it(`${id}: ${method}, the method of the request line, is served under every reading`, () => {
      const readings = { 'heading-methods': 'none', 'view-post': 'reject' } as const;
      const asked = ask(id, { method, params, json, readings });
      expect(asked.status).to.equal(200);
      expect(asked.operation).to.equal(id);
      expect(asked.rules).to.include(id).and.not.include('permissions.heading-method');
    });
  }

  for (const id of ['permissions.edit-remove', 'permissions.all-remove'] as const) {
    it(`permissions.heading-method: heading-methods=unambiguous, POST means ${id}`, () => {
      const asked = ask(id, { on, method: 'POST', params, json });
      expect(asked.operation).to.equal(id);
      expect(asked.status).to.equal(200);
      expect(asked.rules).to.include.members(['permissions.heading-method', id]);
      expect(asked.form.pages['65601']?.edit).to.deep.equal({ users: [], groups: [] });
      const view = id === 'permissions.all-remove' ? { users: [], groups: [] } : lists;
      expect(asked.form.pages['65601']?.view).to.deep.equal(view);
    });

    it(`permissions.heading-method: heading-methods=none, POST is not served for ${id}`, () => {
      const asked = ask(id, { on, method: 'POST', params, json, readings: { 'heading-methods': 'none' } });
      expectRefused(asked, {
        status: 405,
        code: 'heading-method-not-served',
        message: new RegExp(`POST to ${id}`),
        gaps: { 'heading-methods': 'none' },
        on,
      });
      expect(asked.response.headers.Allow).to.equal(
        id === 'permissions.all-remove' ? 'DELETE, OPTIONS' : 'PUT, DELETE, OPTIONS',
      );
      expect(asked.operation).to.equal(undefined);
    });
  }
});

describe('gap view-post', () => {
  it('view-post=reject: POST is claimed by two headings, and gets 405', () => {
    const asked = ask('permissions.view-add', { on, method: 'POST', params, json });
    expectRefused(asked, {
      status: 405,
      code: 'view-post-ambiguous',
      message: /POST to permissions\.view-add and permissions\.view-remove, so it is not served: PUT, DELETE/,
      gaps: { 'view-post': 'reject' },
      on,
    });
    expect(asked.response.headers.Allow).to.equal('PUT, DELETE, OPTIONS');
  });

  it('view-post=add: POST adds', () => {
    const asked = ask('permissions.view-add', { method: 'POST', params, json, readings: { 'view-post': 'add' } });
    expect(asked.operation).to.equal('permissions.view-add');
    expectDone(asked, [{ type: 'page-permission-added', page: '65601', permission: 'view', ...json }]);
    expect(asked.rules).to.include.members(['permissions.heading-method', 'permissions.view-add']);
  });

  it('view-post=remove: POST removes', () => {
    const asked = ask('permissions.view-add', {
      on,
      method: 'POST',
      params,
      json,
      readings: { 'view-post': 'remove' },
    });
    expect(asked.operation).to.equal('permissions.view-remove');
    expectDone(asked, [{ type: 'page-permission-removed', page: '65601', permission: 'view', ...json }]);
    expect(asked.form.pages['65601']?.edit).to.deep.equal(lists);
  });
});

describe('methods that no heading claims', () => {
  const paths: [OperationId, string, string][] = [
    ['groups.add-users', 'PUT', 'POST, OPTIONS'],
    ['groups.set-users', 'DELETE', 'POST, OPTIONS'],
    ['spaces.copy', 'GET', 'POST, OPTIONS'],
    ['ppf.push', 'PUT', 'POST, OPTIONS'],
    ['permissions.edit-add', 'PATCH', 'PUT, DELETE, POST, OPTIONS'],
    ['permissions.all-remove', 'PUT', 'DELETE, POST, OPTIONS'],
    ['permissions.view-add', 'GET', 'PUT, DELETE, OPTIONS'],
  ];
  for (const [id, method, allow] of paths) {
    it(`${method} on the path of ${id} is 405 with Allow: ${allow}`, () => {
      const asked = ask(id, { method, params, json });
      expectRefused(asked, {
        status: 405,
        code: 'method-not-allowed',
        message: new RegExp(`^${method} is not served`),
      });
      expect(asked.response.headers.Allow).to.equal(allow);
    });
  }

  it('OPTIONS lists the methods, under the current readings', () => {
    const asked = ask('permissions.view-add', { method: 'OPTIONS', params, readings: { 'view-post': 'remove' } });
    expect(asked.response).to.deep.equal({ status: 204, headers: { Allow: 'PUT, DELETE, POST, OPTIONS' } });
    expect(asked.facts).to.deep.equal([]);
  });
});

describe('permissions.groups-field', () => {
  const id = 'permissions.all-remove';

  it('permissions.groups-field: groups is the name of the example, and no gap', () => {
    const asked = ask(id, { on, params, json });
    expect(asked.rules).to.include('permissions.groups-field');
    expect(asked.gaps).to.deep.equal({ 'wiki-success': 'object' });
  });

  it('permissions.groups-field: all-group-field=groups-or-group, group is accepted too', () => {
    const asked = ask(id, { on, params, json: { group: ['team-members'], users: [] } });
    expect(asked.status).to.equal(200);
    expect(asked.rules).to.include('permissions.groups-field');
    expect(asked.form.pages['65601']).to.deep.include({
      edit: { users: ['alice'], groups: [] },
      view: { users: ['alice'], groups: [] },
    });
  });

  it('permissions.groups-field: all-group-field=groups-or-group, both names together are one list', () => {
    const world = teamWith({
      pages: { '65601': { space: 'ds', title: 'Welcome', edit: { groups: ['customers', 'team-members'] } } },
    });
    const asked = ask(id, { on: world, params, json: { group: ['customers'], groups: ['team-members'], users: [] } });
    expect(asked.form.pages['65601']?.edit.groups).to.deep.equal([]);
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
    const both = ask(id, { on, params, json: { group: ['customers'], groups: ['team-members'], users: [] }, readings });
    expect(both.form.pages['65601']?.edit).to.deep.equal({ users: ['alice'], groups: [] });
    expect(both.gaps).to.include({ 'unknown-field': 'ignore' });
  });

  const misplaced: ReadonlyArray<readonly [json: object, message: string, nulls?: 'absent']> = [
    [{ group: null, groups: ['customers'], users: [] }, '/group must be a list, not null.'],
    [{ group: ['customers'], groups: null, users: [] }, '/groups must be a list, not null.'],
    [{ group: [2], groups: ['a'], users: [] }, '/group/0 must be text, not the number 2.'],
    [{ group: ['a'], groups: ['a', 2], users: [] }, '/groups/1 must be text, not the number 2.'],
    [{ group: 2, groups: ['a'], users: [] }, '/group must be a list, not the number 2.'],
    [{ group: ['a'], groups: 2, users: [] }, '/groups must be a list, not the number 2.'],
    [{ group: [2], users: [] }, '/group/0 must be text, not the number 2.'],
    [{ group: [2], groups: null, users: [] }, '/group/0 must be text, not the number 2.', 'absent'],
    [{ group: null, groups: [2], users: [] }, '/groups/0 must be text, not the number 2.', 'absent'],
    [{ group: 2, groups: null, users: [] }, '/group must be a list, not the number 2.', 'absent'],
  ];
  for (const [json, message, nulls = '400'] of misplaced) {
    it(`permissions.groups-field: names the place that was sent, ${JSON.stringify(json)}, null-field=${nulls}`, () => {
      const asked = ask(id, { on, params, json, readings: { 'null-field': nulls } });
      expectRefused(asked, { status: 400, code: 'body-shape', message, on });
    });
  }

  it('permissions.groups-field: no other operation knows group', () => {
    const asked = ask('permissions.edit-remove', { on, params, json: { group: ['team-members'], users: [] } });
    expect(asked.refused).to.equal('missing-list');
    expect(asked.rules).not.to.include('permissions.groups-field');
  });
});
