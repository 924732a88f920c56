// The check finds each way in which a store can break its promise.
import { expect } from 'chai';
import { check, type Entry, type Operation } from './check.js';

const initial = { a: 'x', b: 'x' };
const operations: readonly Operation[] = [
  { tag: 'w1', change: { cell: 'a', to: '1' }, began: 1, ended: 2, entry: 1, isDone: true },
  { tag: 'w2', change: { cell: 'a', from: '1', to: '2' }, began: 3, ended: 6, entry: 2, isDone: true },
  { tag: 'r1', began: 4, ended: 5, cells: { a: '1', b: 'x' } },
  { tag: 'w3', change: { cell: 'a', from: '1', to: '3' }, began: 7, ended: 8, entry: 3, isDone: false },
  { tag: 'w4', change: { cell: 'b', to: '4' }, began: 9 },
  { tag: 'r2', began: 10, ended: 11, cells: { a: '2', b: '4' } },
];
const journal: readonly Entry[] = [
  { id: 1, tag: 'w1', isDone: true, before: 0, version: 1 },
  { id: 2, tag: 'w2', isDone: true, before: 1, version: 2 },
  { id: 3, tag: 'w3', isDone: false, before: 2, version: 2 },
  { id: 4, tag: 'w4', isDone: true, before: 2, version: 3 },
];
const but = <T extends { tag: string }>(all: readonly T[], tag: string, other: Partial<T>) =>
  all.map(one => (one.tag === tag ? { ...one, ...other } : one));

describe('the check of a history', () => {
  it('finds nothing in one that is linearizable, with unknown outcomes or without', () => {
    expect(check(initial, operations, journal)).to.deep.equal([]);
    const never = but(operations, 'r2', { cells: { a: '2', b: 'x' } });
    expect(check(initial, never, journal.slice(0, 3))).to.deep.equal([]);
  });

  type Spoiled = readonly [finding: RegExp, journal?: readonly Entry[], operations?: readonly Operation[]];
  const twice = { id: 5, tag: 'w4', isDone: true, before: 3, version: 4 };
  const backwards = { began: 5.5, ended: 5.6, cells: { a: 'x', b: 'x' } };
  const spoiled: Readonly<Record<string, Spoiled>> = {
    'a lost change': [/^w3 was acknowledged as entry 3, which is undefined/, journal.slice(0, 2)],
    'a change that was applied twice': [/^w4 was applied twice/, [...journal, twice]],
    'a change that was not asked for': [/^entry 4 is w9/, but(journal, 'w4', { tag: 'w9' })],
    'a hole': [/^entry 5 is at place 4/, but(journal, 'w4', { id: 5 })],
    'another outcome': [/^w3 was acknowledged with another/, journal, but(operations, 'w3', { isDone: true })],
    'a condition that was ignored': [/^entry 3 \(w3\) was done, and a was "2"/, but(journal, 'w3', { isDone: true })],
    'a decision on an old state': [/^entry 3 \(w3\) was decided on version 1/, but(journal, 'w3', { before: 1 })],
    'a version that does not count': [/^entry 4 \(w4\) left version 2/, but(journal, 'w4', { version: 2 })],
    'changes out of order': [/^entry 1 \(w1\) comes bef/, journal, but(operations, 'w1', { began: 20, ended: 21 })],
    'a stale read': [/^r1 read/, journal, but(operations, 'r1', { began: 7, ended: 8 })],
    'a read of the future': [/^r1 read/, journal, but(operations, 'r1', { cells: { a: '1', b: '4' } })],
    'reads that go back': [/^r2 read/, journal, but(operations, 'r2', backwards)],
  };
  for (const [title, [finding, written = journal, asked = operations]] of Object.entries(spoiled))
    it(`finds ${title}`, () => {
      expect(check(initial, asked, written).join('\n')).to.match(finding);
    });
});
