// Compares values with expectations and matchers, and reports each difference with its place.
import { expect } from 'chai';
import { Budget, BudgetExceeded } from '../../../server/engine/patterns/budget.js';
import { mismatches } from '../../../server/engine/patterns/match.js';

const says = (expected: unknown, found: unknown, isPart = false) =>
  mismatches(expected, found, isPart).map(({ pointer, says }) => `${pointer} ${says}`);
/** Keys such as `__proto__` are ordinary keys only if they come from JSON. */
const json = (text: string) => JSON.parse(text) as unknown;

describe('an expected value', () => {
  it('is the value and nothing else', () => {
    for (const value of [0, -1.5, '', 'a', true, false, null, [], [[]], {}, { a: { b: [1, null] } }]) {
      expect(says(value, structuredClone(value))).to.deep.equal([]);
      const others = [0, 1, '', 'b', true, false, null, [], [1], {}, { c: 1 }];
      const taken = others.filter(other => says(value, other).length === 0);
      expect(taken).to.deep.equal(others.filter(other => JSON.stringify(other) === JSON.stringify(value)));
    }
  });

  it('is a number regardless of sign and notation, as in JSON', () => {
    expect([says(0, json('-0')), says(100, json('1e2'))]).to.deep.equal([[], []]);
  });

  it('matches only null if it is null', () => {
    expect(says(null, undefined)).to.deep.equal([' is missing, but should be null']);
    expect(says({ a: null }, {})).to.deep.equal(['/a is missing, but should be null']);
    expect(says({}, { a: null })).to.deep.equal(['/a is null, but nothing is expected here']);
  });

  it('is a whole object, and as a part allows other fields', () => {
    expect(says({ a: 1 }, { a: 1, b: 2, c: 3 })).to.deep.equal([
      '/b is 2, but nothing is expected here',
      '/c is 3, but nothing is expected here',
    ]);
    expect(says({ a: 1, d: {} }, { a: 1, b: 2, d: { e: 1 } }, true)).to.deep.equal([]);
    expect(says({ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true)).to.deep.equal([]);
    expect(says({ a: [1] }, { a: [1, 2] }, true)).to.deep.equal(['/a is [1,2], not [1]']);
  });

  it('is a list in its order', () => {
    expect(says([1, 2, 3], [1, 3, 2])).to.deep.equal(['/1 is 3, not 2', '/2 is 2, not 3']);
    expect(says([1], [])).to.deep.equal([' is [], not [1]']);
  });

  it('has its place as a JSON pointer', () => {
    expect(says({ 'a/b': { 'c~d': [{ '': 1 }] } }, { 'a/b': { 'c~d': [{ '': 2 }] } })).to.deep.equal([
      '/a~1b/c~0d/0/ is 2, not 1',
    ]);
  });

  it('may have __proto__ and constructor as keys', () => {
    for (const name of ['__proto__', 'constructor']) {
      expect(says(json(`{"${name}":1}`), {})).to.deep.equal([`/${name} is missing, but should be 1`]);
      expect(says({}, json(`{"${name}":1}`))).to.deep.equal([`/${name} is 1, but nothing is expected here`]);
      expect(says(json(`{"${name}":{"$any":"number"}}`), json(`{"${name}":1}`))).to.deep.equal([]);
      expect(says(json(`{"${name}":{"$absent":true}}`), {})).to.deep.equal([]);
      expect(says({ $contains: json(`{"${name}":1}`) }, {})).to.deep.equal([`/${name} is missing, but should be 1`]);
    }
  });
});

describe('$any', () => {
  const values = { string: '', number: 1.5, integer: 2, boolean: false, array: [], object: {}, null: null };
  const taken: Readonly<Record<string, readonly string[]>> = {
    string: ['string'],
    number: ['number', 'integer'],
    integer: ['integer'],
    boolean: ['boolean'],
    array: ['array'],
    object: ['object'],
    null: ['null'],
    value: Object.keys(values),
  };
  it('matches its type, and never a missing value', () => {
    for (const [type, names] of Object.entries(taken)) {
      const held = Object.entries(values).filter(([, value]) => says({ $any: type }, value).length === 0);
      expect(held.map(([name]) => name)).to.deep.equal(names);
      expect(says({ $any: type }, undefined)).to.have.length(1);
    }
  });

  it('lists the types it accepts', () => {
    expect(says({ a: { $any: 'integer' } }, { a: 1.5 })).to.deep.equal(['/a is 1.5, but should be a whole number']);
    expect(says({ a: { $any: 'value' } }, {})).to.deep.equal(['/a is missing, but should be there']);
    expect(says({ a: { $any: 'null' } }, {})).to.deep.equal(['/a is missing, but should be null']);
  });
});

describe('$match', () => {
  it('finds its pattern anywhere in a text, and in nothing else', () => {
    expect(says({ $match: 'b+' }, 'abbc')).to.deep.equal([]);
    expect(says({ $match: '^b' }, 'ab')).to.deep.equal([' is "ab", but should match "^b"']);
    expect(says({ $match: '1' }, 1)).to.deep.equal([' is 1, but should match "1"']);
    expect(says({ $match: '' }, undefined)).to.deep.equal([' is missing, but should match ""']);
    expect(says([{ $match: '^a' }, { b: { $match: 'c$' } }], ['ab', { b: 'bc' }])).to.deep.equal([]);
  });
});

describe('$contains', () => {
  it('matches a list that has each element somewhere', () => {
    expect(says({ $contains: [3, 1] }, [1, 2, 3])).to.deep.equal([]);
    expect(says({ $contains: [] }, [1])).to.deep.equal([]);
    expect(says({ $contains: [4, 1, 5] }, [1, 2])).to.deep.equal([' is [1,2], but should contain 4 and 5']);
    expect(says({ $contains: [1] }, { 0: 1 })).to.deep.equal([' is {"0":1}, but should be a list that contains [1]']);
  });

  it('takes matchers as elements', () => {
    const people = [{ name: 'alice', at: 1 }, { name: 'carol' }];
    expect(says({ $contains: [{ name: { $match: '^c' } }] }, people)).to.deep.equal([]);
    expect(says({ $contains: [{ name: 'alice', at: { $absent: true } }] }, people)).to.have.length(1);
    expect(says({ $contains: [{ $contains: { at: { $any: 'integer' } } }] }, people)).to.deep.equal([]);
    expect(says({ $contains: [{ name: 'alice' }] }, people), 'an element is matched whole').to.have.length(1);
    expect(says({ $contains: [{ name: 'alice' }] }, people, true), 'of a part it is a part').to.deep.equal([]);
  });

  it('matches an object with these fields, each at its place', () => {
    expect(says({ $contains: { a: 1, b: { $absent: true } } }, { a: 1, c: 2 })).to.deep.equal([]);
    expect(says({ x: { $contains: { a: 1, b: 2 } } }, { x: { a: 2 } })).to.deep.equal([
      '/x/a is 2, not 1',
      '/x/b is missing, but should be 2',
    ]);
    expect(says({ $contains: { a: 1 } }, [1])).to.deep.equal([
      ' is [1], but should be an object that contains {"a":1}(for a list, write $contains: [{"a":1}])',
    ]);
  });

  it('matches a text that contains this one', () => {
    expect(says({ $contains: 'b' }, 'abc')).to.deep.equal([]);
    expect(says({ $contains: 'b' }, ['b'])).to.deep.equal([
      ' is ["b"], but should be a text that contains "b"(for a list, write $contains: ["b"])',
    ]);
  });
});

describe('$absent', () => {
  it('matches a missing key, and no other', () => {
    expect(says({ a: { $absent: true } }, {})).to.deep.equal([]);
    expect(says({ a: { $absent: true }, b: 1 }, { b: 1 })).to.deep.equal([]);
    for (const a of [null, 0, ''])
      expect(says({ a: { $absent: true } }, { a })).to.deep.equal([`/a is ${JSON.stringify(a)}, but should be absent`]);
    expect(says({ $absent: true }, undefined)).to.deep.equal([]);
  });
});

describe('the limits of a comparison', () => {
  it('report a hundred differences, and how many more there are', () => {
    const list = (value: number) => Array.from({ length: 150 }, () => value);
    const differences = mismatches(list(1), list(2));
    expect(differences).to.have.lengthOf(101);
    expect(differences[99]).to.deep.include({ pointer: '/99', says: 'is 2, not 1' });
    expect(differences[100]).to.deep.include({ pointer: '', says: 'differs in 50 more places', others: 50 });
  });

  it('stop the search for a text in a text', () => {
    const text = 'a'.repeat(2_000_000);
    const hostile = `${'a'.repeat(10_000)}b${'a'.repeat(10_000)}`;
    expect(new Budget().piece(() => mismatches({ $contains: hostile }, text))).to.have.lengthOf(1);
    const budget = new Budget();
    const twice = () => [0, 1, 2].map(() => mismatches({ $contains: hostile }, text));
    expect(() => budget.piece(twice)).to.throw(BudgetExceeded);
  });
});
