// Merge-patches: the examples of RFC 7396, the effect of a patch on a world's form, and the patch between two worlds.

import { expect } from 'chai';
import { worldDifference } from '../../../server/domain/form/difference.js';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import type { SparseWorldForm } from '../../../server/domain/form/form-shapes.js';
import { danglingIn } from '../../../server/domain/form/integrity.js';
import { applyPatch, mergePatch, removes, type WorldPatch, writtenBy } from '../../../server/domain/form/patch.js';
import { smallTeam } from '../../support/worlds/ask.js';

describe('mergePatch', () => {
  // Of the test cases of appendix A: target, patch, result.
  const appendix: [target: unknown, patch: unknown, result: unknown][] = [
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  it('gives the results of the appendix, and leaves its target alone', () => {
    for (const [target, patch, result] of appendix) {
      const before = JSON.stringify(target);
      expect(mergePatch(target, patch)).to.deep.equal(result);
      expect(JSON.stringify(target)).to.equal(before);
    }
  });
});

describe('applyPatch', () => {
  const before = formOf(smallTeam);
  const patched = (patch: WorldPatch) => formOf(applyPatch(smallTeam, patch));
  it('is the merge-patch of the form, with defaults for what is new', () => {
    const patch: WorldPatch = {
      users: { alice: { displayName: 'A' }, admin: { token: null, password: null }, bob: { admin: true } },
      groups: { bobs: ['bob'] },
      spaces: { ds: null },
      pages: {
        '65601': { space: 'tmpl', title: 'Moved', edit: { users: ['alice'] } },
        '70000': { space: 'tmpl', title: 'New' },
      },
      filters: { '10600': { sharedWith: { users: ['alice'] } } },
      favourites: { carol: { filters: [10500] }, bob: { filters: [10500] } },
      licence: { ppf: 'expired' },
    };
    for (const one of [{}, patch, ...Object.entries(patch).map(([name, part]) => ({ [name]: part }))])
      expect(patched(one)).to.deep.equal(formOf(worldFrom(mergePatch(before, one) as SparseWorldForm)));
    expect(formOf(smallTeam)).to.deep.equal(before);
  });

  it('never repeats page ids: the next one is never lowered, and a deleted page leaves its id behind', () => {
    expect(patched({ nextPageId: 3 }).nextPageId).to.equal(before.nextPageId);
    expect(patched({ pages: { '65701': null } }).nextPageId).to.equal(before.nextPageId);
    expect(patched({ pages: { '99': { space: 'ds', title: 'x' } } }).nextPageId).to.equal(before.nextPageId);
  });

  it('gives no favourites to a user who is deleted and created again', () => {
    const gone = applyPatch(smallTeam, { users: { carol: null } });
    expect(formOf(gone).favourites).not.to.have.property('carol');
    expect(formOf(applyPatch(gone, { users: { carol: {} } })).favourites.carol).to.deep.equal({
      filters: [],
      dashboards: [],
    });
  });

  it('moves tokens to their new owners, in whatever order they are named', () => {
    const on = worldFrom({ users: { alice: { token: 'a' } } }, smallTeam);
    for (const users of [
      { admin: { token: 'a' }, alice: { token: 'admin-token' } },
      { alice: { token: 'admin-token' }, admin: { token: 'a' } },
      { alice: { token: 'admin-token' }, admin: { token: null } },
      { admin: { token: null }, alice: { token: 'admin-token' } },
    ]) {
      const after = applyPatch(on, { users });
      const expected = Object.fromEntries([
        ['admin-token', 'alice'],
        ...(users.admin.token === null ? [] : [['a', 'admin']]),
      ]);
      expect(after.tokens.toObject()).to.deep.equal(expected);
      expect([...danglingIn(writtenBy(on, { users }), after)]).to.deep.equal([]);
    }
  });
});

describe('writtenBy and removes', () => {
  it('writtenBy: returns the records as they will be, and nothing else', () => {
    const patch: WorldPatch = {
      users: { alice: { admin: true }, carol: null },
      pages: { '70000': { space: 'ds', title: 'New' } },
      groups: {},
      licence: { ppf: 'none' },
      nextPageId: 5,
    };
    expect(writtenBy(smallTeam, patch)).to.deep.equal({
      users: { alice: { displayName: 'Alice', admin: true } },
      pages: { '70000': { space: 'ds', title: 'New' } },
      licence: { ppf: 'none' },
      nextPageId: 5,
    });
    expect(writtenBy(smallTeam, {})).to.deep.equal({});
  });

  it('removes: returns whether a record is deleted', () => {
    expect(removes({ users: { alice: null } })).to.equal(true);
    expect(removes({ users: { alice: {} }, favourites: { carol: null } })).to.equal(true);
    for (const patch of [{}, { users: { alice: { token: null } } }, { groups: { customers: [] } }]) {
      expect(removes(patch)).to.equal(false);
    }
  });
});

describe('worldDifference', () => {
  it('is empty between a world and an equal one', () => {
    expect(worldDifference(smallTeam, smallTeam)).to.deep.equal({});
    const there = applyPatch(smallTeam, {
      users: { alice: { displayName: 'Alice' } },
      groups: { customers: ['alice'] },
    });
    expect(worldDifference(smallTeam, applyPatch(there, { groups: { customers: [] } }))).to.deep.equal({});
  });

  it('is null for deleted records, all of new ones, and the changes of the others', () => {
    const patch: WorldPatch = {
      users: { dora: { displayName: 'dora', admin: true }, alice: { displayName: 'Al' } },
      groups: { customers: ['dora'], new: [], 'jira-core-users': null },
      spaces: { ds: { sidebar: [{ label: 'a', url: '/a' }] } },
      pages: { '65601': { title: 'Moved', view: { users: ['alice'] } }, '65701': null },
      filters: { 10500: { sharedWith: 'nobody' }, 10600: { sharedWith: 'everyone' } },
      favourites: { carol: { filters: [] } },
      licence: { ppf: 'none' },
      nextPageId: 90_000,
    };
    const favourites = { ...patch.favourites, dora: { filters: [], dashboards: [] } };
    expect(worldDifference(smallTeam, applyPatch(smallTeam, patch))).to.deep.equal({ ...patch, favourites });
  });
});
