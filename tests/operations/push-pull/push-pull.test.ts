// Push and pull as in the document's section 4.5: users, items, resulting favourites and messages.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import type { FavouritesForm } from '../../../server/domain/form/form-shapes.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectDone, teamWith } from '../../support/worlds/judge.js';

const place = ['address.ppf-path', 'address.json-bodies', 'ppf.body-types'];
const success = { success: true, messages: [] };
const before = formOf(smallTeam);
const withFavourites = (favourites: Record<string, FavouritesForm>) => ({
  ...before,
  favourites: { ...before.favourites, ...favourites },
});

describe('ppf.push', () => {
  it('ppf.push: filters and dashboards become favourites of users and of the members of groups, and nothing else changes', () => {
    const json = { users: ['alice'], groups: ['team-members'], filters: [10500], dashboards: [11000] };
    const asked = ask('ppf.push', { json });
    expectDone(
      asked,
      [
        { type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice', 'demouser1'] },
        { type: 'favourite-added', item: 'dashboards', ids: [11000], users: ['alice', 'demouser1'] },
      ],
      success,
    );
    expect(asked.rules).to.deep.equal([...place, 'ppf.push', 'ppf.processed-is-200', 'ppf.success-flag']);
    const both = { filters: [10500], dashboards: [11000] };
    expect(asked.form).to.deep.equal(withFavourites({ alice: both, demouser1: both }));
  });

  it('ppf.push: a user named twice, or by name and by two groups, counts once; so does an item', () => {
    const world = teamWith({ groups: { a: ['alice', 'demouser2'], b: ['alice'] } });
    const json = { users: ['alice', 'alice'], groups: ['a', 'b', 'a'], filters: [10500, 10500] };
    const asked = ask('ppf.push', { on: world, json, readings: { 'ppf-no-change': 'message' } });
    expectDone(
      asked,
      [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice', 'demouser2'] }],
      success,
    );
  });

  it('ppf.push: a group without members is no error and reaches nobody', () => {
    const asked = ask('ppf.push', { json: { groups: ['customers'], filters: [10500] } });
    expectDone(asked, [], success);
  });
});

describe('ppf.pull', () => {
  it('ppf.pull: the items are no longer favourites, and nothing else changes', () => {
    const asked = ask('ppf.pull', { json: { groups: ['jira-core-users'], filters: [10600] } });
    expectDone(asked, [{ type: 'favourite-removed', item: 'filters', ids: [10600], users: ['carol'] }], success);
    expect(asked.rules).to.deep.equal([...place, 'ppf.pull', 'ppf.processed-is-200', 'ppf.success-flag']);
    expect(asked.form).to.deep.equal(withFavourites({ carol: { filters: [], dashboards: [] } }));
  });

  it('ppf.pull: removes items that the user may no longer see, without a message', () => {
    const world = teamWith({ favourites: { alice: { filters: [], dashboards: [11100] } } });
    const asked = ask('ppf.pull', { on: world, json: { users: ['alice'], dashboards: [11100] } });
    expectDone(asked, [{ type: 'favourite-removed', item: 'dashboards', ids: [11100], users: ['alice'] }], success);
  });

  it('a filter and a dashboard of the same id are two things', () => {
    const world = teamWith({ dashboards: { '10500': { owner: 'admin', sharedWith: 'everyone' } } });
    const asked = ask('ppf.push', { on: world, json: { users: ['alice'], dashboards: [10500] } });
    expect(asked.form.favourites.alice).to.deep.equal({ filters: [], dashboards: [10500] });
  });
});
