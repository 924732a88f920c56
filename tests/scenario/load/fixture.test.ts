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

  /** The world of a fixture of its own. */
  const worldOf = (...lines: string[]) => {
    files = written({ 'fixtures/mine.yaml': lines.join('\n') });
    return files.load('mine').origin.world;
  };

  it('is one world for all scenarios if the package ships it, and is built anew for a file that may change', () => {
    files = written({
      'fixtures/mine.yaml': 'users: { ann: {} }\n',
      'fixtures/more.yaml': 'extends: small-team\nusers: { ann: {} }\n',
      'scenarios/one.yaml': 'title: One\nfixture: small-team\nsteps: []\n',
      'scenarios/two.yaml': 'title: Two\nfixture: small-team\nworld: { users: { ann: {} } }\nsteps: []\n',
    });
    const named = (name: string) => files.load(name).origin.world;
    expect(named('one')).to.equal(named('small-team'));
    expect([...named('more').users.keys()]).to.include.members(['ann', 'alice']);
    expect([...named('two').users.keys()]).to.include.members(['ann', 'alice']);
    expect([...named('small-team').users.keys()]).not.to.include('ann');
    expect(named('mine')).not.to.equal(named('mine'));
    expect(formOf(named('mine'))).to.deep.equal(formOf(named('mine')));
  });

  it('small-team is the world of the tests', () => {
    files = written({});
    expect(formOf(files.load('small-team').origin.world)).to.deep.equal(formOf(smallTeam));
  });

  it('extends another: records merge, lists are replaced, and null removes', () => {
    const world = worldOf(
      'extends: small-team',
      'users: { alice: { admin: true }, zoe: {} }',
      'groups: { customers: , team-members: [zoe] }',
      'dashboards: { 11100: { sharedWith: { users: [zoe] } } }',
      'licence: { ppf: none }',
    );
    const base = formOf(smallTeam);
    const { customers: _, ...groups } = base.groups;
    expect(formOf(world)).to.deep.equal({
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
    const { users, groups } = formOf(
      worldOf('groups: { mine: [user2, ann] }', 'users: { ann: {} }', 'generate: { users: 3 }'),
    );
    expect(Object.keys(users)).to.deep.equal(['ann', 'user1', 'user2', 'user3']);
    expect(groups).to.deep.equal({ mine: ['ann', 'user2'] });
  });

  it('shares the value of an alias', () => {
    const { users, groups } = formOf(
      worldOf('users: { ann: &plain { admin: true }, ben: *plain }', 'groups: { a: &all [ann, ben], b: *all }'),
    );
    expect(users.ben).to.deep.equal({ displayName: 'ben', admin: true });
    expect(groups).to.deep.equal({ a: ['ann', 'ben'], b: ['ann', 'ben'] });
  });
});
