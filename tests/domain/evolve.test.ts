// Properties of every fact: applied in order, sharing what they leave alone, on immutable records.
import { expect } from 'chai';
import { evolve, evolveAll, type Fact } from '../../server/domain/facts.js';
import { formOf } from '../../server/domain/form/form.js';
import { noFavourites, noNames, noPages } from '../../server/domain/world/world.js';
import { smallTeam } from '../support/worlds/ask.js';

const replaced = { type: 'page-text-replaced', page: '65601', title: 'T', body: '', by: 'alice', at: 'now' } as const;

describe('evolve', () => {
  it('applies one fact after the other', () => {
    const facts: Fact[] = [
      { type: 'group-created', group: 'new' },
      { type: 'group-member-added', group: 'new', user: 'alice' },
      { type: 'group-member-removed', group: 'new', user: 'alice' },
      { type: 'group-member-added', group: 'new', user: 'carol' },
    ];
    const after = evolveAll(smallTeam, facts);
    expect(after.groups.get('new')?.toArray()).to.deep.equal(['carol']);
    expect(facts.reduce(evolve, smallTeam).groups.equals(after.groups)).to.equal(true);
    expect(evolveAll(smallTeam, [])).to.equal(smallTeam);
  });

  it('keeps untouched parts as the very same object', () => {
    const after = evolve(smallTeam, replaced);
    for (const name of ['users', 'groups', 'spaces', 'filters', 'dashboards', 'favourites', 'tokens'] as const) {
      expect(after[name]).to.equal(smallTeam[name]);
    }
    expect(after.pages.get('65701')).to.equal(smallTeam.pages.get('65701'));
    expect(after.pages.get('65601')?.edit).to.equal(smallTeam.pages.get('65601')?.edit);
  });

  it('freezes records, so that a world cannot be modified', () => {
    const after = evolveAll(smallTeam, [
      replaced,
      { type: 'sidebar-link-added', space: 'ds', label: 'x', url: 'y' },
      { type: 'page-permission-added', page: '65701', permission: 'view', users: ['alice'], groups: [] },
      { type: 'space-copied', source: 'ds', target: 'b', name: 'B', admins: [], firstPageId: 65702 },
      { type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] },
    ]);
    const pages = ['65601', '65701', '65702'].map(id => after.pages.get(id));
    const spaces = ['ds', 'b'].map(key => after.spaces.get(key));
    const constants = [noNames, noFavourites, noPages, after.licence];
    for (const record of [...pages, ...spaces, after.favourites.get('alice'), after.users.get('alice'), ...constants]) {
      expect(record).to.not.equal(undefined);
      expect(record).to.be.frozen;
    }
  });
});

describe('several facts at once', () => {
  it('give the same world as one by one, in any order', () => {
    const users = ['admin', 'alice', 'carol', 'demouser1', 'demouser2'];
    const facts = Array.from({ length: 300 }, (_, i): Fact => {
      const group = ['team-members', 'customers'][Math.floor(i / 7) % 2] ?? '';
      const user = users[(i * i) % users.length] ?? '';
      return i % 11 === 0
        ? { type: 'group-members-set', group, users: [user] }
        : { type: i % 4 === 0 ? 'group-member-removed' : 'group-member-added', group, user };
    });
    expect(formOf(evolveAll(smallTeam, facts))).to.deep.equal(formOf(facts.reduce(evolve, smallTeam)));
  });
});
