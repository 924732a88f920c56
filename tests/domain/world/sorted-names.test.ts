// Names in order, updated incrementally: always equal to sorting anew.
import { expect } from 'chai';
import { evolve, type Fact } from '../../../server/domain/facts.js';
import { worldFrom } from '../../../server/domain/form/form.js';
import { sortedNames } from '../../../server/domain/world/sorted-names.js';
import type { World } from '../../../server/domain/world/world.js';

describe('the order of names', () => {
  const users = Array.from({ length: 1_500 }, (_, i) => `u${(i * 7_919) % 1_500}`);
  const start = worldFrom({
    users: Object.fromEntries(users.map(name => [name, { displayName: name }])),
    groups: { all: users.slice(0, 1_200) },
  });
  const members = (world: World) => world.groups.get('all') ?? expect.fail('no group');

  it('equals a new sort, after any sequence of additions and removals', () => {
    let world = start;
    for (let i = 0; i < 2_000; i += 1) {
      const user = users[(i * i * 31) % users.length] ?? '';
      const type = (i >> 3) % 2 === 0 ? 'group-member-added' : 'group-member-removed';
      world = evolve(world, { type, group: 'all', user } as Fact);
      if (i % 700 === 3 || i % 40 === 0) expect(sortedNames(members(world))).to.deep.equal([...members(world)].sort());
    }
    const set = evolve(world, { type: 'group-members-set', group: 'all', users: users.slice(100) });
    expect(sortedNames(members(set))).to.deep.equal([...users.slice(100)].sort());
  });
});
