// The difference between two worlds: every kind of record added, deleted and changed. beyond-form.test.ts compares random worlds.
import { expect } from 'chai';
import { worldDifference } from '../../../server/domain/form/difference.js';
import { applyPatch, type WorldPatch } from '../../../server/domain/form/patch.js';
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
});
