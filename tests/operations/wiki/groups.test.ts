// Group membership as in the document's section 4.2: what each of the three operations does, and what it must leave unchanged.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectDone, expectRefused } from '../../support/worlds/judge.js';

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
});

describe('groups.remove-users', () => {
  it('groups.remove-users: the users are no longer members, the others stay, nothing else changes', () => {
    const asked = ask('groups.remove-users', { json: { group: 'jira-core-users', users: ['carol'] } });
    expectDone(asked, [{ type: 'group-member-removed', group: 'jira-core-users', user: 'carol' }]);
    expect(asked.rules).to.deep.equal([...place, 'groups.remove-users']);
    expect(asked.form).to.deep.equal(withMembers('jira-core-users', ['alice']));
  });
});

describe('groups.set-users', () => {
  it('groups.set-users: afterwards the users of the list are the only members', () => {
    const asked = ask('groups.set-users', { json: { group: 'jira-core-users', users: ['demouser2', 'alice'] } });
    expectDone(asked, [{ type: 'group-members-set', group: 'jira-core-users', users: ['demouser2', 'alice'] }]);
    expect(asked.rules).to.deep.equal([...place, 'groups.set-users']);
    expect(asked.form).to.deep.equal(withMembers('jira-core-users', ['alice', 'demouser2']));
  });
});

describe('groups.body', () => {
  for (const id of ['groups.add-users', 'groups.remove-users', 'groups.set-users'] as const) {
    it(`groups.body: ${id} refuses a group that does not exist before it looks at the users`, () => {
      expectRefused(ask(id, { json: { group: 'teem', users: ['bob'] } }), {
        status: 404,
        code: 'unknown-group',
        message: /"teem"/,
        gaps: { 'unknown-group': '404' },
      });
    });
  }
});

describe('names of users and groups', () => {
  it('the given world is never changed itself', () => {
    const asked = ask('groups.add-users', { json: { group: 'customers', users: ['alice'] } });
    expect(asked.world).not.to.equal(smallTeam);
    expect(smallTeam.groups.get('customers')?.size).to.equal(0);
  });
});
