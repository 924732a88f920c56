// Correct histories, made by hand: what the check must accept, and how the search proceeds.
import { expect } from 'chai';
import {
  asking,
  CELL,
  done,
  FLAG,
  findings,
  history,
  joining,
  journal,
  leaving,
  look,
  missed,
  saw,
  write,
} from './by-hand.js';
import { check } from './check.js';
import type { ApiResponse, Asked, Operation } from './history.js';
import { search } from './search.js';

describe('the check of linearizability', () => {
  describe('accepts', () => {
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
      const { findings: found, doneUnknown } = check([
        history(operations, journal(['d', 'done', 0], ['a', 'done', 1])),
      ]);
      expect({ found, doneUnknown }).to.deep.equal({ found: [], doneUnknown: 1 });
    });

    it('an entry that was read several times and is the same each time', () => {
      const written = journal(['a', 'done', 0]);
      expect(findings([asking('a', write('1'), [1, 2], done(1))], [...written, ...written])).to.deep.equal([]);
    });
  });
});

describe('the search of an order', () => {
  const verdict = (operations: readonly Operation[], most?: number) => search(CELL, '', operations, most).verdict;

  it('goes back if the first choice leads nowhere', () => {
    const operations = [
      asking('a', write('1'), [1, 20], done(0)),
      asking('b', write('2'), [2, 19], done(0)),
      asking('c', write('3'), [3, 18], done(0)),
      asking('d', look, [21, 22], saw('2')),
    ];
    expect(verdict(operations)).to.equal('linearizable');
  });

  it('uses an operation with unknown outcome where, and only where, it is needed', () => {
    const unknown = asking('a', write('1'), [1]);
    expect(verdict([unknown, asking('b', look, [2, 3], saw(''))])).to.equal('linearizable');
    expect(verdict([unknown, asking('b', look, [2, 3], saw('')), asking('c', look, [4, 5], saw('1'))])).to.equal(
      'linearizable',
    );
    expect(verdict([unknown, asking('b', look, [2, 3], saw('1')), asking('c', look, [4, 5], saw(''))])).to.equal(
      'not-linearizable',
    );
  });

  it('uses it only once', () => {
    const operations = [
      asking('a', write('1'), [1]),
      asking('b', look, [2, 3], saw('1')),
      asking('c', write('2'), [4, 5], done(0)),
      asking('d', look, [6, 7], saw('1')),
    ];
    expect(verdict(operations)).to.equal('not-linearizable');
  });

  it('handles repeated values', () => {
    const swap = (tag: string, asked: Asked, span: readonly [number, number], response: ApiResponse) =>
      asking(tag, asked, span, response);
    const flags = (last: ApiResponse) =>
      search(FLAG, 'out', [
        swap('a', joining, [1, 6], done(0)),
        swap('b', leaving, [2, 5], done(0)),
        swap('c', joining, [3, 4], done(0)),
        swap('d', leaving, [7, 8], last),
      ]).verdict;
    expect(flags(done(0))).to.equal('linearizable');
    expect(flags(missed(0))).to.equal('not-linearizable');
  });

  it('reports when it gives up', () => {
    const writes = Array.from({ length: 8 }, (_, i) => asking(`w${i}`, write(String(i)), [i + 1, 100 + i], done(0)));
    const never = asking('r', look, [200, 201], saw('never'));
    expect(verdict([...writes, never], 100)).to.equal('undecided');
    expect(verdict([...writes, never])).to.equal('not-linearizable');
  });

  it('finds an order of a thousand operations, always ten at a time', () => {
    const writes = Array.from({ length: 1000 }, (_, i) => {
      const last = i * 10 + 105;
      return [
        asking(`w${i}`, write(String(i)), [i * 10, last], done(0)),
        asking(`r${i}`, look, [last - 8, last + 1], saw(String(i))),
      ];
    });
    expect(verdict(writes.flat())).to.equal('linearizable');
  });
});
