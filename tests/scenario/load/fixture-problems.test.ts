// Problems of a fixture: all at once, each with its place, what is allowed and the nearest name.
import { expect } from 'chai';
import { places, problemsIn, written } from '../../support/files/files.js';

describe('a fixture with problems', () => {
  const problemsOf = (text: string | readonly string[], others: Readonly<Record<string, string>> = {}) =>
    problemsIn('fixtures/mine.yaml', text, others);

  const rows: Readonly<Record<string, readonly [places: string, ...lines: string[]]>> = {
    'all of them at once, in the order of the file': [
      '2:12 displayName, 2:38, 3:7, 4:22, 6:17 carol, 6:23, 7:1 spaces, 9:38 alice, 9:65 carol, 10:3, 11:3, 12:26 ds, 12:39, 13:27, 15:16 alice, 15:34 everyone, 16:3, 16:23 groups, 16:47 team, 18:3 alice, 18:27, 19:17 valid, 20:13',
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
    ],
    'names and ids that a list repeats, with both places': [
      '2:30, 2:46, 2:52, 3:31, 4:60, 5:59, 6:38',
      'users: { alice: {}, bob: {} }',
      'groups: { team: [alice, bob, alice], other: [carl, carl] }',
      'spaces: { ds: { admins: [bob, bob] } }',
      'pages: { 12: { title: A, space: ds, edit: { groups: [team, team] } } }',
      'filters: { 10: { owner: alice, sharedWith: { users: [bob, bob] } } }',
      'favourites: { alice: { filters: [10, 10] } }',
    ],
    'values that two records share, and unknown names': [
      '1:10, 1:37, 4:25, 5:25',
      'users: { anonymous: {}, a: { token: t }, b: { token: t } }',
      'spaces: { s: {} }',
      'pages:',
      '  1: { space: s, title: Home }',
      '  2: { space: s, title: Home }',
    ],
  };
  for (const [what, [where, ...lines]] of Object.entries(rows))
    it(`reports ${what}`, () => {
      expect(places(problemsOf(lines))).to.equal(where);
    });

  it('reports duplicate keys besides everything else', () => {
    expect(places(problemsOf('users: { a: {}, a: {} }\ngroups: { g: [b] }\n'))).to.equal('1:17, 2:15 a');
  });

  it('follows aliases to the place where a name is written', () => {
    expect(problemsOf('users: { a: {} }\ngroups:\n  g: &g [a, c]\n  h: *g\n')).to.deep.equal([
      '3:13: Unknown user "c" (did you mean "a"?): expected a.',
    ]);
  });

  it('reports names of the base fixture that are removed but still used, or were never there', () => {
    const text = 'extends: base\nusers: { ann: , bob: }\npages: { 7: { body: x } }\n';
    expect(places(problemsOf(text, { 'fixtures/base.yaml': 'users: { ann: {} }\ngroups: { g: [ann] }\n' }))).to.equal(
      '2:10, 2:17, 3:10, 3:10',
    );
  });

  it('reports the problems of the base fixture too', () => {
    expect(
      places(problemsOf('extends: base\nuser: {}\n', { 'fixtures/base.yaml': 'groups: { g: [ann] }\n' })),
    ).to.equal('2:1 users, fixtures/base.yaml:1:15');
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

  it('reports a chain of too many base fixtures at the name, as deep as it is read', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`fixtures/f${i}.yaml`, i === 59 ? 'users: {}\n' : `extends: f${i + 1}\n`]),
    );
    expect(problemsOf('extends: f0\n', chain)).to.deep.equal([
      'fixtures/f48.yaml:1:10: "f49" makes a chain of 51 fixtures that extend one another, but at most 50 are allowed.',
    ]);
    expect(problemsOf('extends: f11\n', chain)).to.deep.equal([]);
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
    expect(places(problemsOf('generate: { user: 10, pages: 1e9 }\n'))).to.equal('1:13 users, 1:30');
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
  it('is reported with the fix', () => {
    for (const [problems, text] of Object.entries(slips))
      expect(problemsOf(`users: { zoe: {} }\n${text}\n`)).to.deep.equal(problems.split('\n'));
  });
});
