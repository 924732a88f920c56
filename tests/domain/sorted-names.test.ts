// Names and pages in order, kept in step with what comes and goes: always the same as sorting anew.
import { expect } from 'chai';
import { evolve, type Fact } from '../../server/domain/facts.js';
import { worldFrom } from '../../server/domain/form/form.js';
import { pageOrder, restrictedPlaces } from '../../server/domain/page-order.js';
import { isRestricted, pagesOf } from '../../server/domain/pages.js';
import { sortedNames } from '../../server/domain/sorted-names.js';
import type { World } from '../../server/domain/world.js';

describe('the order of names', () => {
  const users = Array.from({ length: 1_500 }, (_, i) => `u${(i * 7_919) % 1_500}`);
  const start = worldFrom({
    users: Object.fromEntries(users.map(name => [name, { displayName: name }])),
    groups: { all: users.slice(0, 1_200) },
  });
  const members = (world: World) => world.groups.get('all') ?? expect.fail('no group');

  it('is that of sorting anew, after any course of joining and leaving', () => {
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

describe('the order of pages', () => {
  it('is that of positions and ids, whether pages come in order or not, move, go, or are copied', () => {
    const page = (position: number, space = 'a', more: object = {}) => ({
      space,
      title: `T${position}-${space}`,
      position,
      ...more,
    });
    const view = { users: ['u'], groups: [] };
    let world = worldFrom({
      users: { u: { displayName: 'U' } },
      spaces: { a: { name: 'A' }, b: { name: 'B' } },
      pages: { 10: page(5, 'a', { view }), 11: page(3), 12: page(5, 'b'), 9: page(5), 13: page(1, 'a', { view }) },
    } as Parameters<typeof worldFrom>[0]);
    const holds = (...spaces: string[]) => {
      for (const space of spaces) {
        const found = pagesOf(world, space);
        expect(pageOrder(world, space), space).to.deep.equal(found.map(([id]) => id));
        const places = found.flatMap(([, page], place) => (isRestricted(page) ? [place] : []));
        expect([...restrictedPlaces(world, space)], space).to.deep.equal(places);
      }
    };
    holds('a', 'b', 'none');
    expect(pageOrder(world, 'a')).to.deep.equal(['13', '11', '9', '10']);
    for (const patch of [
      { 11: { position: 9 } },
      { 13: null },
      { 10: { space: 'b' } },
      { 14: { space: 'a', title: 'New' } },
      { 9: { view }, 11: { view }, 12: { view } },
      { 9: { view: null }, 10: { position: 1 } },
    ]) {
      world = evolve(world, { type: 'world-patched', patch: { pages: patch } } as Fact);
      holds('a', 'b');
    }
    world = evolve(world, { type: 'space-copied', source: 'a', target: 'c', name: 'C', admins: [], firstPageId: 50 });
    holds('a', 'b', 'c');
    const before = pageOrder(world, 'a');
    world = evolve(world, {
      type: 'page-text-replaced',
      page: '11',
      title: 'T',
      body: 'x',
      by: 'u',
      at: '2026-01-01T00:00:00Z',
    });
    expect(pageOrder(world, 'a')).to.equal(before); // an edit leaves the order as it is
  });
});
