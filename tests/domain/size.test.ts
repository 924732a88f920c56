// The approximate size of what a world adds to the one it derives from.
import { expect } from 'chai';
import { evolve } from '../../server/domain/facts.js';
import { sizeBeyond } from '../../server/domain/size.js';
import { teamWith } from '../support/worlds/judge.js';

describe('the size of a changed world', () => {
  const users = Array.from({ length: 5_000 }, (_, i) => `user${i}`);
  const world = teamWith({ users: Object.fromEntries(users.map(name => [name, {}])), groups: { everyone: users } });

  it('counts the new members of a group, not those it had before', () => {
    const joined = evolve(world, { type: 'group-member-added', group: 'everyone', user: 'alice' });
    expect(sizeBeyond(world, joined)).to.be.within(1, 2_000);
  });

  it('counts half of the members of a group if half of them are new', () => {
    const others = users.map((name, i) => (i % 2 === 0 ? name : `other${i}`));
    const set = evolve(world, { type: 'group-members-set', group: 'everyone', users: others });
    const whole = evolve(world, { type: 'group-members-set', group: 'customers', users });
    expect(sizeBeyond(world, set) / sizeBeyond(world, whole)).to.be.within(0.4, 0.6);
  });

  it('counts all members of a new group', () => {
    const set = evolve(world, { type: 'group-members-set', group: 'customers', users });
    expect(sizeBeyond(world, set)).to.be.above(5_000 * 50);
  });
});
