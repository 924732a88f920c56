// A world built in place equals any other afterwards, and the one before stays as it was.
import { expect } from 'chai';
import { evolve } from '../../../server/domain/facts.js';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import { putPage } from '../../../server/domain/world/pages.js';
import type { Page } from '../../../server/domain/world/world.js';
import { buildInPlace } from '../../../server/domain/world/world-builder.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { plainWorld } from '../plain-world.js';

const page = smallTeam.pages.get('65601') ?? expect.fail('there is such a page');
const many = Array.from({ length: 100 }, (_, i): readonly [string, Page] => [
  String(70_000 + i),
  { ...page, title: `T${i % 7}`, position: i },
]);
const put = (world: typeof smallTeam) => many.reduce((before, [id, one]) => putPage(before, id, one), world);

describe('buildInPlace', () => {
  it('gives the same world as single steps, and leaves the one before as it was', () => {
    const before = plainWorld(smallTeam);
    const built = buildInPlace(smallTeam, put);
    expect(plainWorld(built)).to.deep.equal(plainWorld(put(smallTeam)));
    expect(plainWorld(smallTeam)).to.deep.equal(before);
  });

  it('keeps untouched collections, so that they compare as identical', () => {
    const built = buildInPlace(smallTeam, put);
    expect(built.pages).to.not.equal(smallTeam.pages);
    for (const name of ['users', 'groups', 'spaces', 'filters', 'dashboards', 'favourites', 'tokens'] as const)
      expect(built[name] === smallTeam[name], name).to.equal(true);
    expect(worldFrom({}, smallTeam).pages === smallTeam.pages).to.equal(true);
  });

  it('gives a world that no later step changes', () => {
    const built = buildInPlace(smallTeam, put);
    const form = formOf(built);
    evolve(built, { type: 'world-patched', patch: { pages: { '70000': null, '70001': { title: 'Other' } } } });
    expect(formOf(built)).to.deep.equal(form);
  });
});
