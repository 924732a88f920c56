// Group membership as in the document's section 4.2: what each of the three operations does, and what it must leave unchanged.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const place = ['address.no-context-path', 'address.extension-path', 'address.json-bodies', 'groups.body'];
const before = formOf(smallTeam);
const withMembers = (group: string, members: string[]) => ({
  ...before,
  groups: { ...before.groups, [group]: members },
});

describe('groups.add-users', () => {
  it('groups.add-users: the users become members, existing members stay, nothing else changes', () => {
    const asked = ask('groups.add-users', { json: { group: 'team-members', users: ['alice', 'demouser2'] } });
    expectDone(asked, [
      { type: 'group-member-added', group: 'team-members', user: 'alice' },
      { type: 'group-member-added', group: 'team-members', user: 'demouser2' },
    ]);
    expect(asked.rules).to.deep.equal([...place, 'groups.add-users']);
    expect(asked.form).to.deep.equal(withMembers('team-members', ['alice', 'demouser1', 'demouser2']));
  });

  it('groups.add-users: an existing member stays one, besides a new one', () => {
    const asked = ask('groups.add-users', { json: { group: 'team-members', users: ['demouser1', 'alice'] } });
    expectDone(asked, [{ type: 'group-member-added', group: 'team-members', user: 'alice' }]);
    expect(asked.form.groups['team-members']).to.deep.equal(['alice', 'demouser1']);
  });

  it('groups.add-users: a user named twice becomes one member', () => {
    const asked = ask('groups.add-users', { json: { group: 'customers', users: ['alice', 'alice', 'alice'] } });
    expectDone(asked, [{ type: 'group-member-added', group: 'customers', user: 'alice' }]);
    expect(asked.form).to.deep.equal(withMembers('customers', ['alice']));
  });

  it('groups.add-users: with one unknown user nobody is added', () => {
    const asked = ask('groups.add-users', { json: { group: 'customers', users: ['alice', 'bob', 'dan'] } });
    expectRefused(asked, {
      status: 404,
      code: 'unknown-user',
      message: 'There are no users named "bob", "dan".',
      gaps: { 'unknown-user': '404' },
    });
    expect(asked.rules).not.to.include('groups.add-users');
  });
});

describe('groups.remove-users', () => {
  it('groups.remove-users: the users are no longer members, the others stay, nothing else changes', () => {
    const asked = ask('groups.remove-users', { json: { group: 'jira-core-users', users: ['carol'] } });
    expectDone(asked, [{ type: 'group-member-removed', group: 'jira-core-users', user: 'carol' }]);
    expect(asked.rules).to.deep.equal([...place, 'groups.remove-users']);
    expect(asked.form).to.deep.equal(withMembers('jira-core-users', ['alice']));
  });

  it('groups.remove-users: a user who is not a member does not affect the rest', () => {
    const asked = ask('groups.remove-users', {
      json: { group: 'jira-core-users', users: ['admin', 'carol', 'carol'] },
    });
    expectDone(asked, [{ type: 'group-member-removed', group: 'jira-core-users', user: 'carol' }]);
  });

  it('groups.remove-users: a group without members still exists', () => {
    const asked = ask('groups.remove-users', { json: { group: 'team-members', users: ['demouser1'] } });
    expect(asked.form).to.deep.equal(withMembers('team-members', []));
  });

  it('groups.remove-users: the same users leave no other group', () => {
    const on = teamWith({ groups: { a: ['alice'], b: ['alice'] } });
    const asked = ask('groups.remove-users', { on, json: { group: 'a', users: ['alice'] } });
    expect(asked.form.groups).to.deep.include({ a: [], b: ['alice'] });
  });
});

describe('groups.set-users', () => {
  it('groups.set-users: afterwards the users of the list are the only members', () => {
    const asked = ask('groups.set-users', { json: { group: 'jira-core-users', users: ['demouser2', 'alice'] } });
    expectDone(asked, [{ type: 'group-members-set', group: 'jira-core-users', users: ['demouser2', 'alice'] }]);
    expect(asked.rules).to.deep.equal([...place, 'groups.set-users']);
    expect(asked.form).to.deep.equal(withMembers('jira-core-users', ['alice', 'demouser2']));
  });

  it('groups.set-users: a user named twice becomes one member', () => {
    const asked = ask('groups.set-users', { json: { group: 'customers', users: ['alice', 'alice'] } });
    expect(asked.form).to.deep.equal(withMembers('customers', ['alice']));
  });
});

describe('groups.body', () => {
  for (const id of ['groups.add-users', 'groups.remove-users', 'groups.set-users'] as const) {
    it(`groups.body: ${id} takes a group and users, as text`, () => {
      expect(ask(id, { json: { group: 'customers', users: ['alice'] } }).rules).to.include('groups.body');
      expectRefused(ask(id, { json: { group: 7, users: 'alice' } }), {
        status: 400,
        code: 'body-shape',
        message: '/group must be text, not the number 7; /users must be a list, not the text "alice".',
        rules: ['groups.body'],
        gaps: { 'field-type': '400' },
      });
    });

    it(`groups.body: ${id} refuses a group that does not exist before it looks at the users`, () => {
      expectRefused(ask(id, { json: { group: 'teem', users: ['bob'] } }), {
        status: 404,
        code: 'unknown-group',
        message: 'There is no group named "teem".',
        gaps: { 'unknown-group': '404' },
      });
    });
  }
});

describe('names of users and groups', () => {
  it('address.case-sensitive: a name in another case is another name', () => {
    expect(ask('groups.add-users', { json: { group: 'customers', users: ['Alice'] } }).refused).to.equal(
      'unknown-user',
    );
    expect(ask('groups.add-users', { json: { group: 'Customers', users: ['alice'] } }).refused).to.equal(
      'unknown-group',
    );
    const on = teamWith({ users: { Alice: {} }, groups: { Customers: [] } });
    const asked = ask('groups.add-users', { on, json: { group: 'Customers', users: ['Alice'] } });
    expect(asked.form.groups).to.deep.include({ Customers: ['Alice'], customers: [] });
  });

  it('the given world is never changed itself', () => {
    const asked = ask('groups.add-users', { json: { group: 'customers', users: ['alice'] } });
    expect(asked.world).not.to.equal(smallTeam);
    expect(smallTeam.groups.get('customers')?.size).to.equal(0);
  });
});
