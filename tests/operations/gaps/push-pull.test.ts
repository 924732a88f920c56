// Each reading of the gaps about push and pull: empty lists, unknown and invisible items. Effect, partial failure and nothing to change:
// scenarios/gaps and tests/model.
import { expect } from 'chai';
import { applyPatch } from '../../../server/domain/form/patch.js';
import type { World } from '../../../server/domain/world/world.js';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, teamWith } from '../../support/worlds/judge.js';
import { accepts, refuses } from './gap-tests.js';

const success = { success: true, messages: [] };
const failure = (...messages: string[]) => ({ success: false, messages });
const both = ['ppf.push', 'ppf.pull'] as const;
const on = teamWith({ favourites: { alice: { filters: [10500] }, carol: { filters: [] } } });
/** Carol has no favourites and alice has one: each operation has something to do. */
const users = { 'ppf.push': 'carol', 'ppf.pull': 'alice' } as const;
const types = { 'ppf.push': 'favourite-added', 'ppf.pull': 'favourite-removed' } as const;
const added = (ids: number[], ...users: string[]) => ({
  type: 'favourite-added' as const,
  item: 'filters' as const,
  ids,
  users,
});

describe('ppf-effect=pushed-only', () => {
  const readings = { 'ppf-effect': 'pushed-only' } as const;
  const json = { users: ['alice', 'carol'], filters: [10500] };
  const fromCarol = { users: ['carol'], filters: [10500] };
  const pushed = ask('ppf.push', { on, json });

  it('pull removes what was pushed, under any reading, and leaves what the user had already', () => {
    for (const { world } of [pushed, ask('ppf.push', { on, json, readings })]) {
      const pulled = ask('ppf.pull', { on: world, json, readings });
      expectDone(pulled, [{ ...added([10500], 'carol'), type: 'favourite-removed' }], success);
      expect(pulled.gaps).to.deep.equal({ 'ppf-effect': 'pushed-only', 'ppf-no-change': 'ok' });
    }
  });

  const fromAlice = { on, json: { users: ['alice'], filters: [10500] } };
  const kept = failure('Filter with id 10500 was not pushed to user with name alice');
  accepts(readings, 'ppf.pull', fromAlice, [], success);
  accepts({ ...readings, 'ppf-no-change': 'message' }, 'ppf.pull', fromAlice, [], kept);

  it('a favourite that was removed, and chosen again, counts as not pushed', () => {
    const { world: pulled } = ask('ppf.pull', { on: pushed.world, json: fromCarol });
    const patched = (world: World, filters: readonly number[]) =>
      applyPatch(world, { favourites: { carol: { filters } } });
    for (const again of [patched(pulled, [10500]), patched(patched(pushed.world, []), [10500])])
      expectDone(ask('ppf.pull', { on: again, json: fromCarol, readings }), [], success);
  });

  it('a pushed favourite that a patch repeats still counts as pushed', () => {
    const again = applyPatch(pushed.world, { favourites: { carol: { filters: [10500, 10600] } } });
    const pulled = ask('ppf.pull', { on: again, json: fromCarol, readings });
    expect(pulled.form.favourites.carol?.filters).to.deep.equal([10600]);
  });
});

for (const id of both) {
  const json = { users: [users[id]], filters: [10500] };
  const effect = { ...added([10500], users[id]), type: types[id] };

  describe(`lists of ${id} that are empty or name unknown items`, () => {
    for (const [json, code] of [
      [{ users: [], groups: [], filters: [10500] }, 'ppf-no-recipient'],
      [{ users: ['alice'], filters: [] }, 'ppf-no-item'],
    ] as const) {
      refuses({ 'ppf-empty-arrays': 'absent' }, id, {
        json,
        status: 400,
        code,
        message: /at least one of/,
        rules: ['ppf.invalid-is-400', code === 'ppf-no-item' ? 'ppf.needs-item' : 'ppf.needs-recipient'],
      });
      accepts({ 'ppf-empty-arrays': 'present' }, id, { json }, [], success);
    }
    const others = { ...json, groups: [], dashboards: [] };
    for (const reading of ['absent', 'present'] as const)
      accepts({ 'ppf-empty-arrays': reading }, id, { on, json: others }, [effect], success);

    it('ppf-empty-arrays=present: a missing list is still required', () => {
      const asked = ask(id, { json: { users: [] }, readings: { 'ppf-empty-arrays': 'present' } });
      expect(asked.refused).to.equal('ppf-no-item');
    });

    for (const [more, message] of [
      [{ groups: ['teem'] }, 'Could not find group with name teem'],
      [{ filters: [10500, 1] }, 'Could not find filter with id 1'],
      [{ dashboards: [2] }, 'Could not find dashboard with id 2'],
    ] as const) {
      const question = { on, json: { ...json, ...more } };
      accepts({ 'ppf-unknown-item': 'message' }, id, question, [effect], failure(message));
      refuses({ 'ppf-unknown-item': '400' }, id, { ...question, message: `${message}.` });
    }
    const withUnknown = { ...json, users: ['bob', users[id]] };
    const notFound = failure('Could not find user with name bob');
    accepts({ 'ppf-unknown-item': '400' }, id, { on, json: withUnknown }, [effect], notFound);
  });
}

describe('ppf-no-change=note', () => {
  const note = { 'ppf-no-change': 'note' } as const;
  const json = { users: ['carol', 'alice'], filters: [10600] };

  it('names what did not change, and succeeds', () => {
    const asked = ask('ppf.push', { json, readings: note });
    const messages = ['Filter with id 10600 is a favourite already of user with name carol'];
    expectDone(asked, [added([10600], 'alice')], { success: true, messages });
    expect(asked.rules).not.to.include('ppf.failure-message');
    expect(ask('ppf.pull', { json, readings: note }).reply).to.have.property('success', true);
  });

  it('does not hide a failure, and ppf-partial is about failures only', () => {
    const readings = { ...note, 'ppf-partial': 'all-or-nothing' } as const;
    expect(ask('ppf.push', { json, readings }).facts).to.have.lengthOf(1);
    const failed = ask('ppf.push', { json: { ...json, users: ['bob', ...json.users] }, readings });
    expect(failed.reply).to.have.property('success', false);
    expect(failed.reply).to.have.property('messages').that.has.lengthOf(2);
    expect(failed.facts).to.deep.equal([]);
  });
});

describe('gap ppf-invisible-item', () => {
  const json = { users: ['alice', 'carol'], dashboards: [11100], filters: [10600] };
  const carols = { type: 'favourite-added', item: 'dashboards', ids: [11100], users: ['carol'] } as const;
  const invisible = 'Dashboard with id 11100 is not visible to user with name';
  const message = { 'ppf-invisible-item': 'message' } as const;
  accepts(message, 'ppf.push', { on, json }, [added([10600], 'alice', 'carol'), carols], failure(`${invisible} alice`));
  accepts(message, 'ppf.push', { json: { users: ['admin'], dashboards: [11100] } }, [], failure(`${invisible} admin`));
  accepts(
    { 'ppf-invisible-item': 'push-anyway' },
    'ppf.push',
    { on, json },
    [added([10600], 'alice', 'carol'), { ...carols, users: ['alice', 'carol'] }],
    success,
  );

  it('ppf-invisible-item=message: a filter shared with a group is visible to those who join it', () => {
    const json = { users: ['demouser1'], filters: [10600] };
    const asked = ask('ppf.push', { on, json });
    expectDone(asked, [], failure('Filter with id 10600 is not visible to user with name demouser1'));
    const joined = ask('groups.add-users', { on, json: { group: 'jira-core-users', users: ['demouser1'] } });
    expect(ask('ppf.push', { on: joined.world, json }).reply).to.deep.equal(success);
  });
});
