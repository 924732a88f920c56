// Large worlds made from a recipe: the requested size, the same every time, and valid. tests/proof plays the large fixture.

import { expect } from 'chai';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import { danglingIn } from '../../../server/domain/form/integrity.js';
import { runToEnd } from '../../../server/domain/iterables.js';
import { pagesOf, pageTitled } from '../../../server/domain/world/pages.js';
import { emptyWorld, type World } from '../../../server/domain/world/world.js';
import { making } from '../../../server/scenario/load/recipe.js';
import { smallTeam } from '../../support/worlds/ask.js';

const requested = { users: 40, groups: 5, spaces: 3, pages: 50, filters: 8, dashboards: 6 };
const recipe = { ...requested, seed: 7 };

const worldOf = (...given: Parameters<typeof making>) => runToEnd(making(...given));
const sizesOf = ({ users, groups, spaces, pages, filters, dashboards }: World) => {
  const all = Object.entries({ users, groups, spaces, pages, filters, dashboards });
  return Object.fromEntries(all.map(([name, { size }]) => [name, size]));
};

describe('a recipe', () => {
  it('makes the requested number of each', () => {
    const world = worldOf(recipe, emptyWorld);
    const { users, groups, pages } = world;
    expect(sizesOf(world)).to.deep.equal(requested);
    expect(['space1', 'space2', 'space3'].map(key => pagesOf(world, key).length)).to.deep.equal([16, 17, 17]);
    expect([...(groups.get('all-users') ?? [])].sort()).to.deep.equal([...users.keys()].sort());
    expect(Math.min(...[...pages.keys()].map(Number))).to.equal(1_000_001);
    expect(world.nextPageId).to.equal(1_000_051);
  });

  it('makes the same world each time, and a different one with another seed', () => {
    const form = formOf(worldOf(recipe, emptyWorld));
    expect(formOf(worldOf(recipe, emptyWorld))).to.deep.equal(form);
    expect(formOf(worldOf({ ...recipe, seed: 8 }, emptyWorld))).to.not.deep.equal(form);
  });

  it('makes a world in which every reference is valid, as if it were written out', () => {
    const world = worldOf(recipe, emptyWorld);
    const form = formOf(world);
    expect([...danglingIn(form, world)]).to.deep.equal([]);
    expect(formOf(worldFrom(form))).to.deep.equal(form);
    const [[id, page] = ['', undefined]] = pagesOf(world, 'space2');
    expect(pageTitled(world, 'space2', page?.title ?? '')).to.equal(id);
  });

  it('adds to a world and loses nothing of it', () => {
    const world = worldOf({ pages: 10, filters: 2, dashboards: 2 }, smallTeam);
    const form = formOf(world);
    expect(form.users).to.deep.equal(formOf(smallTeam).users);
    expect(['ds', 'tmpl'].map(key => pagesOf(world, key).length)).to.deep.equal([6, 6]);
    expect(Object.keys(form.filters)).to.deep.equal(['10500', '10600', '100001', '100002']);
    expect([...danglingIn(form, world)]).to.deep.equal([]);
  });
});
