// Broken, hostile or unusual YAML: each is a clear problem at its place, and none takes more than a moment.
import { expect } from 'chai';
import { problemsIn, written } from '../../support/files/files.js';

/** Fixtures, by their problems without the name of the file. */
const cases: Readonly<Record<string, string | readonly string[]>> = {
  '3:3: A closing } is missing before this point.\n3:6: Unexpected flow-seq-end token in YAML stream: "]".': [
    'users:',
    '  a: { admin: true',
    '  b: ]',
  ],
  '2:1: Expected a key and a colon, such as title:, but found "oops".': [
    '# mine',
    'oops',
    'users:',
    '  a: {}',
    'groups: {}',
  ],
  '1:1: Expected a key and a colon, such as title:, but found "my users".': ['my users', 'users: {}'],
  '2:1: Indent with spaces: tabs are not allowed here.': ['users:', '\ta: {}'],
  '2:1: A second document begins here, but a file can contain only one.': ['users: {}', '---', 'users: {}'],
  '1:8: The tag tag:yaml.org,2002:js/function is not supported.': 'users: !!js/function "x"',
  '1:28: The tag tag:yaml.org,2002:binary is not supported.': 'users: { a: { displayName: !!binary aGk= } }',
  '1:8: The tag !mine is not supported.': 'users: !mine {}',
  '1:25: Duplicate key "__proto__": it is already on line 1.': 'users: { __proto__: {}, __proto__: {} }',
  '1:13: 9007199254740993 cannot be represented as a JSON number: write it in quotes.': 'nextPageId: 9007199254740993',
  '2:15: Unknown user "a\\u0000c" (did you mean "a\\u0000b"?): expected a\u0000b.':
    'users: { "a\\0b": {} }\ngroups: { g: ["a\\0c"] }',
  '1:1: The file is empty: it must contain an object. For an empty object, write {}.': '',
  '1:1: The file must be an object, not a list of length 1.': '- a',
  '1:3: A key must be a single name.': '? [a, b]\n: c',
  '2:1: A key must be a single name.': 'users: &u {}\n*u : {}',
  '1:8: *u is undefined: there is no &u before it. If this is text, put it in quotes.': 'users: *u',
  '2:6: *u is undefined: there is no &u before it. If this is text, put it in quotes.': ['users: &u', '  a: *u'],
  '1:13: .inf cannot be represented as a JSON number: write it in quotes.\n2:28: 12345678901234567890 cannot be represented as a JSON number: write it in quotes.':
    ['nextPageId: .inf', 'users: { a: { displayName: 12345678901234567890 } }'],
  '4:3: Duplicate key "a": it is already on line 2.\n7:3: Duplicate key "1": it is already on line 6.\n8:18: Duplicate key "s": it is already on line 8.':
    [
      'users:',
      '  a: {}',
      '  b: {}',
      '  "a": { admin: true }',
      'pages:',
      '  1: { space: s, title: A }',
      '  "1": {}',
      'spaces: { s: {}, s: {} }',
    ],
  '1:71: This is nested more than 64 levels deep.': `users: ${'['.repeat(200_000)}`,
  '64:65: This is nested more than 64 levels deep.': Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`),
  '6:8: Up to this point, aliases expand to more than 100000 values.': [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...[...'bcdefgh'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[i]}`).join(',')}]`),
  ],
};

const MIB = 2 ** 20;
/** Fixtures made to be expensive, each with its first problem. */
const costly: ReadonlyArray<readonly [text: string, problem: string]> = [
  [']'.repeat(8 * MIB), '1:1: Unexpected flow-seq-end token in YAML document: "]".'],
  ['---\n'.repeat(2 * MIB), '2:1: A second document begins here, but a file can contain only one.'],
  ['- '.repeat(10_000), '1:128: This is nested more than 64 levels deep.'],
  [`users: { a: {} }\ngroups: { g: ["${'x'.repeat(MIB)}"] }`, `2:15: Unknown user "${'x'.repeat(77)}...": expected a.`],
];

describe('a YAML file', () => {
  it('is reported with line and column', () => {
    for (const [problems, text] of Object.entries(cases))
      expect(problemsIn('fixtures/mine.yaml', text)).to.deep.equal(problems.split('\n'));
    for (const [text, problem] of costly) expect(problemsIn('fixtures/mine.yaml', text)[0]).to.equal(problem);
  });

  it('of more than 8 MiB is not read', () => {
    expect(problemsIn('fixtures/mine.yaml', '#'.repeat(8 * MIB + 1))).to.deep.equal([
      '0:0: The file has 8388609 bytes, but at most 8388608 are allowed. For a large world, use `generate`.',
    ]);
  });

  it('is reported if it is missing or a folder', () => {
    const files = written({ 'fixtures/folder.yaml/x': '' });
    expect(files.check('fixtures/none.yaml')).to.deep.equal(['fixtures/none.yaml:0:0: No such file or folder.']);
    expect(files.check('fixtures/folder.yaml')).to.deep.equal(['fixtures/folder.yaml:0:0: This is a folder.']);
    files.remove();
  });

  it('is YAML 1.2 whatever a directive says: words of YAML 1.1 are texts, and << a name', () => {
    const words = 'on: {}, y: {}, 1_000: {}, 0o7: {}, 1e3: {}, ~: {}, "null": {}, 12:30:45: {}';
    const users = `no: { displayName: no }, ${words}, <<: { displayName: "off" }`;
    const files = written({ 'fixtures/mine.yaml': `%YAML 1.1\n---\nusers: { ${users} }\n` });
    const read = files.load('mine').origin.world.users;
    const names = ['0o7', '12:30:45', '1_000', '1e3', '<<', 'no', 'null', 'on', 'y', '~'];
    expect([...read.keys()].sort()).to.deep.equal(names);
    expect(read.get('no')?.displayName).to.equal('no');
    files.remove();
  });
});
