// Correct histories, made by hand, which the check must accept.
import { expect } from 'chai';
import { asking, done, findings, history, joining, journal, leaving, look, missed, saw, write } from './by-hand.js';
import { check } from './check.js';

describe('the check of linearizability accepts', () => {
  it('operations one after the other', () => {
    const operations = [
      asking('a', write('1'), [1, 2], done(1)),
      asking('b', joining, [3, 4], done(2)),
      asking('c', joining, [5, 6], missed(3)),
      asking('d', look, [7, 8], saw('1', 'in')),
      asking('e', leaving, [9, 10], done(4)),
      asking('f', { kind: 'count' }, [11, 12], { kind: 'number', number: 3 }),
      asking('g', { kind: 'recall' }, [13, 14], { kind: 'number', number: 4 }),
    ];
    const written = journal(['a', 'done', 0], ['b', 'done', 1], ['c', 'missed', 2], ['e', 'done', 2]);
    expect(findings(operations, written)).to.deep.equal([]);
  });

  it('operations at the same time in another order than they began', () => {
    const operations = [
      asking('a', write('1'), [1, 10], done(2)),
      asking('b', write('2'), [2, 9], done(1)),
      asking('c', look, [3, 8], saw('')),
      asking('d', look, [4, 7], saw('1')),
      asking('e', look, [11, 12], saw('1')),
    ];
    expect(findings(operations, journal(['b', 'done', 0], ['a', 'done', 1]))).to.deep.equal([]);
  });

  it('a change done long after its connection was lost, and one never done', () => {
    const operations = [
      asking('a', write('1'), [1]),
      asking('b', write('2'), [2]),
      asking('c', look, [3, 4], saw('')),
      asking('d', write('3'), [5, 6], done(1)),
      asking('e', look, [7, 8], saw('1')),
      asking('f', look, [9]),
    ];
    const { findings: found, doneUnknown } = check([history(operations, journal(['d', 'done', 0], ['a', 'done', 1]))]);
    expect({ found, doneUnknown }).to.deep.equal({ found: [], doneUnknown: 1 });
  });

  it('an entry that was read several times and is the same each time', () => {
    const written = journal(['a', 'done', 0]);
    expect(findings([asking('a', write('1'), [1, 2], done(1))], [...written, ...written])).to.deep.equal([]);
  });
});
