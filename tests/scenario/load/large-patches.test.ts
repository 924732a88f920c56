// Patches of thousands of records: reported problems are limited, and the check costs no more than the patch.

import { expect } from 'chai';
import { worldFrom } from '../../../server/domain/form/form.js';
import { applyPatch, type WorldPatch } from '../../../server/domain/form/patch.js';
import { pagesTitled, pageTitled } from '../../../server/domain/world/pages.js';
import { patchErrors } from '../../../server/scenario/checks/world-patch.js';

const record = <T>(many: number, field: (i: number) => readonly [string, T]) =>
  Object.fromEntries(Array.from({ length: many }, (_, i) => field(i)));

describe('a patch of thousands of records', () => {
  const world = worldFrom({
    users: record(300, i => [`user${i}`, {}]),
    groups: { all: Array.from({ length: 300 }, (_, i) => `user${i}`), few: ['user1'] },
    spaces: { s: { admins: ['user2'] } },
    pages: {
      '1': { space: 's', title: 'One', author: 'user3', edit: { users: ['user4'], groups: ['few'] } },
      '2': { space: 's', title: 'Two' },
    },
    filters: { '5': { owner: 'user5', sharedWith: { users: ['user6'], groups: ['all'] } } },
    favourites: { user7: { filters: [5], dashboards: [] } },
  });

  it('has one problem if it is not an object', () => {
    for (const patch of [[], 'x', 7, null] as never[]) expect(patchErrors(world, patch)).to.have.lengthOf(1);
  });

  it('reports where a removed record is still used', () => {
    const problemsOf = (patch: object) =>
      patchErrors(world, patch).map(({ pointer, message }) => `${pointer} ${message}`);
    const named = (kind: string, key: string, place: string) =>
      `/${kind}s/${key} The ${kind} "${key}" is removed, but ${place} still refers to it.`;
    expect(problemsOf({ users: { user2: null } })).to.deep.equal([
      named('user', 'user2', '/groups/all/112'),
      named('user', 'user2', '/spaces/s/admins/0'),
    ]);
    expect(
      problemsOf({ users: { user3: null, user4: null, user5: null, user6: null }, groups: { all: null } }),
    ).to.deep.equal([
      named('user', 'user3', '/pages/1/author'),
      named('user', 'user3', '/pages/1/updatedBy'),
      named('user', 'user4', '/pages/1/edit/users/0'),
      named('user', 'user5', '/filters/5/owner'),
      named('user', 'user6', '/filters/5/sharedWith/users/0'),
      named('group', 'all', '/filters/5/sharedWith/groups/0'),
    ]);
    expect(problemsOf({ filters: { '5': null } })).to.deep.equal([named('filter', '5', '/favourites/user7/filters/0')]);
    expect(problemsOf({ spaces: { s: null }, pages: { '1': null } })).to.deep.equal([
      named('space', 's', '/pages/2/space'),
    ]);
    expect(problemsOf({ groups: { few: null }, users: { user8: null } })).to.deep.equal([
      named('user', 'user8', '/groups/all/278'),
      named('group', 'few', '/pages/1/edit/groups/0'),
    ]);
  });

  it('accepts equal titles of pages elsewhere, and reports them here', () => {
    const pages = record(300, i => [String(100 + i), { space: 's', title: 'Same' }]);
    expect(patchErrors(world, { pages })).to.have.lengthOf(101);
    const after = applyPatch(world, { pages });
    expect([pagesTitled(after, 's', 'Same'), pageTitled(after, 's', 'Same')]).to.deep.equal([300, '100']);
    const fewer = applyPatch(after, { pages: record(299, i => [String(100 + i), null]) });
    expect([pagesTitled(fewer, 's', 'Same'), pageTitled(fewer, 's', 'Same')]).to.deep.equal([1, '399']);
  });

  it('reports a hundred unknown fields, in their order', () => {
    const outside = patchErrors(world, record(5_000, i => [`f${i}`, i]) as WorldPatch);
    const within = patchErrors(world, { users: { user1: record(5_000, i => [`f${i}`, i]) } });
    expect(outside.slice(99).map(({ pointer }) => pointer)).to.deep.equal(['/f99', '']);
    expect(within.slice(99).map(({ pointer }) => pointer)).to.deep.equal(['/users/user1/f99', '']);
  });
});
