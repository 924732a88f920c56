// Which users a push or a pull concerns: who may see an item, who has nothing to change, and what large groups share.
import { expect } from 'chai';
import { worldFrom } from '../../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../../server/domain/form/form-shapes.js';
import { ask } from '../../support/worlds/ask.js';
import { expectRefused } from '../../support/worlds/judge.js';

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

describe('who may see an item', () => {
  const seenBy: Record<number, string[]> = { 1: ['ben'], 2: users, 3: ['ben', 'cat', 'dan'], 4: ['ben'] };
  for (const [id, seeing] of Object.entries(seenBy)) {
    it(`of filter ${id}, shared with ${JSON.stringify(world.filters.get(Number(id))?.sharedWith)}, is ${seeing.join(', ')}`, () => {
      const { facts, reply } = push({ users, filters: [Number(id)] });
      expect(facts).to.deep.equal([{ type: 'favourite-added', item: 'filters', ids: [Number(id)], users: seeing }]);
      const others = users.filter(user => !seeing.includes(user));
      expect(reply).to.deep.equal({
        success: others.length === 0,
        messages: others.map(user => `Filter with id ${id} is not visible to user with name ${user}`),
      });
    });
  }
});

describe('the facts of a push', () => {
  it('are one for all consecutive items that concern the same users', () => {
    const { facts } = push({ groups: ['all'], filters: [2, 5, 3], dashboards: [6] });
    expect(facts).to.deep.equal([
      { type: 'favourite-added', item: 'filters', ids: [2, 5], users },
      { type: 'favourite-added', item: 'filters', ids: [3], users: ['ben', 'cat', 'dan'] },
      { type: 'favourite-added', item: 'dashboards', ids: [6], users },
    ]);
  });

  it('leave out users with nothing to change, item by item', () => {
    const on = push({ users: ['ann'], filters: [2] }).world;
    expect(push({ groups: ['all'], filters: [2, 5] }, on).facts).to.deep.equal([
      { type: 'favourite-added', item: 'filters', ids: [2], users: ['admin', 'ben', 'cat', 'dan'] },
      { type: 'favourite-added', item: 'filters', ids: [5], users },
    ]);
    const pushed = push({ groups: ['all'], filters: [2] }, on, { 'ppf-no-change': 'message' });
    expect(pushed.reply).to.deep.equal({
      success: false,
      messages: ['Filter with id 2 is a favourite already of user with name ann'],
    });
  });
});

describe('a push to a large group', () => {
  const many = Array.from({ length: 2_000 }, (_, i) => `user${i}`);
  const large = worldFrom({
    users: { admin: { admin: true, password: 'admin' }, ...Object.fromEntries(many.map(name => [name, {}])) },
    groups: { many },
    filters: Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        String(i + 1),
        { owner: 'user0', sharedWith: i < 50 ? 'everyone' : 'nobody' },
      ]),
    ),
  });
  const filters = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

  it('is one fact, and users with equal favourites share one set', () => {
    const pushed = push({ groups: ['many'], filters: filters(1, 51) }, large);
    expect(pushed.facts).to.deep.equal([
      { type: 'favourite-added', item: 'filters', ids: filters(1, 51), users: [...many].sort() },
    ]);
    expect(pushed.world.favourites.size).to.equal(2_000);
    expect(new Set(pushed.world.favourites.values()).size).to.equal(1);
    const pulled = ask('ppf.pull', {
      on: pushed.world,
      as: 'admin',
      json: { groups: ['many'], filters: filters(2, 51) },
    });
    expect([...(pulled.world.favourites.get('user7')?.filters ?? [])]).to.deep.equal([1]);
  });

  it('refuses more than 100,000 users (413)', () => {
    const crowd = worldFrom({ ...team, groups: { crowd: Array.from({ length: 100_000 }, (_, i) => `c${i}`) } });
    const refused = push({ users: ['ann'], groups: ['crowd'], filters: [2] }, crowd);
    expectRefused(refused, {
      status: 413,
      code: 'too-much-at-once',
      message:
        'The request names 100001 users and group members, but this fake accepts at most 100000. Send fewer at a time.',
      on: crowd,
    });
  });
});
