// The search for the cheapest set of rules finds what no single change of a set leads to, and the next best set.
import { expect } from 'chai';
import { rivalOf, smallest } from '../../../../server/remote/conform/diagnosis/smallest-set.js';

const costOf = (costs: Readonly<Record<string, number>>) => (rules: readonly string[]) =>
  costs[[...rules].sort().join(' ')] ?? 100;

describe('the cheapest set of rules', () => {
  it('has two rules in the place of one, though each of them alone is dear', () => {
    const cost = costOf({ '': 90, a: 26, 'b c': 20 });
    expect([...smallest(['a', 'b', 'c'], cost)].sort()).to.deep.equal(['b', 'c']);
  });

  it('has one rule in the place of many', () => {
    const cost = costOf({ '': 90, a: 50, 'a b': 40, 'a b c': 30, d: 90.5, 'd e': 91 });
    expect(smallest(['a', 'b', 'c'], cost)).to.have.members(['a', 'b', 'c']);
    expect(smallest(['a', 'b', 'c', 'd'], costOf({ '': 90, a: 50, 'a b': 40, 'a b c': 30, d: 25 }))).to.deep.equal([
      'd',
    ]);
  });

  it('is empty where nothing is cheaper', () => {
    expect(smallest(['a', 'b'], costOf({ '': 5 }))).to.deep.equal([]);
  });
});

describe('the next best set of rules', () => {
  it('lacks a rule of the best one, and says what it costs more', () => {
    const cost = costOf({ a: 7, 'a b': 7.5, b: 9, c: 12 });
    expect(rivalOf(['a'], ['a', 'b', 'c'], cost)).to.deep.equal({ rules: ['b'], more: 2 });
  });

  it('is missing where nothing was chosen', () => {
    expect(rivalOf([], [], () => 0)).to.equal(undefined);
  });
});
