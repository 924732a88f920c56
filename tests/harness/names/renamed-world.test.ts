// The fixture in other names is the same world except for the names, and every reference in it is valid.

import { expect } from 'chai';
import { NamesThere, renamedWorld } from '../../../harness/names/name-map.js';
import { formOf } from '../../../server/domain/form/form.js';
import { danglingIn } from '../../../server/domain/form/integrity.js';
import { smallTeam } from '../../support/other-servers/outside.js';

const { world } = smallTeam().origin;

describe('the fixture in other names', () => {
  it('is unchanged without a map', () => {
    const { users, ...rest } = formOf(renamedWorld(world, new NamesThere(world)));
    const { users: before, ...same } = formOf(world);
    expect(rest).to.deep.equal(same);
    expect(Object.keys(users)).to.deep.equal(Object.keys(before));
  });

  it('has them everywhere', () => {
    const names = new NamesThere(
      world,
      {
        users: new Map([['carol', 'ann']]),
        groups: new Map([['jira-core-users', 'trackers']]),
        spaces: new Map([['tmpl', { key: 'TPL', name: 'Templates' }]]),
        pages: new Map([['65701', { id: '7', title: 'Home' }]]),
        filters: new Map([[10600, 2]]),
        dashboards: new Map([[11100, 3]]),
      },
      [{ user: 'boss', password: 'secret' }],
    );
    const renamed = renamedWorld(world, names);
    const form = formOf(renamed);
    expect([...[...danglingIn(form, renamed)]]).to.deep.equal([]);
    expect(form.users).to.include.keys('boss', 'ann', 'alice').and.not.include.keys('admin', 'carol');
    expect(form.users.boss).to.deep.include({ password: 'secret', admin: true });
    expect(form.groups.trackers).to.deep.equal(['alice', 'ann']);
    expect(form.spaces.TPL).to.deep.include({ name: 'Templates', admins: ['boss'] });
    expect(form.pages['7']).to.deep.include({ space: 'TPL', title: 'Home', author: 'ann' });
    expect(form.filters['2']).to.deep.include({ owner: 'ann', sharedWith: { users: [], groups: ['trackers'] } });
    expect(form.dashboards['3']).to.deep.include({ owner: 'ann' });
    expect(form.favourites.ann).to.deep.equal({ filters: [2], dashboards: [] });
  });
});
