// Each reading of the gaps that affect the permission operations: unknown pages, users and groups, and requests that change nothing.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const params = { pageId: '65601' };
const lists = { users: ['alice'], groups: ['customers'] };
const on = teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', edit: lists, view: lists } } });
const adds = ['permissions.edit-add', 'permissions.view-add'] as const;
const removes = ['permissions.edit-remove', 'permissions.view-remove', 'permissions.all-remove'] as const;
const all = [...adds, ...removes];

describe('gap unknown-page, on permissions', () => {
  for (const id of all) {
    for (const status of [404, 400] as const) {
      it(`unknown-page=${status}: ${id} is refused`, () => {
        const asked = ask(id, { params: { pageId: '99' }, json: lists, readings: { 'unknown-page': `${status}` } });
        expectRefused(asked, {
          status,
          code: 'unknown-page',
          message: 'There is no page with the id "99".',
          gaps: { 'unknown-page': `${status}` },
        });
      });
    }
  }

  it('unknown-page: the page is checked before the names', () => {
    const asked = ask('permissions.edit-add', { params: { pageId: '99' }, json: { users: ['bob'], groups: ['teem'] } });
    expect(asked.refused).to.equal('unknown-page');
    expect(asked.gaps).not.to.have.any.keys('unknown-user', 'unknown-group');
  });
});

describe('gap page-id-format', () => {
  const named = teamWith({ pages: { home: { space: 'ds', title: 'Home' } } });

  it('page-id-format=digits: a path with an id that is not a number does not exist, whatever a missing page gets', () => {
    for (const id of all)
      expectRefused(
        ask(id, { on: named, params: { pageId: 'home' }, json: lists, readings: { 'unknown-page': '400' } }),
        {
          status: 404,
          code: 'page-id-format',
          message: 'The page id "home" is no number: expected digits only.',
          gaps: { 'page-id-format': 'digits' },
          on: named,
        },
      );
    expect(ask('permissions.edit-add', { params, json: lists }).gaps).not.to.have.property('page-id-format');
  });

  it('page-id-format=any: it is an id like any other', () => {
    const readings = { 'page-id-format': 'any', 'unknown-page': '400' } as const;
    const found = ask('permissions.edit-add', { on: named, params: { pageId: 'home' }, json: lists, readings });
    expect([found.status, found.gaps['page-id-format']]).to.deep.equal([200, 'any']);
    const unknown = ask('permissions.edit-add', { params: { pageId: 'home' }, json: lists, readings });
    expect([unknown.status, unknown.refused]).to.deep.equal([400, 'unknown-page']);
  });
});

describe('gap unknown-user, on permissions', () => {
  const json = { users: ['alice', 'bob', 'carol'], groups: [] };
  for (const id of all) {
    for (const status of [404, 400] as const) {
      it(`unknown-user=${status}: ${id} is refused`, () => {
        expectRefused(ask(id, { on, params, json, readings: { 'unknown-user': `${status}` } }), {
          status,
          code: 'unknown-user',
          message: 'There is no user named "bob".',
          gaps: { 'unknown-user': `${status}` },
          on,
        });
      });
    }

    it(`unknown-user=skip: ${id} applies the rest`, () => {
      const asked = ask(id, { on, params, json, readings: { 'unknown-user': 'skip' } });
      expect(asked.status).to.equal(200);
      expect(asked.gaps).to.deep.equal({ 'unknown-user': 'skip', 'wiki-success': 'object' });
      const page = asked.form.pages['65601'];
      const expected = id.endsWith('add') ? ['alice', 'carol'] : [];
      expect(page?.[id.includes('view') ? 'view' : 'edit'].users).to.deep.equal(expected);
    });
  }
});

describe('gap unknown-group, on permissions', () => {
  const json = { users: ['carol'], groups: ['teem', 'customers'] };
  for (const id of all) {
    for (const status of [404, 400] as const) {
      it(`unknown-group=${status}: ${id} is refused`, () => {
        expectRefused(ask(id, { on, params, json, readings: { 'unknown-group': `${status}` } }), {
          status,
          code: 'unknown-group',
          message: 'There is no group named "teem".',
          gaps: { 'unknown-group': `${status}` },
          on,
        });
      });
    }

    it(`unknown-group=skip: ${id} applies the rest, and no group is created`, () => {
      const asked = ask(id, { on, params, json, readings: { 'unknown-group': 'skip' } });
      expect(asked.gaps).to.deep.equal({ 'unknown-group': 'skip', 'wiki-success': 'object' });
      expect(asked.form.groups).not.to.have.property('teem');
      const list = asked.form.pages['65601']?.[id.includes('view') ? 'view' : 'edit'];
      expect(list?.groups).to.deep.equal(id.endsWith('add') ? ['customers'] : []);
    });
  }

  for (const id of adds) {
    it(`unknown-group=create: ${id} creates the group and gives it the permission`, () => {
      const permission = id === 'permissions.edit-add' ? 'edit' : 'view';
      const asked = ask(id, { on, params, json, readings: { 'unknown-group': 'create' } });
      expectDone(asked, [
        { type: 'group-created', group: 'teem' },
        { type: 'page-permission-added', page: '65601', permission, users: ['carol'], groups: ['teem'] },
      ]);
      expect(asked.form.groups.teem).to.deep.equal([]);
      expect(asked.form.pages['65601']?.[permission].groups).to.deep.equal(['customers', 'teem']);
    });
  }

  for (const id of removes) {
    it(`unknown-group=create: ${id} creates no group`, () => {
      const readings = { 'unknown-group': 'create' } as const;
      const asked = ask(id, { on, params, json: { users: [], groups: ['teem'] }, readings });
      expectDone(asked, []);
      expect(asked.gaps).to.deep.equal({ 'unknown-group': 'create', 'no-change': 'ok', 'wiki-success': 'object' });
    });
  }
});

describe('gap no-change, on permissions', () => {
  for (const id of all) {
    const json = id.endsWith('add') ? lists : { users: ['carol'], groups: ['team-members'] };
    const said = id.endsWith('add') ? 'have that permission already' : 'have no such permission to lose';
    it(`no-change=ok: ${id} answers as if it had made the change`, () => {
      const asked = ask(id, { on, params, json });
      expectDone(asked, []);
      expect(asked.gaps).to.deep.equal({ 'no-change': 'ok', 'wiki-success': 'object' });
    });

    it(`no-change=409: ${id} is refused`, () => {
      expectRefused(ask(id, { on, params, json, readings: { 'no-change': '409' } }), {
        status: 409,
        code: 'no-change',
        message: `All of them ${said} on page "65601".`,
        gaps: { 'no-change': '409' },
        on,
      });
    });

    it(`no-change=409: ${id} passes if one of them makes a difference`, () => {
      const one = { ...json, users: id.endsWith('add') ? ['alice', 'demouser1'] : ['carol', 'alice'] };
      const asked = ask(id, { on, params, json: one, readings: { 'no-change': '409' } });
      expect(asked.status).to.equal(200);
      expect(asked.gaps).to.deep.equal({ 'wiki-success': 'object' });
    });
  }

  it('no-change=409: all-remove passes for a name in one of the two lists', () => {
    const world = teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', view: lists } } });
    const asked = ask('permissions.all-remove', { on: world, params, json: lists, readings: { 'no-change': '409' } });
    expect(asked.facts).to.have.lengthOf(1);
  });
});

describe('gap all-group-field', () => {
  it('all-group-field=groups-or-group: an error in the list is reported at the name that was sent', () => {
    const asked = ask('permissions.all-remove', { params, json: { users: [], group: 'customers' } });
    expect(asked.reply).to.deep.include({ message: '/group must be a list, not the text "customers".' });
    const both = ask('permissions.all-remove', { params, json: { users: [], groups: [], group: 'customers' } });
    expect(both.refused).to.equal('body-shape');
  });
});
