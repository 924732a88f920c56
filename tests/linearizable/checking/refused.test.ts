// Wrong histories, made by hand, each wrong in one way, and the errors that the check reports.
import { expect } from 'chai';
import { asking, done, findings, joining, journal, look, missed, saw, write } from './by-hand.js';
import type { Operation, Written } from './history.js';

describe('the check of linearizability refuses', () => {
  const refused: ReadonlyArray<
    readonly [title: string, operations: readonly Operation[], written: readonly Written[], says: readonly string[]]
  > = [
    [
      'a lost update, of which the journal knows nothing',
      [asking('a', write('1'), [1, 2], done(1)), asking('b', write('2'), [3, 4], done(2))],
      journal(['a', 'done', 0]),
      ['s: lost, the journal ends with entry 1: b [lane b: write link ds/a = "2"; 3 to 4: done, entry 2]'],
    ],
    [
      'a lost update: two that both found the same before them',
      [asking('a', joining, [1, 4], done(1)), asking('b', joining, [2, 3], done(2))],
      journal(['a', 'done', 0], ['b', 'done', 1]),
      [
        's: entry 2, b [lane b: swap member customers/alice "out" for "in"; 2 to 3: done, entry 2] says done, and member customers/alice was "in" since entry 1',
        's: entry 2, b [lane b: swap member customers/alice "out" for "in"; 2 to 3: done, entry 2] takes version 1 to 2, and the cell from "in" to "in"',
      ],
    ],
    [
      'a stale read',
      [
        asking('a', write('1'), [1, 2], done(1)),
        asking('b', write('2'), [3, 4], done(2)),
        asking('c', look, [5, 6], saw('1')),
      ],
      journal(['a', 'done', 0], ['b', 'done', 1]),
      [
        's: c [lane c: look; 5 to 6: 2 cells] saw link ds/a = "1" (so from entry 1 to entry 2); it began when place 2 was reached by b [lane b: write link ds/a = "2"; 3 to 4: done, entry 2]',
      ],
    ],
    [
      'a read that goes back behind one before it',
      [
        asking('a', write('1'), [1, 10], done(1)),
        asking('b', look, [2, 3], saw('1')),
        asking('c', look, [4, 5], saw('')),
      ],
      journal(['a', 'done', 0]),
      [
        's: c [lane c: look; 4 to 5: 2 cells] saw link ds/a = "" (so from entry 0 to entry 1); it began when place 1 was reached by b [lane b: look; 2 to 3: 2 cells]',
      ],
    ],
    [
      'a read of what comes later',
      [asking('a', look, [1, 2], saw('1')), asking('b', write('1'), [3, 4], done(1))],
      journal(['b', 'done', 0]),
      [
        's: a [lane a: look; 1 to 2: 2 cells] saw link ds/a = "1" (so from entry 1 on); it was over when entry 1 began: b [lane b: write link ds/a = "1"; 3 to 4: done, entry 1]',
      ],
    ],
    [
      'a read of two cells as they never were together',
      [
        asking('a', write('1'), [1, 2], done(1)),
        asking('b', joining, [3, 10], done(2)),
        asking('c', write('2'), [4, 9], done(3)),
        asking('d', look, [5, 8], saw('2', 'out')),
      ],
      journal(['a', 'done', 0], ['b', 'done', 1], ['c', 'done', 2]),
      [
        's: d [lane d: look; 5 to 8: 2 cells] saw cells that were never so together; it began when place 1 was reached by a [lane a: write link ds/a = "1"; 1 to 2: done, entry 1]',
      ],
    ],
    [
      'a change that is applied twice',
      [asking('a', write('1'), [1, 2], done(1)), asking('b', write('2'), [3, 4], done(2))],
      [...journal(['a', 'done', 0], ['b', 'done', 1], ['a', 'done', 2])],
      [
        's: applied twice, as entries 1 and 3: a [lane a: write link ds/a = "1"; 1 to 2: done, entry 1]',
        'entry 2 comes before entry 3, and began when that was over: b [lane b: write link ds/a = "2"; 3 to 4: done, entry 2], a [lane a: write link ds/a = "1"; 1 to 2: done, entry 1]',
      ],
    ],
    [
      'changes in another order than they were answered in',
      [asking('a', write('1'), [1, 2], done(2)), asking('b', write('2'), [3, 4], done(1))],
      journal(['b', 'done', 0], ['a', 'done', 1]),
      [
        'entry 1 comes before entry 2, and began when that was over: b [lane b: write link ds/a = "2"; 3 to 4: done, entry 1], a [lane a: write link ds/a = "1"; 1 to 2: done, entry 2]',
      ],
    ],
    [
      'a response of unknown outcome that was done before it was asked',
      [asking('a', look, [1, 2], saw('1')), asking('b', write('1'), [3])],
      journal(['b', 'done', 0]),
      [
        's: a [lane a: look; 1 to 2: 2 cells] saw link ds/a = "1" (so from entry 1 on); it was over when entry 1 began: b [lane b: write link ds/a = "1"; 3 to never: outcome unknown]',
      ],
    ],
    [
      'what says that it did nothing, and did it',
      [asking('a', write('1'), [1, 2], { kind: 'refused' })],
      journal(['a', 'done', 0]),
      ['s: done as entry 1: a [lane a: write link ds/a = "1"; 1 to 2: refused]'],
    ],
    [
      'a journal with a hole',
      [asking('a', write('1'), [1, 2], done(1)), asking('b', write('2'), [3, 4], done(3))],
      [
        { id: 1, tag: 'a', kind: 'done', before: 0, version: 1 },
        { id: 3, tag: 'b', kind: 'done', before: 1, version: 2 },
      ],
      [
        's: there is no entry 2, and there is an entry 3',
        's: lost, the journal ends with entry 1: b [lane b: write link ds/a = "2"; 3 to 4: done, entry 3]',
      ],
    ],
    [
      'an entry that replicas tell differently',
      [asking('a', write('1'), [1, 2], done(1))],
      [
        { id: 1, tag: 'a', kind: 'done', before: 0, version: 1 },
        { id: 1, tag: 'a', kind: 'done', before: 3, version: 4 },
      ],
      ['s: entry 1 is reported as a done 0 to 1 and as a done 3 to 4'],
    ],
    [
      'a number that two responses name',
      [asking('a', write('1'), [1, 3], done(1)), asking('b', write('2'), [2, 4], done(1))],
      journal(['a', 'done', 0], ['b', 'done', 1]),
      [
        's: entry 1 is that of a [lane a: write link ds/a = "1"; 1 to 3: done, entry 1], and also that of b [lane b: write link ds/a = "2"; 2 to 4: done, entry 1]',
      ],
    ],
    [
      'a response that the journal has otherwise',
      [asking('a', joining, [1, 2], missed(1))],
      journal(['a', 'done', 0]),
      ['s: entry 1 says done: a [lane a: swap member customers/alice "out" for "in"; 1 to 2: missed, entry 1]'],
    ],
    [
      'an entry that nobody asked for',
      [],
      journal(['x', 'done', 0]),
      ['s: entry 1 tells of x, which nobody asked for'],
    ],
    [
      'versions that do not follow one another',
      [asking('a', write('1'), [1, 2], done(1)), asking('b', write('2'), [3, 4], done(2))],
      journal(['a', 'done', 0], ['b', 'done', 0]),
      [
        's: entry 2, b [lane b: write link ds/a = "2"; 3 to 4: done, entry 2] was decided on version 0, and the entry before left version 1',
      ],
    ],
    [
      'a version, and a number of the latest entry, from before what was answered',
      [
        asking('a', write('1'), [1, 2], done(1)),
        asking('b', { kind: 'count' }, [3, 4], { kind: 'number', number: 0 }),
        asking('c', { kind: 'recall' }, [5, 6], { kind: 'number', number: 0 }),
      ],
      journal(['a', 'done', 0]),
      [
        's: b [lane b: count; 3 to 4: 0] began when place 1 was reached by a [lane a: write link ds/a = "1"; 1 to 2: done, entry 1]',
        's: c [lane c: recall; 5 to 6: 0] began when place 1 was reached by a [lane a: write link ds/a = "1"; 1 to 2: done, entry 1]',
      ],
    ],
  ];
  for (const [title, operations, written, says] of refused)
    it(title, () => expect(findings(operations, written)).to.deep.equal(says));
});
