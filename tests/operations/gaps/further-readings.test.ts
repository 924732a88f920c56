// Readings that refuse with 403, ask for a licence, let two empty lists stand for everyone, or note that nothing changed.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { refuses } from '../../support/worlds/gap-tests.js';
import { expectDone, teamWith } from '../../support/worlds/judge.js';
import { idsWith, validQuestions } from '../../support/worlds/valid.js';

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
