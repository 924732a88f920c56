// Readings that report or create unknown names, refuse with 403, ask for a licence, let two empty lists stand for everyone, or note that nothing changed.
import { expect } from 'chai';
import { evolve, type Fact } from '../../../server/domain/facts.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { expectDone, teamWith } from '../../support/worlds/judge.js';
import { idsWith, validQuestions } from '../../support/worlds/valid.js';
import { refuses } from './gap-tests.js';

describe('readings that refuse with 403', () => {
  const page = { params: { pageId: '7' } };
  refuses({ 'unknown-user': '403' }, 'groups.add-users', {
    json: { group: 'customers', users: ['bob'] },
    status: 403,
  });
  refuses({ 'unknown-group': '403' }, 'groups.remove-users', {
    json: { group: 'none', users: ['alice'] },
    status: 403,
  });
  refuses({ 'unknown-page': '403' }, 'permissions.edit-add', {
    ...page,
    json: { users: ['alice'], groups: [] },
    status: 403,
  });
  refuses({ 'unknown-space': '403' }, 'spaces.add-sidebar-link', {
    json: { spaceKey: 'none', label: 'x', url: '/x' },
    status: 403,
  });
});

describe('readings that report skipped names', () => {
  const readings = { 'unknown-user': 'message', 'unknown-group': 'message' } as const;
  const both = ['There is no group named "teem".', 'There are no users named "bob", "dan".'];
  const customer = { type: 'group-member-added', group: 'customers', user: 'alice' } as const;
  const added = {
    type: 'page-permission-added',
    page: '65601',
    permission: 'edit',
    users: ['alice'],
    groups: [],
  } as const;
  const users = ['bob', 'alice', 'dan'];
  const params = { pageId: '65601' };
  const cases: ReadonlyArray<readonly [OperationId, Question, Fact[], messages: string[]]> = [
    ['groups.add-users', { json: { group: 'customers', users } }, [customer], both.slice(1)],
    ['groups.set-users', { json: { group: 'teem', users } }, [], both],
    ['permissions.edit-add', { params, json: { users, groups: ['teem'] } }, [added], both],
    ['permissions.edit-remove', { params, json: { users: [], groups: ['teem'] } }, [], both.slice(0, 1)],
  ];
  for (const [id, question, facts, messages] of cases)
    it(`unknown-user=message, unknown-group=message: ${id} applies the rest and names the skipped`, () => {
      expectDone(ask(id, { ...question, readings }), facts, { success: false, messages });
    });

  it('unknown-user=message: a copy has the default admin, and the response is the same under any copy-success', () => {
    const query = { ...(validQuestions['spaces.copy'].query as object), targetSpaceAdmin: 'bob' };
    const asked = ask('spaces.copy', { query, readings: { ...readings, 'copy-success': 'space' } });
    expect(asked.facts).to.have.nested.property('[0].admins[0]', 'admin');
    expect(asked.reply).to.deep.equal({ success: false, messages: ['There is no user named "bob".'] });
  });

  it('unknown-user=message: no-change=409 comes before', () => {
    const json = { group: 'customers', users: ['bob'] };
    expect(ask('groups.add-users', { json, readings: { ...readings, 'no-change': '409' } }).refused).to.equal(
      'no-change',
    );
  });
});

describe('gap unknown-user, as a creation', () => {
  const readings = { 'unknown-user': 'create' } as const;
  const bob = { type: 'user-created', user: 'bob' } as const;
  const json = { group: 'customers', users: ['anonymous', 'bob', 'alice'] };

  it('unknown-user=create: what adds a user creates it, but not anonymous', () => {
    const set = { type: 'group-members-set', group: 'customers', users: ['bob', 'alice'] } as const;
    expectDone(ask('groups.set-users', { json, readings }), [bob, set]);
    const page = { params: { pageId: '65601' }, json: { users: ['bob'], groups: [] } };
    expect(ask('permissions.view-add', { ...page, readings }).facts)
      .to.have.lengthOf(2)
      .and.deep.include(bob);
    const query = { ...(validQuestions['spaces.copy'].query as object), targetSpaceAdmin: 'bob' };
    const [created, copied] = ask('spaces.copy', { query, readings }).facts;
    expect([created, copied]).to.have.nested.property('[1].admins').that.includes('bob');
    expect(created).to.deep.equal(bob);
  });

  it('unknown-user=create: what removes a user skips it, as does a group that is skipped', () => {
    expectDone(ask('groups.remove-users', { json, readings }), []);
    const skipped = { json: { ...json, group: 'teem' }, readings: { ...readings, 'unknown-group': 'skip' } } as const;
    expectDone(ask('groups.add-users', skipped), []);
  });

  it('unknown-user=create: the user exists from then on', () => {
    const made = evolve(teamWith({}), bob);
    expect(made.users.get('bob')).to.deep.equal({ displayName: 'bob', admin: false });
    expectDone(ask('groups.add-users', { on: made, json: { group: 'customers', users: ['bob'] } }), [
      { type: 'group-member-added', group: 'customers', user: 'bob' },
    ]);
  });
});

describe('gap wiki-licence', () => {
  const on = teamWith({ licence: { ppf: 'expired' } });
  for (const id of idsWith('wiki-licence')) {
    it(`wiki-licence=not-needed: ${id} works without a licence`, () => {
      expect(ask(id, { ...validQuestions[id], on }).status).to.equal(200);
    });
    refuses({ 'wiki-licence': 'needed' }, id, {
      ...validQuestions[id],
      on,
      status: 403,
      code: 'wiki-not-licensed',
    });
  }

  it('wiki-licence=needed: comes after the caller, and matters only without a licence', () => {
    const readings = { 'wiki-licence': 'needed', 'wiki-auth': 'authenticated' } as const;
    const asked = (question: Question) =>
      ask('spaces.is-unique', { ...validQuestions['spaces.is-unique'], readings, ...question });
    expect(asked({ on, as: null }).refused).to.equal('wiki-anonymous');
    expect(asked({ on, as: 'alice' }).refused).to.equal('wiki-not-licensed');
    expect(asked({ as: 'alice' }).gaps).not.to.have.property('wiki-licence');
  });
});

describe('gap all-remove-empty', () => {
  const on = teamWith({
    pages: {
      '65601': { space: 'ds', title: 'Welcome', view: { users: ['carol', 'alice'] }, edit: { groups: ['customers'] } },
    },
  });
  const nobody = { on, params: { pageId: '65601' }, json: { users: [], groups: [] } };
  const removed = (permission: 'edit' | 'view', users: string[], groups: string[]) =>
    ({ type: 'page-permission-removed', page: '65601', permission, users, groups }) as const;
  const id: OperationId = 'permissions.all-remove';

  it('all-remove-empty=like-others: two empty lists change nothing, or are refused', () => {
    expectDone(ask(id, nobody), []);
    expect(ask(id, nobody).gaps).to.include({ 'all-remove-empty': 'like-others' });
    expect(ask(id, { ...nobody, readings: { 'empty-lists': '400' } }).refused).to.equal('empty-lists');
  });

  it('all-remove-empty=everyone: two empty lists remove everyone from both permissions', () => {
    const readings = { 'all-remove-empty': 'everyone', 'empty-lists': '400' } as const;
    const facts = [removed('edit', [], ['customers']), removed('view', ['alice', 'carol'], [])];
    expectDone(ask(id, { ...nobody, readings }), facts);
    expectDone(ask(id, { ...nobody, on: teamWith({}), readings }), []);
    expect(ask(id, { ...nobody, params: { pageId: 'x' }, readings }).refused).to.equal('page-id-format');
    expect(ask('permissions.edit-remove', { ...nobody, readings }).refused).to.equal('empty-lists');
  });
});

describe('gap ppf-no-change, as a note', () => {
  const note = { 'ppf-no-change': 'note' } as const;
  const json = { users: ['carol', 'alice'], filters: [10600] };

  it('ppf-no-change=note: names what did not change, and succeeds', () => {
    const asked = ask('ppf.push', { json, readings: note });
    const messages = ['Filter with id 10600 is a favourite already of user with name carol'];
    expectDone(asked, [{ type: 'favourite-added', item: 'filters', ids: [10600], users: ['alice'] }], {
      success: true,
      messages,
    });
    expect(asked.rules).not.to.include('ppf.failure-message');
    expect(ask('ppf.pull', { json, readings: note }).reply).to.have.property('success', true);
  });

  it('ppf-no-change=note: does not hide a failure, and ppf-partial is about failures only', () => {
    const readings = { ...note, 'ppf-partial': 'all-or-nothing' } as const;
    expect(ask('ppf.push', { json, readings }).facts).to.have.lengthOf(1);
    const failed = ask('ppf.push', { json: { ...json, users: ['bob', ...json.users] }, readings });
    expect(failed.reply).to.have.property('success', false);
    expect(failed.reply).to.have.property('messages').that.has.lengthOf(2);
    expect(failed.facts).to.deep.equal([]);
  });
});
