// Push and pull: how users, groups and items are counted, who may see an item, messages, the facts, and the limits.
import { expect } from 'chai';
import { worldFrom } from '../../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../../server/domain/form/form-shapes.js';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';
import { ppfIds } from '../../support/worlds/valid.js';

const success = { success: true, messages: [] };
const failure = (...messages: string[]) => ({ success: false, messages });
const users = ['admin', 'ann', 'ben', 'cat', 'dan'];
const team: SparseWorldForm = {
  users: { admin: { admin: true, password: 'admin' }, ann: {}, ben: {}, cat: {}, dan: {} },
  groups: { staff: ['cat'], all: users },
  filters: {
    '1': { owner: 'ben', sharedWith: 'nobody' },
    '2': { owner: 'ben', sharedWith: 'everyone' },
    '3': { owner: 'ben', sharedWith: { users: ['dan'], groups: ['staff'] } },
    '4': { owner: 'ben', sharedWith: {} },
    '5': { owner: 'ben', sharedWith: 'everyone' },
  },
  dashboards: { '6': { owner: 'ben', sharedWith: 'everyone' } },
};
const world = worldFrom(team);
const push = (json: object, on = world, readings = {}) => ask('ppf.push', { on, as: 'admin', json, readings });
const added = (ids: number[], users: string[], item: 'filters' | 'dashboards' = 'filters') =>
  ({ type: 'favourite-added', item, ids, users }) as const;

describe('ppf.push', () => {
  it('ppf.push: a user named twice, or by name and by two groups, counts once; so does an item', () => {
    const on = teamWith({ groups: { a: ['alice', 'demouser2'], b: ['alice'] } });
    const json = { users: ['alice', 'alice'], groups: ['a', 'b', 'a'], filters: [10500, 10500] };
    const asked = ask('ppf.push', { on, json, readings: { 'ppf-no-change': 'message' } });
    expectDone(asked, [added([10500], ['alice', 'demouser2'])], success);
  });

  it('ppf.pull: removes items that the user may no longer see, without a message', () => {
    const on = teamWith({ favourites: { alice: { filters: [], dashboards: [11100] } } });
    const asked = ask('ppf.pull', { on, json: { users: ['alice'], dashboards: [11100] } });
    expectDone(asked, [{ type: 'favourite-removed', item: 'dashboards', ids: [11100], users: ['alice'] }], success);
  });

  it('a filter and a dashboard of the same id are two things', () => {
    const on = teamWith({ dashboards: { '10500': { owner: 'admin', sharedWith: 'everyone' } } });
    const asked = ask('ppf.push', { on, json: { users: ['alice'], dashboards: [10500] } });
    expect(asked.form.favourites.alice).to.deep.equal({ filters: [], dashboards: [10500] });
  });

  it('ppf-invisible-item: an item is visible to its owner and to those it is shared with', () => {
    for (const [id, seeing] of [
      [1, ['ben']],
      [2, users],
      [3, ['ben', 'cat', 'dan']],
      [4, ['ben']],
    ] as const) {
      const { facts, reply } = push({ users, filters: [id] });
      expect(facts).to.deep.equal([added([id], [...seeing])]);
      const others = users.filter(user => !seeing.some(one => one === user));
      const messages = others.map(user => `Filter with id ${id} is not visible to user with name ${user}`);
      expect(reply).to.deep.equal({ success: others.length === 0, messages });
    }
  });

  it('has one fact for all consecutive items that concern the same users', () => {
    const { facts } = push({ groups: ['all'], filters: [2, 5, 3], dashboards: [6] });
    const some = ['ben', 'cat', 'dan'];
    expect(facts).to.deep.equal([added([2, 5], users), added([3], some), added([6], users, 'dashboards')]);
  });

  it('leaves out users with nothing to change, item by item', () => {
    const on = push({ users: ['ann'], filters: [2] }).world;
    const others = users.filter(user => user !== 'ann');
    expect(push({ groups: ['all'], filters: [2, 5] }, on).facts).to.deep.equal([added([2], others), added([5], users)]);
    const pushed = push({ groups: ['all'], filters: [2] }, on, { 'ppf-no-change': 'message' });
    expect(pushed.reply).to.deep.equal(failure('Filter with id 2 is a favourite already of user with name ann'));
  });
});

describe('the response of push and pull', () => {
  for (const id of ppfIds) {
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
      const json = {
        dashboards: [9, 11000, 8, 9],
        filters: [7, 10500, 6],
        groups: ['zz', 'customers', 'aa', 'zz'],
        users: ['zoe', 'bob', 'zoe'],
      };
      const unknown = ['user with name zoe', 'user with name bob', 'group with name zz', 'group with name aa'];
      const items = ['filter with id 7', 'filter with id 6', 'dashboard with id 9', 'dashboard with id 8'];
      const asked = ask(id, { json });
      expectDone(asked, [], failure(...[...unknown, ...items].map(what => `Could not find ${what}`)));
      expect(asked.rules).to.deep.equal([
        'address.ppf-path',
        'address.json-bodies',
        'ppf.body-types',
        id,
        'ppf.processed-is-200',
        'ppf.success-flag',
        'ppf.failure-message',
      ]);
    });
  }

  it('ppf.success-flag: true exactly when there is no message', () => {
    for (const json of [
      { users: ['alice'], filters: [10500] },
      { users: ['alice', 'bob'], filters: [10500] },
      { users: ['alice'], dashboards: [11100] },
      { groups: ['customers'], dashboards: [11100] },
      { users: ['carol'], filters: [10600] },
    ])
      for (const noChange of ['ok', 'message'] as const) {
        const asked = ask('ppf.push', { json, readings: { 'ppf-no-change': noChange } });
        const { success: flag, messages } = asked.reply as { success: boolean; messages: string[] };
        expect(asked.status).to.equal(200);
        expect(flag).to.equal(messages.length === 0);
        expect(asked.rules.includes('ppf.failure-message')).to.equal(!flag);
      }
  });
});

describe('a push to a large group', () => {
  const many = Array.from({ length: 2_000 }, (_, i) => `user${i}`);
  const sharing = (owner: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i + 1), { owner, sharedWith: 'everyone' }]));
  const large = worldFrom({
    users: { admin: { admin: true, password: 'admin' }, ...Object.fromEntries(many.map(name => [name, {}])) },
    groups: { many, few: many.slice(0, 1000) },
    filters: sharing('user0', 101) as NonNullable<SparseWorldForm['filters']>,
  });
  const filters = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

  it('is one fact, and users with equal favourites share one set', () => {
    const pushed = push({ groups: ['many'], filters: filters(1, 51) }, large);
    expect(pushed.facts).to.deep.equal([added(filters(1, 51), [...many].sort())]);
    expect(pushed.world.favourites.size).to.equal(2_000);
    expect(new Set(pushed.world.favourites.values()).size).to.equal(1);
    const json = { groups: ['many'], filters: filters(2, 51) };
    const pulled = ask('ppf.pull', { on: pushed.world, json });
    expect([...(pulled.world.favourites.get('user7')?.filters ?? [])]).to.deep.equal([1]);
  });

  it('refuses more than 100,000 users, or pairs of users and items, whole (413)', () => {
    const crowd = worldFrom({ ...team, groups: { crowd: Array.from({ length: 100_000 }, (_, i) => `c${i}`) } });
    const refusal = { status: 413, code: 'too-much-at-once' };
    expectRefused(push({ users: ['ann'], groups: ['crowd'], filters: [2] }, crowd), {
      ...refusal,
      message: /^The request names 100001 users and group members, but this fake accepts at most 100000\./,
      on: crowd,
    });
    expectRefused(push({ groups: ['few'], filters: filters(1, 102) }, large), {
      ...refusal,
      message: /^1000 users and 101 items are 101000 pairs, but this fake accepts at most 100000\./,
      on: large,
    });
  });
});
