// Every shipped scenario except the large one, which is in tests/proof, gives the same bytes again.
import { expect } from 'chai';
import { gaps, rules, runs, testRepeated } from './repeated.js';

describe('the shipped scenarios, played again', () => {
  it('are all of them: demos, rules, and gaps under each reading', () => {
    expect(rules.length).to.be.above(20);
    expect(runs.length).to.be.above(rules.length + gaps.length * 2);
  });
});

testRepeated(runs.filter(({ name }) => name !== 'large'));
