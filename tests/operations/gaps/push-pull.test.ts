// Each reading of the gaps that affect push and pull: effect, empty lists, unknown and invisible items, partial failure, nothing to change.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const success = { success: true, messages: [] };
const failure = (...messages: string[]) => ({ success: false, messages });
const both = ['ppf.push', 'ppf.pull'] as const;
const favourite = teamWith({ favourites: { alice: { filters: [10500] } } });

describe('gap ppf-effect', () => {
  const json = { users: ['alice'], filters: [10500] };

  it('ppf-effect=push-adds: push adds favourites, pull removes them', () => {
    const pushed = ask('ppf.push', { json });
    expect(pushed.form.favourites.alice?.filters).to.deep.equal([10500]);
    expect(pushed.gaps).to.deep.equal({ 'ppf-effect': 'push-adds' });
    const pulled = ask('ppf.pull', { on: pushed.world, json });
    expect(pulled.form.favourites.alice?.filters).to.deep.equal([]);
    expect(pulled.gaps).to.deep.equal({ 'ppf-effect': 'push-adds' });
  });

  for (const id of both) {
    it(`ppf-effect=record-only: ${id} checks and reports, and changes nothing`, () => {
      const on = id === 'ppf.push' ? teamWith({}) : favourite;
      const readings = { 'ppf-effect': 'record-only' } as const;
      const asked = ask(id, { on, json, readings });
      expectDone(asked, [], success);
      expect(asked.world).to.equal(on);
      expect(asked.gaps).to.deep.equal({ 'ppf-effect': 'record-only' });
      const reported = ask(id, { on, json: { users: ['alice', 'bob'], filters: [10500] }, readings });
      expectDone(reported, [], failure('Could not find user with name bob'));
      expect(reported.gaps).to.deep.equal({ 'ppf-effect': 'record-only' });
    });

    it(`ppf-effect: is not named if ${id} has nothing to change`, () => {
      expect(ask(id, { json: { users: ['bob'], filters: [10500] } }).gaps).not.to.have.property('ppf-effect');
    });
  }
});

describe('gap ppf-empty-arrays', () => {
  const requests = [
    ['users', { users: [], filters: [10500] }, 'ppf-no-recipient'],
    ['users and groups', { users: [], groups: [], filters: [10500] }, 'ppf-no-recipient'],
    ['filters', { users: ['alice'], filters: [] }, 'ppf-no-item'],
    ['filters and dashboards', { groups: ['customers'], filters: [], dashboards: [] }, 'ppf-no-item'],
  ] as const;
  for (const id of both) {
    for (const [what, json, code] of requests) {
      it(`ppf-empty-arrays=absent: ${id} with empty ${what} is 400`, () => {
        expectRefused(ask(id, { json }), {
          status: 400,
          code,
          message: /at least one of/,
          rules: ['ppf.invalid-is-400', code === 'ppf-no-item' ? 'ppf.needs-item' : 'ppf.needs-recipient'],
          gaps: { 'ppf-empty-arrays': 'absent' },
        });
      });

      it(`ppf-empty-arrays=present: ${id} with empty ${what} is processed, and concerns nobody`, () => {
        const asked = ask(id, { json, readings: { 'ppf-empty-arrays': 'present' } });
        expectDone(asked, [], success);
        expect(asked.gaps).to.deep.equal({ 'ppf-empty-arrays': 'present' });
      });
    }

    it(`ppf-empty-arrays: is not named if another list of ${id} is not empty`, () => {
      for (const reading of ['absent', 'present'] as const) {
        const json = { users: [], groups: ['customers'], filters: [10500], dashboards: [] };
        const asked = ask(id, { json, readings: { 'ppf-empty-arrays': reading } });
        expect(asked.status).to.equal(200);
        expect(asked.gaps).to.deep.equal({});
      }
    });

    it(`ppf-empty-arrays=present: a list missing from ${id} is still required`, () => {
      const asked = ask(id, { json: { users: [] }, readings: { 'ppf-empty-arrays': 'present' } });
      expect(asked.refused).to.equal('ppf-no-item');
    });
  }
});

describe('gap ppf-unknown-item', () => {
  const unknown = [
    ['groups', { users: ['alice'], groups: ['teem'], filters: [10500] }, 'Could not find group with name teem'],
    ['filters', { users: ['alice'], filters: [10500, 1] }, 'Could not find filter with id 1'],
    ['dashboards', { users: ['alice'], filters: [10500], dashboards: [2] }, 'Could not find dashboard with id 2'],
  ] as const;
  for (const [what, json, message] of unknown) {
    it(`ppf-unknown-item=message: ${what} that do not exist are reported, and the rest is done`, () => {
      const asked = ask('ppf.push', { json });
      expectDone(
        asked,
        [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] }],
        failure(message),
      );
      expect(asked.gaps).to.include({ 'ppf-unknown-item': 'message' });
    });

    for (const id of both) {
      it(`ppf-unknown-item=400: ${what} that do not exist have the whole ${id} refused`, () => {
        expectRefused(ask(id, { json, on: favourite, readings: { 'ppf-unknown-item': '400' } }), {
          status: 400,
          code: 'ppf-unknown-item',
          message: `${message}.`,
          gaps: { 'ppf-unknown-item': '400' },
          on: favourite,
        });
      });
    }
  }

  for (const reading of ['message', '400'] as const) {
    it(`ppf-unknown-item=${reading}: an unknown user is a message all the same, as documented`, () => {
      const asked = ask('ppf.push', {
        json: { users: ['bob'], filters: [10500] },
        readings: { 'ppf-unknown-item': reading },
      });
      expectDone(asked, [], failure('Could not find user with name bob'));
      expect(asked.gaps).to.deep.equal({});
    });
  }
});

describe('gap ppf-partial', () => {
  const json = { users: ['alice', 'bob'], filters: [10500] };
  for (const id of both) {
    const on = id === 'ppf.pull' ? favourite : teamWith({});
    it(`ppf-partial=apply-rest: ${id} does what it can`, () => {
      const asked = ask(id, { on, json });
      expect(asked.facts).to.have.lengthOf(1);
      expect(asked.form.favourites.alice?.filters).to.deep.equal(id === 'ppf.push' ? [10500] : []);
      expect(asked.gaps).to.deep.equal({ 'ppf-effect': 'push-adds', 'ppf-partial': 'apply-rest' });
    });

    it(`ppf-partial=all-or-nothing: ${id} changes nothing, and reports the same`, () => {
      const asked = ask(id, { on, json, readings: { 'ppf-partial': 'all-or-nothing' } });
      expectDone(asked, [], failure('Could not find user with name bob'));
      expect(asked.world).to.equal(on);
      expect(asked.gaps).to.include({ 'ppf-partial': 'all-or-nothing' });
    });
  }

  it('ppf-partial: is not named if everything succeeds', () => {
    const asked = ask('ppf.push', {
      json: { users: ['alice'], filters: [10500] },
      readings: { 'ppf-partial': 'all-or-nothing' },
    });
    expect(asked.facts).to.have.lengthOf(1);
    expect(asked.gaps).to.deep.equal({ 'ppf-effect': 'push-adds' });
  });
});

describe('gap ppf-invisible-item', () => {
  const json = { users: ['alice', 'carol'], dashboards: [11100], filters: [10600] };
  const on = teamWith({ favourites: { carol: { filters: [] } } });

  it('ppf-invisible-item=message: not pushed to a user who may not see it, and reported', () => {
    const asked = ask('ppf.push', { on, json });
    expectDone(
      asked,
      [
        { type: 'favourite-added', item: 'filters', ids: [10600], users: ['alice', 'carol'] },
        { type: 'favourite-added', item: 'dashboards', ids: [11100], users: ['carol'] },
      ],
      failure('Dashboard with id 11100 is not visible to user with name alice'),
    );
    expect(asked.gaps).to.include({ 'ppf-invisible-item': 'message' });
  });

  it('ppf-invisible-item=message: a user in no group that a filter is shared with may not see it', () => {
    const asked = ask('ppf.push', { on, json: { users: ['demouser1'], filters: [10600] } });
    expectDone(asked, [], failure('Filter with id 10600 is not visible to user with name demouser1'));
    const joined = ask('groups.add-users', { on, json: { group: 'jira-core-users', users: ['demouser1'] } });
    expect(ask('ppf.push', { on: joined.world, json: { users: ['demouser1'], filters: [10600] } }).reply).to.deep.equal(
      success,
    );
  });

  it('ppf-invisible-item=push-anyway: it becomes a favourite all the same', () => {
    const asked = ask('ppf.push', { on, json, readings: { 'ppf-invisible-item': 'push-anyway' } });
    expect(asked.reply).to.deep.equal(success);
    expect(asked.form.favourites.alice).to.deep.equal({ filters: [10600], dashboards: [11100] });
    expect(asked.gaps).to.include({ 'ppf-invisible-item': 'push-anyway' });
  });

  it('ppf-invisible-item: an admin cannot see a private dashboard either', () => {
    const asked = ask('ppf.push', { json: { users: ['admin'], dashboards: [11100] } });
    expect(asked.reply).to.deep.equal(failure('Dashboard with id 11100 is not visible to user with name admin'));
  });
});

describe('gap ppf-no-change', () => {
  const push = { users: ['carol', 'alice'], filters: [10600] };

  it('ppf-no-change=ok: an existing favourite, or a missing one on pull, is no error', () => {
    const asked = ask('ppf.push', { json: push });
    expectDone(asked, [{ type: 'favourite-added', item: 'filters', ids: [10600], users: ['alice'] }], success);
    expect(asked.gaps).to.deep.equal({ 'ppf-no-change': 'ok', 'ppf-effect': 'push-adds' });
    expectDone(ask('ppf.pull', { json: { users: ['alice'], filters: [10500] } }), [], success);
  });

  it('ppf-no-change=message: it is reported, and the rest is done', () => {
    const readings = { 'ppf-no-change': 'message' } as const;
    const asked = ask('ppf.push', { json: push, readings });
    expectDone(
      asked,
      [{ type: 'favourite-added', item: 'filters', ids: [10600], users: ['alice'] }],
      failure('Filter with id 10600 is a favourite already of user with name carol'),
    );
    expect(asked.gaps).to.include({ 'ppf-no-change': 'message', 'ppf-partial': 'apply-rest' });
    const pulled = ask('ppf.pull', { json: { users: ['alice'], dashboards: [11000] }, readings });
    expectDone(pulled, [], failure('Dashboard with id 11000 is no favourite of user with name alice'));
  });

  it('ppf-no-change: a second push, and a second pull, change nothing', () => {
    const json = { groups: ['jira-core-users'], filters: [10500], dashboards: [11000] };
    const once = ask('ppf.push', { json });
    expect(ask('ppf.push', { on: once.world, json }).world).to.equal(once.world);
    const pulled = ask('ppf.pull', { on: once.world, json });
    expect(ask('ppf.pull', { on: pulled.world, json }).world).to.equal(pulled.world);
  });

  it('ppf-no-change: is not named if every pair makes a difference', () => {
    const asked = ask('ppf.push', { json: { users: ['alice'], filters: [10500] } });
    expect(asked.gaps).not.to.have.property('ppf-no-change');
  });
});
