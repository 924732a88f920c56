// The difference between two worlds: every kind of record added, deleted and changed, and any two worlds that patches make.
import { expect } from 'chai';
import fc from 'fast-check';
import { worldDifference } from '../../../server/domain/form/difference.js';
import { formOf } from '../../../server/domain/form/form.js';
import { applyPatch, mergePatch, type WorldPatch } from '../../../server/domain/form/patch.js';
import { smallTeam } from '../../support/worlds/ask.js';

const to = (patch: WorldPatch) => applyPatch(smallTeam, patch);

describe('worldDifference', () => {
  it('is empty between a world and itself, or an equal one', () => {
    expect(worldDifference(smallTeam, smallTeam)).to.deep.equal({});
    expect(worldDifference(smallTeam, to({ users: { alice: { displayName: 'Alice' } } }))).to.deep.equal({});
    const thereAndBack = applyPatch(to({ groups: { customers: ['alice'] } }), { groups: { customers: [] } });
    expect(worldDifference(smallTeam, thereAndBack)).to.deep.equal({});
  });

  it('is null for deleted records, all of new ones, and the changes of the others', () => {
    const after = to({
      users: { dora: { admin: true }, alice: { displayName: 'Al' } },
      groups: { customers: ['dora'], new: [], 'jira-core-users': null },
      spaces: { ds: { sidebar: [{ label: 'a', url: '/a' }] } },
      pages: { '65601': { title: 'Moved', view: { users: ['alice'] } }, '65701': null },
      filters: { 10500: { sharedWith: 'nobody' }, 10600: { sharedWith: 'everyone' } },
      favourites: { carol: { filters: [] } },
      licence: { ppf: 'none' },
      nextPageId: 90_000,
    });
    expect(worldDifference(smallTeam, after)).to.deep.equal({
      users: { alice: { displayName: 'Al' }, dora: { displayName: 'dora', admin: true } },
      groups: { customers: ['dora'], new: [], 'jira-core-users': null },
      spaces: { ds: { sidebar: [{ label: 'a', url: '/a' }] } },
      pages: { '65601': { title: 'Moved', view: { users: ['alice'] } }, '65701': null },
      filters: { 10500: { sharedWith: 'nobody' }, 10600: { sharedWith: 'everyone' } },
      favourites: { carol: { filters: [] }, dora: { filters: [], dashboards: [] } },
      licence: { ppf: 'none' },
      nextPageId: 90_000,
    });
  });

  it('removes a field that no longer exists', () => {
    const after = to({ users: { admin: { token: null } } });
    expect(worldDifference(smallTeam, after)).to.deep.equal({ users: { admin: { token: null } } });
    expect(worldDifference(after, smallTeam)).to.deep.equal({ users: { admin: { token: 'admin-token' } } });
  });

  it('turns one into the other, in both directions, as a merge-patch of the form', () => {
    const names = fc.constantFrom('a', 'b', 'c', '__proto__');
    const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
    const list = fc.uniqueArray(names, { maxLength: 3 });
    const patches = fc.record(
      {
        users: fc.dictionary(
          names,
          nullable(fc.record({ displayName: names, admin: fc.boolean(), token: nullable(names) })),
        ),
        groups: fc.dictionary(names, nullable(list)),
        spaces: fc.dictionary(names, nullable(fc.record({ admins: list, name: names }, { requiredKeys: [] }))),
        pages: fc.dictionary(
          fc.constantFrom('7', '8', '65601'),
          nullable(fc.record({ space: names, title: names, edit: fc.record({ users: list }) }, { requiredKeys: [] })),
        ),
        filters: fc.dictionary(
          fc.constantFrom('1', '10500'),
          nullable(
            fc.record({ owner: names, sharedWith: fc.oneof(fc.constant('nobody'), fc.record({ groups: list })) }),
          ),
        ),
        favourites: fc.dictionary(names, fc.record({ filters: fc.constantFrom([], [1], [1, 10_500]) })),
        licence: fc.record({ ppf: fc.constantFrom('valid', 'none') }),
        nextPageId: fc.integer({ min: 1, max: 99_999 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<WorldPatch>;
    fc.assert(
      fc.property(patches, patches, (one, other) => {
        const [first, second] = [to(one), applyPatch(to(one), other)];
        for (const [from, after] of [
          [first, second],
          [second, first],
          [smallTeam, second],
        ] as const)
          expect(mergePatch(formOf(from), worldDifference(from, after))).to.deep.equal(formOf(after));
      }),
      { numRuns: 500 },
    );
  });
});
