// Dangling names, with their places, and the valid names.

import { expect } from 'chai';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../../server/domain/form/form-shapes.js';
import { danglingIn } from '../../../server/domain/form/integrity.js';
import { smallTeam } from '../../support/worlds/ask.js';

const found = (form: SparseWorldForm) =>
  [...danglingIn(form, worldFrom(form, smallTeam))].map(
    ({ path, found: name, wanted }) => `/${path.join('/')}: ${name} (${wanted})`,
  );

const page = { space: 'ds', title: 'New' };
const taken = (user: string) => `/users/${user}/token: a token of another user (other token)`;
/** What a world below or above matters to. All kinds of names: tests/scenario/load/fixture-problems.test.ts. */
const cases: ReadonlyArray<readonly [form: SparseWorldForm, ...problems: string[]]> = [
  [{ pages: { '1': { ...page, space: 'DS' } } }, '/pages/1/space: DS (space)'],
  [{ pages: { '1': { title: 'New' } } }, '/pages/1/space:  (space)'],
  [{ pages: { '1': { ...page, title: 'Welcome' } } }, '/pages/1/title: Welcome (other title)'],
  [{ pages: { '1': page, '2': page } }, '/pages/1/title: New (other title)', '/pages/2/title: New (other title)'],
  [
    { pages: { '1': { ...page, author: 'bob', updatedBy: 'dan' } } },
    '/pages/1/author: bob (user)',
    '/pages/1/updatedBy: dan (user)',
  ],
  [{ favourites: { bob: {} } }, '/favourites/bob: bob (user)'],
  [
    { favourites: { alice: { filters: [10500, 1], dashboards: [10500] } } },
    '/favourites/alice/filters/1: 1 (filter)',
    '/favourites/alice/dashboards/0: 10500 (dashboard)',
  ],
  [{ users: { x: { token: 't' }, y: { token: 't' } } }, taken('x')],
  [{ users: { x: { token: 'admin-token' } } }, taken('x')],
  [{ users: { alice: { token: 'admin-token' }, admin: { token: 'alices' } } }],
  [{ groups: { g: ['__proto__', 'toString'] } }, '/groups/g/0: __proto__ (user)', '/groups/g/1: toString (user)'],
];

describe('danglingIn', () => {
  it('finds what names nothing, or what another has', () => {
    for (const [form, ...problems] of cases) expect(found(form)).to.deep.equal(problems);
  });

  it('finds nothing in the small team, in nothing, and in names that come with the form itself', () => {
    expect([...danglingIn(formOf(smallTeam), smallTeam)]).to.deep.equal([]);
    expect(found({})).to.deep.equal([]);
    expect(found({ pages: { '1': { ...page, author: 'anonymous', updatedBy: 'anonymous' } } })).to.deep.equal([]);
    expect(
      found({ users: { bob: {} }, groups: { bobs: ['bob'] }, favourites: { bob: { filters: [10500] } } }),
    ).to.deep.equal([]);
  });

  it('lists the valid names', () => {
    const form: SparseWorldForm = {
      groups: { g: ['bob'] },
      pages: { '1': { space: 'x', title: 'y', view: { groups: ['teem'] } } },
      favourites: { alice: { filters: [1], dashboards: [1] } },
    };
    const offered = [...danglingIn(form, worldFrom(form, smallTeam))].map(({ wanted, allowed }) => [
      wanted,
      [...allowed()].sort(),
    ]);
    expect(offered).to.deep.equal([
      ['user', ['admin', 'alice', 'carol', 'demouser1', 'demouser2']],
      ['space', ['ds', 'tmpl']],
      ['group', ['customers', 'g', 'jira-core-users', 'team-members']],
      ['filter', ['10500', '10600']],
      ['dashboard', ['11000', '11100']],
    ]);
  });
});
