// That a world which is built in place is one like any other afterwards, and that the one before stays as it was.
import { expect } from 'chai';
import { evolve } from '../../server/domain/facts.js';
import { formOf, worldFrom } from '../../server/domain/form/form.js';
import { inOneGo } from '../../server/domain/in-one-go.js';
import { buildingInPlace } from '../../server/domain/in-place.js';
import { putPage } from '../../server/domain/pages.js';
import type { Page } from '../../server/domain/world.js';
import { smallTeam } from '../support/ask.js';
import { plainWorld } from '../support/plain-world.js';

const page = smallTeam.pages.get('65601') ?? expect.fail('there is such a page');
const many = Array.from({ length: 100 }, (_, i): readonly [string, Page] => [
  String(70_000 + i),
  { ...page, title: `T${i % 7}`, position: i },
]);
const put = (world: typeof smallTeam) => many.reduce((before, [id, one]) => putPage(before, id, one), world);

const inPlace = (world: typeof smallTeam, build: (open: typeof smallTeam) => typeof smallTeam) =>
  inOneGo(
    buildingInPlace(world, function* (open) {
      yield;
      return build(open);
    }),
  );

describe('buildingInPlace', () => {
  it('makes what the same steps make one by one, and leaves the world before as it was', () => {
    const before = plainWorld(smallTeam);
    const built = inPlace(smallTeam, put);
    expect(plainWorld(built)).to.deep.equal(plainWorld(put(smallTeam)));
    expect(plainWorld(smallTeam)).to.deep.equal(before);
  });

  it('keeps the collections that were not touched, so that they are found to be the same', () => {
    const built = inPlace(smallTeam, put);
    expect(built.pages).to.not.equal(smallTeam.pages);
    for (const name of ['users', 'groups', 'spaces', 'filters', 'dashboards', 'favourites', 'tokens'] as const)
      expect(built[name] === smallTeam[name], name).to.equal(true);
    expect(worldFrom({}, smallTeam).pages === smallTeam.pages).to.equal(true);
  });

  it('makes a world that no later step changes', () => {
    const built = inPlace(smallTeam, put);
    const form = formOf(built);
    evolve(built, { type: 'world-patched', patch: { pages: { '70000': null, '70001': { title: 'Other' } } } });
    expect(formOf(built)).to.deep.equal(form);
  });
});
