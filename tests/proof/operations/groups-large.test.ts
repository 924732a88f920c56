// A group of a million members: the operations work on it, and leave all other members alone.
import { expect } from 'chai';
import type { World } from '../../../server/domain/world/world.js';
import { ask } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';

const MILLION = 1_000_000;

describe('groups: a million members', function () {
  this.timeout(120_000);
  const members = Array.from({ length: MILLION }, (_, i) => `member-${i}`);
  let on: World;
  before(() => {
    on = teamWith({ users: { 'member-0': {}, [`member-${MILLION - 1}`]: {} }, groups: { big: members } });
  });

  it('groups.add-users: one more joins, and all others stay', () => {
    const asked = ask('groups.add-users', { on, json: { group: 'big', users: ['alice', 'member-0'] } });
    expect(asked.facts).to.deep.equal([{ type: 'group-member-added', group: 'big', user: 'alice' }]);
    const after = asked.world.groups.get('big');
    expect(after?.size).to.equal(MILLION + 1);
    expect(members.every(member => after?.has(member))).to.equal(true);
    expect(on.groups.get('big')?.size).to.equal(MILLION);
  });

  it('groups.remove-users: the first and the last leave, and all others stay', () => {
    const asked = ask('groups.remove-users', { on, json: { group: 'big', users: ['member-0', 'member-999999'] } });
    expect(asked.facts).to.have.lengthOf(2);
    const after = asked.world.groups.get('big');
    expect(after?.size).to.equal(MILLION - 2);
    expect(members.slice(1, -1).every(member => after?.has(member))).to.equal(true);
  });

  it('groups.set-users: one is left of a million', () => {
    const asked = ask('groups.set-users', { on, json: { group: 'big', users: ['member-0'] } });
    expect(asked.form.groups.big).to.deep.equal(['member-0']);
    expect(on.groups.get('big')?.size).to.equal(MILLION);
  });

  it('ppf.push: a large group is expanded, and each of its members gets the favourite', () => {
    const some = members.slice(0, 20_000);
    const world = teamWith({ users: Object.fromEntries(some.map(name => [name, {}])), groups: { big: some } });
    const asked = ask('ppf.push', { on: world, json: { groups: ['big'], filters: [10500] } });
    expect(asked.reply).to.deep.equal({ success: true, messages: [] });
    expect(asked.facts).to.have.lengthOf(1);
    expect(some.every(name => asked.world.favourites.get(name)?.filters.has(10500))).to.equal(true);
    expect(asked.world.favourites.size).to.equal(some.length + 1);
  });
});
