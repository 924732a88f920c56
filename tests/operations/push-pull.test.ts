// Push and pull: facts, rules, refusals and limits. Which favourites and messages they give under every reading: tests/model.
import { expect } from 'chai';
import { worldFrom } from '../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../server/domain/form/form-shapes.js';
import { applyPatch } from '../../server/domain/form/patch.js';
import type { World } from '../../server/domain/world/world.js';
import { ask } from '../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../support/worlds/judge.js';
import { ppfIds } from '../support/worlds/valid.js';
import { accepts, refuses } from './gaps/gap-tests.js';

const success = { success: true, messages: [] };
const failure = (...messages: string[]) => ({ success: false, messages });
const added = (ids: number[], users: string[], item: 'filters' | 'dashboards' = 'filters') =>
  ({ type: 'favourite-added', item, ids, users }) as const;

describe('the facts of a push', () => {
  const users = ['admin', 'ann', 'ben', 'cat', 'dan'];
  const world = worldFrom({
    users: { admin: { admin: true, password: 'admin' }, ann: {}, ben: {}, cat: {}, dan: {} },
    groups: { staff: ['cat'], all: users },
    filters: {
      '2': { owner: 'ben', sharedWith: 'everyone' },
      '3': { owner: 'ben', sharedWith: { users: ['dan'], groups: ['staff'] } },
      '4': { owner: 'ben', sharedWith: {} },
      '5': { owner: 'ben', sharedWith: 'everyone' },
    },
    dashboards: { '6': { owner: 'ben', sharedWith: 'everyone' } },
  });
  const push = (json: object, on = world) => ask('ppf.push', { on, json });

  it('are one for all consecutive items that concern the same users', () => {
    const { facts } = push({ groups: ['all'], filters: [2, 5, 3, 4], dashboards: [6] });
    const some = ['ben', 'cat', 'dan'];
    expect(facts).to.deep.equal([
      added([2, 5], users),
      added([3], some),
      added([4], ['ben']),
      added([6], users, 'dashboards'),
    ]);
  });

  it('leave out users with nothing to change, item by item, and count each user and item once', () => {
    const on = push({ users: ['ann'], filters: [2] }).world;
    const others = users.filter(user => user !== 'ann');
    const { facts } = push({ users: ['admin', 'admin'], groups: ['all', 'staff', 'all'], filters: [2, 5, 5] }, on);
    expect(facts).to.deep.equal([added([2], others), added([5], users)]);
  });
});

describe('ppf-effect=pushed-only', () => {
  const on = teamWith({ favourites: { alice: { filters: [10500] }, carol: { filters: [] } } });
  const readings = { 'ppf-effect': 'pushed-only' } as const;
  const json = { users: ['alice', 'carol'], filters: [10500] };
  const fromCarol = { users: ['carol'], filters: [10500] };
  const pushed = ask('ppf.push', { on, json });

  it('pull removes what was pushed, under any reading, and leaves what the user had already', () => {
    for (const { world } of [pushed, ask('ppf.push', { on, json, readings })]) {
      const pulled = ask('ppf.pull', { on: world, json, readings });
      expectDone(pulled, [{ ...added([10500], ['carol']), type: 'favourite-removed' }], success);
      expect(pulled.gaps).to.deep.equal({ 'ppf-effect': 'pushed-only', 'ppf-no-change': 'ok' });
    }
    const kept = failure('Filter with id 10500 was not pushed to user with name alice');
    const strict = { ...readings, 'ppf-no-change': 'message' } as const;
    expectDone(ask('ppf.pull', { on, json: { ...json, users: ['alice'] }, readings: strict }), [], kept);
  });

  it('a favourite that was removed, and chosen again, counts as not pushed, and one that a patch repeats as pushed', () => {
    const { world: pulled } = ask('ppf.pull', { on: pushed.world, json: fromCarol });
    const patched = (world: World, filters: readonly number[]) =>
      applyPatch(world, { favourites: { carol: { filters } } });
    for (const again of [patched(pulled, [10500]), patched(patched(pushed.world, []), [10500])])
      expectDone(ask('ppf.pull', { on: again, json: fromCarol, readings }), [], success);
    const { form } = ask('ppf.pull', { on: patched(pushed.world, [10500, 10600]), json: fromCarol, readings });
    expect(form.favourites.carol?.filters).to.deep.equal([10600]);
  });
});

for (const id of ppfIds)
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
    for (const more of [{ groups: ['teem'] }, { filters: [10500, 1] }, { dashboards: [2] }])
      refuses({ 'ppf-unknown-item': '400' }, id, {
        json: { users: ['alice'], filters: [10500], ...more },
        message: /^Could not find \w+ with (name teem|id [12])\.$/,
      });
    accepts(
      { 'ppf-unknown-item': '400' },
      id,
      { json: { users: ['bob'], filters: [10500] } },
      [],
      failure('Could not find user with name bob'),
    );

    it(`ppf.invalid-is-400: ${id} with {} and without a body breaks both rules`, () => {
      for (const json of [{}, undefined])
        expectRefused(ask(id, { json }), {
          status: 400,
          code: 'ppf-no-recipient',
          message: /at least one of users and groups\.\n.*at least one of filters and dashboards/,
          rules: ['ppf.needs-recipient', 'ppf.needs-item', 'ppf.invalid-is-400'],
          gaps: {},
        });
    });

    it(`ppf.failure-message: ${id} has messages in the order users, groups, filters, dashboards, each as given and once`, () => {
      const json = { dashboards: [9, 8, 9], filters: [7, 10500, 6], groups: ['zz', 'aa', 'zz'], users: ['zoe', 'bob'] };
      const unknown = ['user with name zoe', 'user with name bob', 'group with name zz', 'group with name aa'];
      const items = ['filter with id 7', 'filter with id 6', 'dashboard with id 9', 'dashboard with id 8'];
      const asked = ask(id, { json });
      expectDone(asked, [], failure(...[...unknown, ...items].map(what => `Could not find ${what}`)));
      const processed = ['ppf.processed-is-200', 'ppf.success-flag', 'ppf.failure-message'];
      expect(asked.rules).to.deep.equal([
        'address.ppf-path',
        'address.json-bodies',
        'ppf.body-types',
        id,
        ...processed,
      ]);
    });
  });

it('ppf-no-change=note: names what did not change, and succeeds; ppf-partial is about failures only', () => {
  const readings = { 'ppf-no-change': 'note', 'ppf-partial': 'all-or-nothing' } as const;
  const json = { users: ['carol', 'alice'], filters: [10600] };
  const asked = ask('ppf.push', { json, readings });
  const messages = ['Filter with id 10600 is a favourite already of user with name carol'];
  expectDone(asked, [added([10600], ['alice'])], { success: true, messages });
  expect(asked.rules).not.to.include('ppf.failure-message');
  expect(ask('ppf.pull', { json, readings }).reply).to.have.property('success', true);
  const failed = ask('ppf.push', { json: { ...json, users: ['bob', ...json.users] }, readings });
  expect(failed.reply).to.deep.equal(failure('Could not find user with name bob', ...messages));
  expect(failed.facts).to.deep.equal([]);
});

it('ppf-invisible-item: decides before ppf-no-change, and does not matter to ppf.pull', () => {
  const on = teamWith({ favourites: { alice: { filters: [], dashboards: [11100] } } });
  const json = { users: ['alice'], dashboards: [11100] };
  const invisible = failure('Dashboard with id 11100 is not visible to user with name alice');
  const pushed = ask('ppf.push', { on, json });
  expect(pushed).to.deep.include({ reply: invisible, gaps: { 'ppf-invisible-item': 'message' }, facts: [] });
  const anyway = ask('ppf.push', { on, json, readings: { 'ppf-invisible-item': 'push-anyway' } });
  expect(anyway).to.deep.include({
    reply: success,
    gaps: { 'ppf-invisible-item': 'push-anyway', 'ppf-no-change': 'ok' },
  });
  const removed = { ...added([11100], ['alice'], 'dashboards'), type: 'favourite-removed' } as const;
  expectDone(ask('ppf.pull', { on, json }), [removed], success);
});

describe('a push to a large group', () => {
  const many = Array.from({ length: 2_000 }, (_, i) => `user${i}`);
  const record = <T>(names: readonly string[], value: T) => Object.fromEntries(names.map(name => [name, value]));
  const filters = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  const shared = { owner: 'user0', sharedWith: 'everyone' } as const;
  const large: SparseWorldForm = {
    users: { admin: { admin: true, password: 'admin' }, ...record(many, {}) },
    groups: { many, few: many.slice(0, 1000), crowd: Array.from({ length: 100_000 }, (_, i) => `c${i}`) },
    filters: record(filters(1, 102).map(String), shared),
  };
  const world = worldFrom(large);
  const push = (json: object) => ask('ppf.push', { on: world, json });

  it('is one fact, and users with equal favourites share one set', () => {
    const pushed = push({ groups: ['many'], filters: filters(1, 51) });
    expect(pushed.facts).to.deep.equal([added(filters(1, 51), [...many].sort())]);
    expect(pushed.world.favourites.size).to.equal(2_000);
    expect(new Set(pushed.world.favourites.values()).size).to.equal(1);
    const pulled = ask('ppf.pull', { on: pushed.world, json: { groups: ['many'], filters: filters(2, 51) } });
    expect([...(pulled.world.favourites.get('user7')?.filters ?? [])]).to.deep.equal([1]);
  });

  it('refuses more than 100,000 users, or pairs of users and items, whole (413)', () => {
    const refusal = { status: 413, code: 'too-much-at-once', on: world };
    for (const [json, message] of [
      [{ users: ['user1'], groups: ['crowd'], filters: [2] }, /\b100001 users and group members\b.*\b100000\./],
      [{ groups: ['few'], filters: filters(1, 102) }, /^1000 users and 101 items are 101000 pairs\b.*\b100000\./],
    ] as const)
      expectRefused(push(json), { ...refusal, message });
  });
});
