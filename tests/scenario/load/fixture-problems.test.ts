// Problems of a fixture: all at once, each with its place, what is allowed and the nearest name.
import { expect } from 'chai';
import { problemsIn, written } from '../../support/files/files.js';

describe('a fixture with problems', () => {
  const problemsOf = (text: string | readonly string[], others: Readonly<Record<string, string>> = {}) =>
    problemsIn('fixtures/mine.yaml', text, others);

  it('reports all of them at once, in the order of the file', () => {
    const text = [
      'users:',
      '  alice: { displayNam: Alice, admin: yes }',
      '  bob:',
      '  carol: { password: 123 }',
      'groups:',
      '  team: [alice, carl, 7]',
      'space: {}',
      'pages:',
      '  12: { title: A, space: ds, author: alic, edit: { users: [bob, carlo] } }',
      '  x1: { title: A, space: ds }',
      '  13: { title: B }',
      '  14: { title: C, space: DS, created: 2025-13-01T00:00:00Z }',
      'spaces: { ds: { sidebar: [{ label: L }] } }',
      'filters:',
      '  10: { owner: aice, sharedWith: everone }',
      '  11: { sharedWith: { group: [team], groups: [teem] } }',
      'favourites:',
      '  alicia: { filters: [10, 99] }',
      'licence: { ppf: valdi }',
      'nextPageId: 0',
    ];
    expect(problemsOf(text)).to.deep.equal([
      '2:12: Unknown key "displayNam" (did you mean "displayName"?): expected displayName, password, token or admin.',
      '2:38: /users/alice/admin must be true or false, not "yes": write true.',
      '3:7: /users/bob must be an object, not null: for an empty object, write {}.',
      '4:22: /users/carol/password must be a string, not a number: write it in quotes.',
      '6:17: Unknown user "carl" (did you mean "carol"?): expected alice, bob or carol.',
      '6:23: /groups/team/2 must be a string, not 7: write it in quotes.',
      '7:1: Unknown key "space" (did you mean "spaces"?): expected extends, generate, users, groups, spaces, pages, filters, dashboards, favourites, licence or nextPageId.',
      '9:38: Unknown user "alic" (did you mean "alice"?): expected alice, bob or carol.',
      '9:65: Unknown user "carlo" (did you mean "carol"?): expected alice, bob or carol.',
      '10:3: "x1" must be a numeric id of 1 to 15 digits without a leading zero, such as 10500.',
      '11:3: /pages/13 is missing the key "space".',
      '12:26: Unknown space "DS" (did you mean "ds"?): expected ds.',
      '12:39: /pages/14/created must be an instant in UTC, such as 2026-01-05T09:00:00Z, not "2025-13-01T00:00:00Z".',
      '13:27: /spaces/ds/sidebar/0 is missing the key "url".',
      '15:16: Unknown user "aice" (did you mean "alice"?): expected alice, bob or carol.',
      '15:34: /filters/10/sharedWith must be everyone or nobody, not "everone" (did you mean "everyone"?).',
      '16:3: /filters/11 is missing the key "owner".',
      '16:23: Unknown key "group" (did you mean "groups"?): expected users or groups.',
      '16:47: Unknown group "teem" (did you mean "team"?): expected team.',
      '18:3: Unknown user "alicia" (did you mean "alice"?): expected alice, bob or carol.',
      '18:27: Unknown filter "99": expected 10 or 11.',
      '19:17: /licence/ppf must be one of valid, expired or none, not "valdi" (did you mean "valid"?).',
      '20:13: /nextPageId must be at least 1, not 0.',
    ]);
  });

  it('reports names and ids that a list repeats, with both places', () => {
    const text = [
      'users: { alice: {}, bob: {} }',
      'groups: { team: [alice, bob, alice], other: [carl, carl] }',
      'spaces: { ds: { admins: [bob, bob] } }',
      'pages: { 12: { title: A, space: ds, edit: { groups: [team, team] } } }',
      'filters: { 10: { owner: alice, sharedWith: { users: [bob, bob] } } }',
      'favourites: { alice: { filters: [10, 10] } }',
    ];
    expect(problemsOf(text)).to.deep.equal([
      '2:30: /groups/team/2 repeats "alice", the item at index 0.',
      '2:46: Unknown user "carl": expected alice or bob.',
      '2:52: /groups/other/1 repeats "carl", the item at index 0.',
      '3:31: /spaces/ds/admins/1 repeats "bob", the item at index 0.',
      '4:60: /pages/12/edit/groups/1 repeats "team", the item at index 0.',
      '5:59: /filters/10/sharedWith/users/1 repeats "bob", the item at index 0.',
      '6:38: /favourites/alice/filters/1 repeats 10, the item at index 0.',
    ]);
  });

  it('reports values that two records share, and unknown names', () => {
    const text = [
      'users: { anonymous: {}, a: { token: t }, b: { token: t } }',
      'spaces: { s: {} }',
      'pages:',
      '  1: { space: s, title: Home }',
      '  2: { space: s, title: Home }',
    ];
    expect(problemsOf(text)).to.deep.equal([
      '1:10: "anonymous" is reserved for callers without credentials.',
      '1:37: Another user has this token: a token must be unique.',
      '4:25: The space "s" has another page with the title "Home".',
      '5:25: The space "s" has another page with the title "Home".',
    ]);
  });

  it('reports duplicate keys besides everything else', () => {
    expect(problemsOf('users: { a: {}, a: {} }\ngroups: { g: [b] }\n')).to.deep.equal([
      '1:17: Duplicate key "a": it is already on line 1.',
      '2:15: Unknown user "b" (did you mean "a"?): expected a.',
    ]);
  });

  it('follows aliases to the place where a name is written', () => {
    expect(problemsOf('users: { a: {} }\ngroups:\n  g: &g [a, c]\n  h: *g\n')).to.deep.equal([
      '3:13: Unknown user "c" (did you mean "a"?): expected a.',
    ]);
  });

  it('reports names of the base fixture that are removed but still used, or were never there', () => {
    const text = 'extends: base\nusers: { ann: , bob: }\npages: { 7: { body: x } }\n';
    expect(problemsOf(text, { 'fixtures/base.yaml': 'users: { ann: {} }\ngroups: { g: [ann] }\n' })).to.deep.equal([
      '2:10: The user "ann" is removed, but /groups/g/0 still refers to it.',
      '2:17: An empty value removes the record. Unknown user "bob": expected ann.',
      '3:10: /pages/7 is missing the key "space".',
      '3:10: /pages/7 is missing the key "title".',
    ]);
  });

  it('reports the problems of the base fixture too', () => {
    expect(problemsOf('extends: base\nuser: {}\n', { 'fixtures/base.yaml': 'groups: { g: [ann] }\n' })).to.deep.equal([
      '2:1: Unknown key "user" (did you mean "users"?): expected extends, generate, users, groups, spaces, pages, filters, dashboards, favourites, licence or nextPageId.',
      'fixtures/base.yaml:1:15: Unknown user "ann": the world has no users.',
    ]);
  });

  it('reports a base that is circular or missing', () => {
    expect(problemsOf('extends: b\n', { 'fixtures/b.yaml': 'extends: mine\n' })).to.deep.equal([
      'fixtures/b.yaml:1:10: "mine" extends this fixture too, which makes a cycle.',
    ]);
    expect(problemsOf('extends: mine\n')).to.deep.equal(['1:10: A fixture cannot extend itself.']);
    expect(problemsOf('extends: smal-team\n')).to.deep.equal([
      '1:10: Unknown fixture "smal-team" (did you mean "small-team"?): expected empty, large, mine or small-team.',
    ]);
  });

  it('reports a chain of thousands of base fixtures at the name, as deep as it is read', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, i) => [
        `fixtures/f${i}.yaml`,
        i === 2_999 ? 'users: {}\n' : `extends: f${i + 1}\n`,
      ]),
    );
    expect(problemsOf('extends: f0\n', chain)).to.deep.equal([
      'fixtures/f48.yaml:1:10: "f49" makes a chain of 51 fixtures that extend one another, but at most 50 are allowed.',
    ]);
    expect(problemsOf('extends: f2951\n', chain)).to.deep.equal([]);
  });

  it('reports what a recipe cannot make', () => {
    expect(problemsOf('generate: { pages: 10 }\n')).to.deep.equal([
      '1:1: A recipe with pages needs at least one space.',
    ]);
    expect(problemsOf('generate: { users: 1000000, spaces: 1, pages: 100000 }\n')).to.deep.equal([
      '1:1: This recipe has 1100001 records, counting each group 20 times for its members, but this fake generates at most 1100000.',
    ]);
    expect(problemsOf('generate: { filters: 10, spaces: 1 }\n')).to.deep.equal([
      '1:1: A recipe with filters or dashboards needs at least one user.',
    ]);
    expect(problemsOf('generate: { user: 10, pages: 1e9 }\n')).to.deep.equal([
      '1:13: Unknown key "user" (did you mean "users"?): expected users, groups, spaces, pages, filters, dashboards or seed.',
      '1:30: /generate/pages must be at most 1000000, not 1000000000.',
    ]);
  });

  it('keeps a pointer for programs besides the place for people', () => {
    const files = written({ 'fixtures/mine.yaml': 'users: { a/b~c: { admin: x } }\n' });
    expect(files.problems('fixtures/mine.yaml')).to.deep.equal([
      {
        file: `${files.root}/fixtures/mine.yaml`,
        line: 1,
        column: 26,
        message: '/users/a~1b~0c/admin must be true or false, not "x".',
        pointer: '/users/a~1b~0c/admin',
      },
    ]);
    files.remove();
  });

  /** Fixtures, by the problems that they have. */
  const slips: Readonly<Record<string, string>> = {
    '2:12: "mine" must be a numeric id from 1 to 999999999, such as 10500.':
      'filters: { mine: { owner: zoe }, "201": { owner: zoe } }',
    '2:12: "mine" must be a numeric id from 1 to 999999999, such as 10500.\n3:32: Unknown filter "200" (did you mean "201"?): expected 201.':
      'filters: { mine: { owner: zoe }, "201": { owner: zoe } }\nfavourites: { zoe: { filters: [200] } }',
    '3:10: "home" must be a numeric id of 1 to 15 digits without a leading zero, such as 10500.':
      'spaces: { ds: {} }\npages: { home: { space: ds, title: Home } }',
    '2:1: Unknown key "extend" (did you mean "extends"?): expected extends, generate, users, groups, spaces, pages, filters, dashboards, favourites, licence or nextPageId.':
      'extend: small-team',
    '2:37: Text that contains a colon and a space needs quotes: team: "zoe: x".':
      'groups: { "Ada: Team": [zoe], team: zoe: x }',
    '4:11: Text that contains a colon and a space needs quotes: name: "Demo: Space".':
      'spaces:\n  ds:\n    name: Demo: Space # the first',
    '2:43: /filters/1/sharedWith must be everyone or nobody, not "zoe": to share with some users or groups, write { users: [alice] } or { groups: [crew] }.':
      'filters: { "1": { owner: zoe, sharedWith: zoe } }',
    '2:43: /filters/1/sharedWith must be everyone or nobody, not a list of length 1: to share with some users or groups, write { users: [zoe] } or { groups: [crew] }.':
      'filters: { "1": { owner: zoe, sharedWith: [zoe] } }',
    '2:43: /filters/1/sharedWith must be everyone or nobody, not "everone" (did you mean "everyone"?).':
      'filters: { "1": { owner: zoe, sharedWith: everone } }',
  };
  for (const [problems, text] of Object.entries(slips))
    it(`is reported with the fix: ${problems}`, () => {
      expect(problemsOf(`users: { zoe: {} }\n${text}\n`)).to.deep.equal(problems.split('\n'));
    });
});
