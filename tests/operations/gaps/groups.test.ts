// Each reading of the gaps that affect the group operations: unknown names, requests that change nothing, empty lists.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused } from '../../support/worlds/judge.js';

const all = ['groups.add-users', 'groups.remove-users', 'groups.set-users'] as const;

describe('gap unknown-user, on groups', () => {
  const json = { group: 'jira-core-users', users: ['bob', 'alice', 'demouser2'] };

  for (const id of all) {
    for (const status of [404, 400] as const) {
      it(`unknown-user=${status}: ${id} is refused and changes nothing`, () => {
        expectRefused(ask(id, { json, readings: { 'unknown-user': `${status}` } }), {
          status,
          code: 'unknown-user',
          message: 'There is no user named "bob".',
          gaps: { 'unknown-user': `${status}` },
        });
      });
    }
  }

  const skipped = {
    'groups.add-users': ['alice', 'carol', 'demouser2'],
    'groups.remove-users': ['carol'],
    'groups.set-users': ['alice', 'demouser2'],
  };
  for (const id of all) {
    it(`unknown-user=skip: ${id} skips the name and applies the rest`, () => {
      const asked = ask(id, { json, readings: { 'unknown-user': 'skip' } });
      expect(asked.status).to.equal(200);
      expect(asked.gaps).to.deep.equal({ 'unknown-user': 'skip', 'wiki-success': 'object' });
      expect(asked.form.groups['jira-core-users']).to.deep.equal(skipped[id]);
      expect(asked.form.users).not.to.have.property('bob');
    });
  }

  it('unknown-user=skip: with no name left nothing is changed, whatever an empty list means, and no-change decides the response', () => {
    for (const id of all) {
      for (const empty of ['clears', '400'] as const) {
        const json = { group: 'team-members', users: ['bob'] };
        const skipping = { 'unknown-user': 'skip', 'set-users-empty': empty } as const;
        const asked = ask(id, { json, readings: skipping });
        expectDone(asked, []);
        expect(asked.gaps).to.deep.equal({ 'unknown-user': 'skip', 'no-change': 'ok', 'wiki-success': 'object' });
        const refused = ask(id, { json, readings: { ...skipping, 'no-change': '409' } });
        expectRefused(refused, {
          status: 409,
          code: 'no-change',
          message: /team-members/,
          gaps: { 'unknown-user': 'skip', 'no-change': '409' },
        });
      }
    }
  });

  it('unknown-user: is named only if an unknown user decided', () => {
    expect(ask('groups.add-users', { json: { group: 'customers', users: ['alice'] } }).gaps).not.to.have.property(
      'unknown-user',
    );
  });
});

describe('gap unknown-group, on groups', () => {
  const json = { group: 'teem', users: ['alice'] };

  for (const id of all) {
    for (const status of [404, 400] as const) {
      it(`unknown-group=${status}: ${id} is refused and changes nothing`, () => {
        expectRefused(ask(id, { json, readings: { 'unknown-group': `${status}` } }), {
          status,
          code: 'unknown-group',
          message: 'There is no group named "teem".',
          gaps: { 'unknown-group': `${status}` },
        });
      });
    }

    it(`unknown-group=skip: ${id} does nothing, and no group is created`, () => {
      const asked = ask(id, { json, readings: { 'unknown-group': 'skip' } });
      expectDone(asked, []);
      expect(asked.gaps).to.deep.equal({ 'unknown-group': 'skip', 'no-change': 'ok', 'wiki-success': 'object' });
    });
  }

  it('unknown-group=create: add-users creates the group with its members', () => {
    const asked = ask('groups.add-users', { json, readings: { 'unknown-group': 'create', 'no-change': '409' } });
    expectDone(asked, [
      { type: 'group-created', group: 'teem' },
      { type: 'group-member-added', group: 'teem', user: 'alice' },
    ]);
    expect(asked.gaps).to.deep.equal({ 'unknown-group': 'create', 'wiki-success': 'object' });
    expect(asked.form.groups.teem).to.deep.equal(['alice']);
  });

  it('unknown-group=create: remove-users creates no group', () => {
    const asked = ask('groups.remove-users', { json, readings: { 'unknown-group': 'create' } });
    expectDone(asked, []);
    expect(asked.gaps).to.deep.equal({ 'unknown-group': 'create', 'no-change': 'ok', 'wiki-success': 'object' });
  });

  it('unknown-group=create: set-users creates the group with its members', () => {
    const asked = ask('groups.set-users', { json, readings: { 'unknown-group': 'create' } });
    expect(asked.form.groups.teem).to.deep.equal(['alice']);
  });

  it('unknown-group=create: an unknown user still refuses, and no group is created', () => {
    const asked = ask('groups.add-users', {
      json: { group: 'teem', users: ['bob'] },
      readings: { 'unknown-group': 'create' },
    });
    expectRefused(asked, {
      status: 404,
      code: 'unknown-user',
      message: 'There is no user named "bob".',
      gaps: { 'unknown-group': 'create', 'unknown-user': '404' },
    });
  });

  it('unknown-group: the default is 404', () => {
    expect(ask('groups.add-users', { json }).gaps).to.include({ 'unknown-group': '404' });
  });
});

describe('gap no-change, on groups', () => {
  it('no-change=409: refuses if every name was skipped as unknown', () => {
    const readings = { 'no-change': '409', 'unknown-user': 'skip' } as const;
    const json = { group: 'jira-core-users', users: ['bob'] };
    expectRefused(ask('groups.add-users', { json, readings }), {
      status: 409,
      code: 'no-change',
      message: 'None of the users exists, so "jira-core-users" stays unchanged.',
      gaps: { 'no-change': '409', 'unknown-user': 'skip' },
    });
  });

  it('no-change=409: names the group if it was skipped', () => {
    const readings = { 'no-change': '409', 'unknown-group': 'skip' } as const;
    for (const id of all)
      expectRefused(ask(id, { json: { group: 'nobodies', users: ['alice'] }, readings }), {
        status: 409,
        code: 'no-change',
        message: 'There is no group named "nobodies".',
        gaps: readings,
      });
  });

  const cases = [
    ['groups.add-users', ['alice', 'carol'], 'All of them are members of "jira-core-users" already.'],
    ['groups.remove-users', ['admin', 'demouser1'], 'None of them is a member of "jira-core-users".'],
  ] as const;
  for (const [id, users, message] of cases) {
    const json = { group: 'jira-core-users', users };
    it(`no-change=ok: ${id} answers as if it had made the change`, () => {
      const asked = ask(id, { json });
      expectDone(asked, []);
      expect(asked.gaps).to.deep.equal({ 'no-change': 'ok', 'wiki-success': 'object' });
    });

    it(`no-change=409: ${id} is refused`, () => {
      const readings = { 'no-change': '409' } as const;
      expectRefused(ask(id, { json, readings }), {
        status: 409,
        code: 'no-change',
        message,
        gaps: { 'no-change': '409' },
      });
    });

    it(`no-change=409: ${id} passes if one of them makes a difference`, () => {
      const asked = ask(id, { json: { ...json, users: ['carol', 'demouser2'] }, readings: { 'no-change': '409' } });
      expect(asked.status).to.equal(200);
      expect(asked.facts).to.have.lengthOf(1);
      expect(asked.gaps).to.deep.equal({ 'wiki-success': 'object' });
    });
  }

  it('no-change: also applies to set-users with the current members', () => {
    const json = { group: 'jira-core-users', users: ['carol', 'alice'] };
    expectDone(ask('groups.set-users', { json }), []);
    expectRefused(ask('groups.set-users', { json, readings: { 'no-change': '409' } }), {
      status: 409,
      code: 'no-change',
      message: '"jira-core-users" has exactly these members already.',
      gaps: { 'no-change': '409' },
    });
  });

  it('no-change: applies only to a request that names a user', () => {
    for (const id of all) {
      const asked = ask(id, { json: { group: 'customers', users: [] }, readings: { 'no-change': '409' } });
      expectDone(asked, []);
      expect(asked.gaps).not.to.have.property('no-change');
    }
  });
});

describe('gap set-users-empty', () => {
  const json = { group: 'jira-core-users', users: [] };

  it('set-users-empty=clears: the group is left without members', () => {
    const asked = ask('groups.set-users', { json });
    expectDone(asked, [{ type: 'group-members-set', group: 'jira-core-users', users: [] }]);
    expect(asked.gaps).to.deep.equal({ 'set-users-empty': 'clears', 'wiki-success': 'object' });
    expect(asked.form.groups['jira-core-users']).to.deep.equal([]);
  });

  it('set-users-empty=400: refused, and the members stay', () => {
    expectRefused(ask('groups.set-users', { json, readings: { 'set-users-empty': '400' } }), {
      status: 400,
      code: 'set-users-empty',
      message: '/users is empty: name at least one user for "jira-core-users".',
      gaps: { 'set-users-empty': '400' },
    });
  });

  it('set-users-empty: does not affect adding or removing nobody', () => {
    for (const id of ['groups.add-users', 'groups.remove-users'] as const) {
      expectDone(ask(id, { json, readings: { 'set-users-empty': '400' } }), []);
    }
  });
});
