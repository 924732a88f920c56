// The JSON form of a world: what a fixture may leave out, how the full form is written, and that the round trip loses nothing.
import { expect } from 'chai';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../../server/domain/form/form-shapes.js';
import { pageTitled } from '../../../server/domain/world/pages.js';
import { emptyWorld } from '../../../server/domain/world/world.js';
import { smallTeam } from '../../support/worlds/ask.js';

const nothing = {
  users: {},
  groups: {},
  spaces: {},
  pages: {},
  filters: {},
  dashboards: {},
  favourites: {},
  licence: { ppf: 'valid' },
  nextPageId: 1,
};

describe('worldFrom and formOf', () => {
  it('give an empty, licensed world for nothing', () => {
    expect(formOf(worldFrom({}))).to.deep.equal(nothing);
    expect(formOf(emptyWorld)).to.deep.equal(nothing);
  });

  it('fill in what is left out', () => {
    const form = formOf(
      worldFrom({
        users: { ann: {} },
        spaces: { a: {} },
        pages: {
          '5': { space: 'a', title: 'T' },
          '3': { space: 'a', title: 'U', author: 'ann', created: '2026-01-01T00:00:00Z' },
        },
        filters: { '1': {} },
        dashboards: { '2': { sharedWith: { users: ['ann'] } } },
      }),
    );
    const page = { space: 'a', body: '', version: 1, edit: { users: [], groups: [] }, view: { users: [], groups: [] } };
    const by = (author: string, created: string) => ({ author, created, updatedBy: author, updated: created });
    expect(form).to.deep.equal({
      ...nothing,
      users: { ann: { displayName: 'ann', admin: false } },
      spaces: { a: { name: 'a', admins: [], sidebar: [] } },
      pages: {
        '3': { ...page, title: 'U', position: 1, ...by('ann', '2026-01-01T00:00:00Z') },
        '5': { ...page, title: 'T', position: 2, ...by('anonymous', '2025-01-01T00:00:00Z') },
      },
      filters: { '1': { name: '1', owner: 'anonymous', sharedWith: 'nobody' } },
      dashboards: { '2': { name: '2', owner: 'anonymous', sharedWith: { users: ['ann'], groups: [] } } },
      favourites: { ann: { filters: [], dashboards: [] } },
      nextPageId: 6,
    });
  });

  it('write names sorted by code unit, ids by number, and the sidebar in its order', () => {
    const form = formOf(
      worldFrom({
        users: { b: {}, a: {}, B: {}, é: {}, '10': {} },
        groups: { g: ['b', 'a', 'é', 'B', '10'] },
        spaces: { s: { admins: ['b', 'a'], sidebar: ['z', 'a'].map(label => ({ label, url: '1' })) } },
        filters: { '10': {}, '9': {} },
        favourites: { a: { filters: [10, 9, 100] } },
      }),
    );
    expect(form.groups.g).to.deep.equal(['10', 'B', 'a', 'b', 'é']);
    expect(form.spaces.s?.admins).to.deep.equal(['a', 'b']);
    expect(form.spaces.s?.sidebar.map(({ label }) => label)).to.deep.equal(['z', 'a']);
    expect(form.favourites.a?.filters).to.deep.equal([9, 10, 100]);
    expect(Object.keys(form.filters)).to.deep.equal(['9', '10']);
    expect(Object.keys(form.users)).to.deep.equal(['10', 'B', 'a', 'b', 'é']);
  });

  it('extend a base: what is not named stays, what is named is replaced whole', () => {
    const over = formOf(
      worldFrom({ groups: { customers: ['carol'] }, users: { alice: { admin: true } }, licence: {} }, smallTeam),
    );
    const base = formOf(smallTeam);
    expect(over).to.deep.equal({
      ...base,
      users: { ...base.users, alice: { displayName: 'alice', admin: true } },
      groups: { ...base.groups, customers: ['carol'] },
    });
  });

  it('share nothing: changing the form leaves the world alone', () => {
    const form = formOf(smallTeam);
    form.groups.customers?.push('alice');
    const { '65601': page } = form.pages;
    if (page) page.title = 'Other';
    expect(formOf(smallTeam).groups.customers).to.deep.equal([]);
    expect(pageTitled(smallTeam, 'ds', 'Welcome')).to.equal('65601');
  });
});

describe('tokens', () => {
  const tokens = (form: SparseWorldForm, base = smallTeam) => worldFrom(form, base).tokens.toObject();

  it('follow a user whose token is added, replaced or removed', () => {
    expect(tokens({ users: { alice: { token: 'a' } } })).to.deep.equal({ 'admin-token': 'admin', a: 'alice' });
    expect(tokens({ users: { admin: { token: 'new' } } })).to.deep.equal({ new: 'admin' });
    expect(tokens({ users: { admin: {} } })).to.deep.equal({});
  });
});
