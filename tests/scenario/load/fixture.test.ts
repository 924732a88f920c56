// What a fixture makes of a file: its own world, the base world, and the records laid over it.
import { join } from 'node:path';
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { packageRoot } from '../../../server/scenario/files/folders.js';
import { type Written, written } from '../../support/files/files.js';
import { smallTeam } from '../../support/worlds/ask.js';

describe('a fixture', () => {
  let files: Written;
  afterEach(() => files.remove());

  it('is one world for all scenarios if the package ships it, and is built anew for a file that may change', () => {
    files = written({
      'fixtures/mine.yaml': 'users: { ann: {} }\n',
      'fixtures/more.yaml': 'extends: small-team\nusers: { ann: {} }\n',
      'scenarios/one.yaml': 'title: One\nfixture: small-team\nsteps: []\n',
      'scenarios/two.yaml': 'title: Two\nfixture: small-team\nworld: { users: { ann: {} } }\nsteps: []\n',
    });
    const worldOf = (name: string) => files.load(name).origin.world;
    expect(worldOf('one')).to.equal(worldOf('small-team'));
    expect([...worldOf('more').users.keys()]).to.include.members(['ann', 'alice']);
    expect([...worldOf('two').users.keys()]).to.include.members(['ann', 'alice']);
    expect([...worldOf('small-team').users.keys()]).not.to.include('ann');
    expect(worldOf('mine')).not.to.equal(worldOf('mine'));
    expect(formOf(worldOf('mine'))).to.deep.equal(formOf(worldOf('mine')));
  });

  it('is the world it describes, with defaults for missing fields', () => {
    files = written({
      'fixtures/mine.yaml': 'users: { ann: {} }\nspaces: { s: {} }\npages: { 7: { space: s, title: Home } }\n',
    });
    expect(formOf(files.load('mine').origin.world)).to.deep.equal({
      users: { ann: { displayName: 'ann', admin: false } },
      groups: {},
      spaces: { s: { name: 's', admins: [], sidebar: [] } },
      pages: {
        '7': {
          space: 's',
          title: 'Home',
          body: '',
          author: 'anonymous',
          created: '2025-01-01T00:00:00Z',
          updatedBy: 'anonymous',
          updated: '2025-01-01T00:00:00Z',
          version: 1,
          position: 1,
          edit: { users: [], groups: [] },
          view: { users: [], groups: [] },
        },
      },
      filters: {},
      dashboards: {},
      favourites: { ann: { filters: [], dashboards: [] } },
      licence: { ppf: 'valid' },
      nextPageId: 8,
    });
  });

  it('small-team is the world of the tests', () => {
    files = written({});
    expect(formOf(files.load('small-team').origin.world)).to.deep.equal(formOf(smallTeam));
  });

  it('empty has one admin and nothing else', () => {
    files = written({});
    expect(formOf(files.load('empty').origin.world)).to.deep.equal({
      users: { admin: { displayName: 'Ada Admin', password: 'admin', token: 'admin-token', admin: true } },
      groups: {},
      spaces: {},
      pages: {},
      filters: {},
      dashboards: {},
      favourites: { admin: { filters: [], dashboards: [] } },
      licence: { ppf: 'valid' },
      nextPageId: 1,
    });
  });

  it('extends another: records merge, lists are replaced, and null removes', () => {
    files = written({
      'fixtures/mine.yaml': [
        'extends: small-team',
        'users: { alice: { admin: true }, zoe: {} }',
        'groups: { customers: , team-members: [zoe] }',
        'dashboards: { 11100: { sharedWith: { users: [zoe] } } }',
        'licence: { ppf: none }',
      ].join('\n'),
    });
    const base = formOf(smallTeam);
    const { customers: _, ...groups } = base.groups;
    const mine = formOf(files.load('mine').origin.world);
    expect(mine).to.deep.equal({
      ...base,
      users: { ...base.users, alice: { displayName: 'Alice', admin: true }, zoe: { displayName: 'zoe', admin: false } },
      groups: { ...groups, 'team-members': ['zoe'] },
      dashboards: {
        ...base.dashboards,
        '11100': { name: 'Private board', owner: 'carol', sharedWith: { users: ['zoe'], groups: [] } },
      },
      favourites: { ...base.favourites, zoe: { filters: [], dashboards: [] } },
      licence: { ppf: 'none' },
    });
  });

  it('extends a shipped one of its own name', () => {
    files = written({ 'fixtures/small-team.yaml': 'extends: small-team\nusers: { zoe: {} }\n' });
    const { origin, files: read } = files.load('small-team');
    expect(origin.world.users.has('zoe')).to.equal(true);
    expect(origin.world.users.has('alice')).to.equal(true);
    expect(read).to.deep.equal([
      join(packageRoot(), 'scenarios/cases/small-team.yaml'),
      join(files.root, 'fixtures/small-team.yaml'),
      join(packageRoot(), 'fixtures/small-team.yaml'),
    ]);
  });

  it('lays records over a recipe, and may use the names the recipe makes', () => {
    files = written({
      'fixtures/mine.yaml': 'groups: { mine: [user2, ann] }\nusers: { ann: {} }\ngenerate: { users: 3 }\n',
    });
    const { users, groups } = formOf(files.load('mine').origin.world);
    expect(Object.keys(users)).to.deep.equal(['ann', 'user1', 'user2', 'user3']);
    expect(groups).to.deep.equal({ mine: ['ann', 'user2'] });
  });

  it('treats names as names, even if JavaScript gives them a meaning', () => {
    files = written({
      'fixtures/mine.yaml': [
        'users: { __proto__: {}, constructor: { displayName: C }, toString: {}, 010: {}, "true": {}, null: {}, 1e3: {} }',
        'groups: { __proto__: [__proto__, constructor, toString], hasOwnProperty: ["010", "true", "null", "1e3"] }',
        'favourites: { __proto__: {} }',
      ].join('\n'),
    });
    const { users, groups } = files.load('mine').origin.world;
    const names = ['010', '1e3', '__proto__', 'constructor', 'null', 'toString', 'true'];
    expect([...users.keys()].sort()).to.deep.equal(names);
    expect(users.get('constructor')).to.deep.equal({ displayName: 'C', admin: false });
    expect([...(groups.get('__proto__') ?? [])].sort()).to.deep.equal(['__proto__', 'constructor', 'toString']);
    expect([...(groups.get('hasOwnProperty') ?? [])].sort()).to.deep.equal(['010', '1e3', 'null', 'true']);
    expect(Object.hasOwn(Object.prototype, 'displayName')).to.equal(false);
  });

  it('shares the value of an alias', () => {
    files = written({
      'fixtures/mine.yaml':
        'users: { ann: &plain { admin: true }, ben: *plain }\ngroups: { a: &all [ann, ben], b: *all }\n',
    });
    const { users, groups } = formOf(files.load('mine').origin.world);
    expect(users.ben).to.deep.equal({ displayName: 'ben', admin: true });
    expect(groups).to.deep.equal({ a: ['ann', 'ben'], b: ['ann', 'ben'] });
  });
});
