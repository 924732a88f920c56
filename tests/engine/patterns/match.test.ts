// Compares values with expectations and matchers, and reports each difference with its place.
import { expect } from 'chai';
import { Budget, BudgetExceeded } from '../../../server/engine/patterns/budget.js';
import { mismatches } from '../../../server/engine/patterns/match.js';

const says = (expected: unknown, found: unknown, isPart = false) =>
  mismatches(expected, found, isPart).map(({ pointer, says }) => `${pointer} ${says}`);
/** Keys such as `__proto__` are ordinary keys only if they come from JSON. */
const json = (text: string) => JSON.parse(text) as unknown;

type Row = readonly [expected: unknown, found: unknown, ...differences: string[]];
const people = [{ name: 'alice', at: 1 }, { name: 'carol' }];

const rows: Readonly<Record<string, readonly Row[]>> = {
  'a number is equal regardless of sign and notation, as in JSON': [
    [0, json('-0')],
    [100, json('1e2')],
  ],
  'null is only null': [
    [null, undefined, ' is missing, but should be null'],
    [{ a: null }, {}, '/a is missing, but should be null'],
    [{}, { a: null }, '/a is null, but nothing is expected here'],
  ],
  'an object is compared whole': [
    [{ a: 1 }, { a: 1, b: 2, c: 3 }, '/b is 2, but nothing is expected here', '/c is 3, but nothing is expected here'],
  ],
  'a list is compared in its order': [
    [[1, 2, 3], [1, 3, 2], '/1 is 3, not 2', '/2 is 2, not 3'],
    [[1], [], ' is [], not [1]'],
  ],
  'a place is a JSON pointer': [
    [{ 'a/b': { 'c~d': [{ '': 1 }] } }, { 'a/b': { 'c~d': [{ '': 2 }] } }, '/a~1b/c~0d/0/ is 2, not 1'],
  ],
  '__proto__ and constructor are keys': ['__proto__', 'constructor'].flatMap((name): Row[] => [
    [json(`{"${name}":1}`), {}, `/${name} is missing, but should be 1`],
    [{}, json(`{"${name}":1}`), `/${name} is 1, but nothing is expected here`],
    [json(`{"${name}":{"$any":"number"}}`), json(`{"${name}":1}`)],
    [json(`{"${name}":{"$absent":true}}`), {}],
    [{ $contains: json(`{"${name}":1}`) }, {}, `/${name} is missing, but should be 1`],
  ]),
  '$any names the types that it accepts': [
    [{ a: { $any: 'integer' } }, { a: 1.5 }, '/a is 1.5, but should be a whole number'],
    [{ a: { $any: 'value' } }, {}, '/a is missing, but should be there'],
    [{ a: { $any: 'null' } }, {}, '/a is missing, but should be null'],
  ],
  '$match finds its pattern anywhere in a text, and in nothing else': [
    [{ $match: 'b+' }, 'abbc'],
    [{ $match: '^b' }, 'ab', ' is "ab", but should match "^b"'],
    [{ $match: '1' }, 1, ' is 1, but should match "1"'],
    [{ $match: '' }, undefined, ' is missing, but should match ""'],
    [
      [{ $match: '^a' }, { b: { $match: 'c$' } }],
      ['ab', { b: 'bc' }],
    ],
  ],
  '$contains matches a list that has each element somewhere, which may be a matcher': [
    [{ $contains: [3, 1] }, [1, 2, 3]],
    [{ $contains: [] }, [1]],
    [{ $contains: [4, 1, 5] }, [1, 2], ' is [1,2], but should contain 4 and 5'],
    [{ $contains: [1] }, { 0: 1 }, ' is {"0":1}, but should be a list that contains [1]'],
    [{ $contains: [{ name: { $match: '^c' } }] }, people],
    [{ $contains: [{ $contains: { at: { $any: 'integer' } } }] }, people],
  ],
  '$contains matches an object with these fields, each at its place': [
    [{ $contains: { a: 1, b: { $absent: true } } }, { a: 1, c: 2 }],
    [{ x: { $contains: { a: 1, b: 2 } } }, { x: { a: 2 } }, '/x/a is 2, not 1', '/x/b is missing, but should be 2'],
    [
      { $contains: { a: 1 } },
      [1],
      ' is [1], but should be an object that contains {"a":1}(for a list, write $contains: [{"a":1}])',
    ],
  ],
  '$contains matches a text that contains this one': [
    [{ $contains: 'b' }, 'abc'],
    [
      { $contains: 'b' },
      ['b'],
      ' is ["b"], but should be a text that contains "b"(for a list, write $contains: ["b"])',
    ],
  ],
  '$absent matches a missing key, and no other': [
    [{ a: { $absent: true }, b: 1 }, { b: 1 }],
    [{ $absent: true }, undefined],
    ...[null, 0, ''].map(
      (a): Row => [{ a: { $absent: true } }, { a }, `/a is ${JSON.stringify(a)}, but should be absent`],
    ),
  ],
};

describe('an expected value', () => {
  for (const [what, all] of Object.entries(rows))
    it(what, () => {
      for (const [expected, found, ...differences] of all) expect(says(expected, found)).to.deep.equal(differences);
    });

  it('is the value and nothing else', () => {
    for (const value of [0, -1.5, '', 'a', true, false, null, [], [[]], {}, { a: { b: [1, null] } }]) {
      expect(says(value, structuredClone(value))).to.deep.equal([]);
      const others = [0, 1, '', 'b', true, false, null, [], [1], {}, { c: 1 }];
      const taken = others.filter(other => says(value, other).length === 0);
      expect(taken).to.deep.equal(others.filter(other => JSON.stringify(other) === JSON.stringify(value)));
    }
  });

  it('as a part allows other fields, but no other elements', () => {
    expect(says({ a: 1, d: {} }, { a: 1, b: 2, d: { e: 1 } }, true)).to.deep.equal([]);
    expect(says({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true)).to.deep.equal([]);
    expect(says({ a: [1] }, { a: [1, 2] }, true)).to.deep.equal(['/a is [1,2], not [1]']);
    expect(says({ $contains: [{ name: 'alice' }] }, people)).to.have.length(1);
    expect(says({ $contains: [{ name: 'alice' }] }, people, true)).to.deep.equal([]);
  });

  it('$any matches its type, and never a missing value', () => {
    const values = { string: '', number: 1.5, integer: 2, boolean: false, array: [], object: {}, null: null };
    for (const type of [...Object.keys(values), 'value']) {
      const held = Object.entries(values).filter(([, value]) => says({ $any: type }, value).length === 0);
      const taken = { number: ['number', 'integer'], value: Object.keys(values) }[type] ?? [type];
      expect(held.map(([name]) => name)).to.deep.equal(taken);
      expect(says({ $any: type }, undefined)).to.have.length(1);
    }
  });
});

describe('the limits of a comparison', () => {
  it('report a hundred differences, and how many more there are', () => {
    const list = (value: number) => Array.from({ length: 150 }, () => value);
    const differences = mismatches(list(1), list(2));
    expect(differences).to.have.lengthOf(101);
    expect(differences[100]).to.deep.include({ pointer: '', says: 'differs in 50 more places', others: 50 });
  });

  it('stop the search for a text in a text', () => {
    const text = 'a'.repeat(2_000_000);
    const hostile = `${'a'.repeat(10_000)}b${'a'.repeat(10_000)}`;
    expect(new Budget().piece(() => mismatches({ $contains: hostile }, text))).to.have.lengthOf(1);
    const twice = () => [0, 1, 2].map(() => mismatches({ $contains: hostile }, text));
    expect(() => new Budget().piece(twice)).to.throw(BudgetExceeded);
  });
});
