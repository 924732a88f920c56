// A world equals its form plus the data beyond the form: whole, and as a difference from another world, in every field.
import { expect } from 'chai';
import fc from 'fast-check';
import { evolve, evolveAll, type Fact } from '../../../server/domain/facts.js';
import { beyondForm, withBeyond } from '../../../server/domain/form/beyond-form.js';
import { worldDifference } from '../../../server/domain/form/difference.js';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import { applyPatch, type WorldPatch } from '../../../server/domain/form/patch.js';
import { emptyWorld, type World } from '../../../server/domain/world/world.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { plainWorld } from '../plain-world.js';

const to = (...patches: readonly WorldPatch[]) => patches.reduce(applyPatch, smallTeam);
const page = (position: number, space = 'ds') => ({ space, title: `At ${position}`, position });
const position = (world: World, space = 'ds') => world.pageIndex.get(space)?.lastPosition;

describe('beyondForm', () => {
  it('is empty if the form says it all', () => {
    expect(beyondForm(smallTeam, smallTeam)).to.deep.equal({});
    expect(beyondForm(to({ pages: { '7': page(9) }, users: { carol: null } }), smallTeam)).to.deep.equal({
      lastPositions: { ds: 9 },
    });
  });

  it('is the last position in a space, also of a deleted page', () => {
    const world = to({ pages: { '7': page(9) } }, { pages: { '7': null } });
    expect(position(world)).to.equal(9);
    expect(beyondForm(world, smallTeam)).to.deep.equal({ lastPositions: { ds: 9 } });
    expect(worldDifference(smallTeam, world)).to.deep.equal({});
    expect(beyondForm(smallTeam, world)).to.deep.equal({ lastPositions: { ds: 1 } });
    expect(position(withBeyond(smallTeam, { lastPositions: { ds: 9, new: 3 } }), 'new')).to.equal(3);
  });

  it('is the data of deleted users, and what was pushed to users whose favourites differ', () => {
    const favourites = { filters: [10500], dashboards: [] };
    const world = to({ favourites: { bob: favourites } });
    expect(formOf(world)).to.deep.equal(formOf(smallTeam));
    expect(beyondForm(world, smallTeam)).to.deep.equal({ favourites: { bob: favourites } });
    expect(beyondForm(smallTeam, world)).to.deep.equal({ favourites: { bob: null } });
    const fact = { type: 'favourite-added', item: 'filters', ids: [10500, 10600], users: ['carol'] } as const;
    const pushed = evolve(smallTeam, fact);
    expect(beyondForm(pushed, smallTeam)).to.deep.equal({ pushed: { carol: { filters: [10500], dashboards: [] } } });
  });

  it('is the next page id if it is lower', () => {
    const later = to({ nextPageId: 70_000 });
    expect(beyondForm(later, smallTeam)).to.deep.equal({});
    expect(beyondForm(smallTeam, later)).to.deep.equal({ nextPageId: smallTeam.nextPageId });
  });
});

describe('a world rebuilt from its form and the data beyond it', () => {
  const names = fc.constantFrom('carol', 'bob', 'a', '__proto__');
  const spaces = fc.constantFrom('ds', 'tmpl', '__proto__');
  const list = fc.uniqueArray(names, { maxLength: 2 });
  const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
  const ids = fc.uniqueArray(fc.constantFrom(10500, 10600), { maxLength: 2 });
  const patches = fc.record(
    {
      users: fc.dictionary(
        names,
        some(fc.record({ displayName: names, token: some(fc.constantFrom('admin-token', 't')), admin: fc.boolean() })),
      ),
      groups: fc.dictionary(names, some(list)),
      spaces: fc.dictionary(spaces, some(fc.record({ admins: list, name: names }, { requiredKeys: [] }))),
      pages: fc.dictionary(
        fc.constantFrom('65601', '65701', '7', '8'),
        some(
          fc.record(
            {
              space: spaces,
              title: names,
              position: fc.nat(9),
              edit: fc.record({ groups: list }),
              view: fc.record({ users: list }),
            },
            { requiredKeys: ['space'] },
          ),
        ),
      ),
      filters: fc.dictionary(
        fc.constantFrom('10500', '1'),
        some(
          fc.record({
            owner: names,
            sharedWith: fc.oneof(fc.constantFrom('everyone', 'nobody'), fc.record({ groups: list })),
          }),
        ),
      ),
      favourites: fc.dictionary(names, some(fc.record({ filters: ids, dashboards: ids }, { requiredKeys: [] }))),
      licence: fc.record({ ppf: fc.constantFrom('valid', 'none') }),
      nextPageId: fc.integer({ min: 1, max: 99_999 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<WorldPatch>;
  const facts = fc.oneof(
    { weight: 3, arbitrary: patches.map((patch): Fact => ({ type: 'world-patched', patch })) },
    fc.record({
      type: fc.constantFrom('favourite-added', 'favourite-removed'),
      item: fc.constantFrom('filters', 'dashboards'),
      ids,
      users: fc.uniqueArray(names, { maxLength: 2 }),
    }),
  );
  /** A token belongs to one user. */
  const worlds = fc
    .array(facts, { maxLength: 5 })
    .map(list => evolveAll(smallTeam, list))
    .filter(({ users, tokens }) => users.filter(({ token }) => token !== undefined).size === tokens.size);

  it('is the same in every field, whole', () => {
    fc.assert(
      fc.property(worlds, world => {
        const again = withBeyond(worldFrom(formOf(world)), beyondForm(world, emptyWorld));
        expect(plainWorld(again)).to.deep.equal(plainWorld(world));
      }),
      { numRuns: 100 },
    );
  });

  it('is the same in every field, as a difference in either direction', () => {
    fc.assert(
      fc.property(worlds, worlds, (one, other) => {
        for (const [from, world] of [
          [one, other],
          [other, one],
          [smallTeam, one],
          [one, smallTeam],
        ] as const) {
          const again = withBeyond(applyPatch(from, worldDifference(from, world)), beyondForm(world, from));
          expect(plainWorld(again)).to.deep.equal(plainWorld(world));
        }
      }),
      { numRuns: 100 },
    );
  });
});
