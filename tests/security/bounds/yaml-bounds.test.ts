// YAML made to be expensive, as far as it is short or refused at once (tests/proof has what takes seconds), and unusual YAML.
// Broken YAML is in tests/scenario/yaml/yaml.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Written, written } from '../../support/files/files.js';
import { type Costly, firstProblem, MIB, many, testCosts } from './yaml-bounds.js';

const costly: readonly Costly[] = [
  ['8 MiB of closing brackets', many(']', 8 * MIB), '1:1: Unexpected flow-seq-end token in YAML document: "]".'],
  [
    '8 MiB of markers of documents',
    many('---\n', 8 * MIB),
    '2:1: A second document begins here, but a file can contain only one.',
  ],
  [
    'lists in lists, 10,000 deep',
    `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    '1:67: This is nested more than 64 levels deep.',
  ],
  [
    'mappings in mappings, 3,000 deep',
    Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    '64:65: This is nested more than 64 levels deep.',
  ],
  [
    'a text that needs quotes, with 200,000 blanks',
    `a: @${' '.repeat(200_000)}b`,
    `1:4: Text that begins with @ needs quotes: ${JSON.stringify(`@${' '.repeat(200_000)}b`)}.`,
  ],
  ['lists in lists by dashes, 10,000 deep', '- '.repeat(10_000), '1:128: This is nested more than 64 levels deep.'],
];

describe('YAML made to be expensive', () => {
  testCosts(costly);

  let files: Written;
  before(() => {
    files = written({});
  });
  after(() => files.remove());

  it('an unknown name of 1 MiB is shortened in its report', () => {
    const long = 'x'.repeat(MIB);
    expect(firstProblem(files, 'fixtures/mine.yaml', `users: { a: {} }\ngroups: { g: ["${long}"] }`)).to.equal(
      `2:15: Unknown user "${'x'.repeat(77)}...": expected a.`,
    );
    expect(firstProblem(files, 'scenarios/mine.yaml', `title: a\nfixture: "${long}"`)).to.equal(
      `2:10: "${'x'.repeat(77)}..." is outside the fixtures folder.`,
    );
  });
});

const odd: readonly (readonly [what: string, text: string, names: readonly string[]])[] = [
  ['a byte order mark', '\ufeffusers: { a: {} }', ['a']],
  [
    'words that YAML 1.1 took for something else',
    'users: { no: {}, on: {}, y: {}, 1_000: {}, 0o7: {}, 1e3: {}, ~: {}, "null": {}, 12:30:45: {} }',
    ['0o7', '12:30:45', '1_000', '1e3', 'no', 'null', 'on', 'y', '~'],
  ],
  ['a merge key', 'users: { a: &a { admin: true }, <<: { displayName: b } }', ['<<', 'a']],
  [
    'names of every object',
    'users: { __proto__: {}, constructor: {}, toString: {} }',
    ['__proto__', 'constructor', 'toString'],
  ],
];

const refused: readonly (readonly [what: string, text: string, problem: string])[] = [
  [
    'a tag for code',
    'users: !!js/function "function () { return 1 }"',
    '1:8: The tag tag:yaml.org,2002:js/function is not supported.',
  ],
  [
    'a tag for bytes',
    'users: { a: { displayName: !!binary aGk= } }',
    '1:28: The tag tag:yaml.org,2002:binary is not supported.',
  ],
  ['a tag of its own', 'users: !mine {}', '1:8: The tag !mine is not supported.'],
  [
    'a mapping that is merged with itself',
    'users: &u { a: *u }',
    '1:16: *u is undefined: there is no &u before it. If this is text, put it in quotes.',
  ],
  ['a key twice', 'users: { a: {}, a: {} }', '1:17: Duplicate key "a": it is already on line 1.'],
  [
    '__proto__ twice',
    'users: { __proto__: {}, __proto__: {} }',
    '1:25: Duplicate key "__proto__": it is already on line 1.',
  ],
  [
    'a number beyond what is exact',
    'nextPageId: 9007199254740993',
    '1:13: 9007199254740993 cannot be represented as a JSON number: write it in quotes.',
  ],
];

describe('unusual YAML', () => {
  let files: Written;
  before(() => {
    files = written({});
  });
  after(() => files.remove());

  for (const [what, text, names] of odd) {
    it(`with ${what} is read by the rules of YAML 1.2`, () => {
      writeFileSync(join(files.root, 'fixtures/odd.yaml'), text);
      expect([...files.load('odd').origin.world.users.keys()].sort()).to.deep.equal(names);
      expect(({} as { displayName?: unknown }).displayName).to.equal(undefined);
    });
  }

  for (const [what, text, problem] of refused) {
    it(`with ${what} is reported`, () => {
      writeFileSync(join(files.root, 'fixtures/mine.yaml'), text);
      expect(files.check('fixtures/mine.yaml')).to.include(`fixtures/mine.yaml:${problem}`);
    });
  }

  it('with NUL in a name keeps it, and shows it escaped', () => {
    writeFileSync(join(files.root, 'fixtures/mine.yaml'), 'users: { "a\\0b": {} }\ngroups: { g: ["a\\0c"] }');
    expect(files.check('fixtures/mine.yaml')).to.deep.equal([
      'fixtures/mine.yaml:2:15: Unknown user "a\\u0000c" (did you mean "a\\u0000b"?): expected a\u0000b.',
    ]);
  });
});
