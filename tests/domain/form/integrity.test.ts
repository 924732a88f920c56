// Dangling names: each kind, with its place, and the valid names.

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
const cases: Record<string, [form: SparseWorldForm, problems: string[]]> = {
  'a member': [{ groups: { g: ['alice', 'bob'] } }, ['/groups/g/1: bob (user)']],
  'an admin of a space': [{ spaces: { s: { admins: ['bob'] } } }, ['/spaces/s/admins/0: bob (user)']],
  'the space of a page': [{ pages: { '1': { ...page, space: 'DS' } } }, ['/pages/1/space: DS (space)']],
  'no space of a page': [{ pages: { '1': { title: 'New' } } }, ['/pages/1/space:  (space)']],
  'a title that is taken': [
    { pages: { '1': { ...page, title: 'Welcome' } } },
    ['/pages/1/title: Welcome (other title)'],
  ],
  'a title that two new pages share': [
    { pages: { '1': page, '2': page } },
    ['/pages/1/title: New (other title)', '/pages/2/title: New (other title)'],
  ],
  'an author': [
    { pages: { '1': { ...page, author: 'bob', updatedBy: 'dan' } } },
    ['/pages/1/author: bob (user)', '/pages/1/updatedBy: dan (user)'],
  ],
  'the lists of a page': [
    {
      pages: {
        '1': {
          ...page,
          edit: { users: ['bob'], groups: ['teem'] },
          view: { users: ['alice', 'dan'], groups: ['customers'] },
        },
      },
    },
    ['/pages/1/edit/users/0: bob (user)', '/pages/1/edit/groups/0: teem (group)', '/pages/1/view/users/1: dan (user)'],
  ],
  'the owner of a filter': [{ filters: { '1': { owner: 'bob' } } }, ['/filters/1/owner: bob (user)']],
  'whom a dashboard is shared with': [
    { dashboards: { '1': { owner: 'alice', sharedWith: { users: ['bob'], groups: ['teem'] } } } },
    ['/dashboards/1/sharedWith/users/0: bob (user)', '/dashboards/1/sharedWith/groups/0: teem (group)'],
  ],
  'whose favourites they are': [{ favourites: { bob: {} } }, ['/favourites/bob: bob (user)']],
  'what favourites are': [
    { favourites: { alice: { filters: [10500, 1], dashboards: [10500] } } },
    ['/favourites/alice/filters/1: 1 (filter)', '/favourites/alice/dashboards/0: 10500 (dashboard)'],
  ],
  'a user who is called anonymous': [{ users: { anonymous: {} } }, ['/users/anonymous: anonymous (other user name)']],
  'a token that another user has': [
    { users: { x: { token: 't' }, y: { token: 't' } } },
    ['/users/x/token: a token of another user (other token)'],
  ],
  'a token of a user of the world below': [
    { users: { x: { token: 'admin-token' } } },
    ['/users/x/token: a token of another user (other token)'],
  ],
  'tokens that change hands': [{ users: { alice: { token: 'admin-token' }, admin: { token: 'alices' } } }, []],
  'names that every object has': [
    { groups: { g: ['__proto__', 'constructor', 'toString'] } },
    ['/groups/g/0: __proto__ (user)', '/groups/g/1: constructor (user)', '/groups/g/2: toString (user)'],
  ],
};

describe('danglingIn', () => {
  for (const [what, [form, problems]] of Object.entries(cases)) {
    it(`finds ${what}`, () => {
      expect(found(form)).to.deep.equal(problems);
    });
  }

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
