// What the check accepts is linearizable: some order of the operations is correct. Small random histories, and every order tried.
import { expect } from 'chai';
import fc from 'fast-check';
import { asking, CELL, findings, saw } from './by-hand.js';
import { type Change, step } from './cell.js';
import type { Operation, Written } from './history.js';

const value = fc.constantFrom('', '1', '2');
const change: fc.Arbitrary<Change> = fc.oneof(
  value.map((written): Change => ({ kind: 'write', cell: CELL, value: written })),
  fc.tuple(value, value).map(([from, to]): Change => ({ kind: 'swap', cell: CELL, from, to })),
);
const span = fc.tuple(fc.nat(20), fc.nat(8)).map(([began, lasts]) => [began, began + lasts] as const);
const changes = fc.array(fc.record({ change, span, isAnswered: fc.boolean() }), { maxLength: 3 });
const reads = fc.array(fc.record({ seen: value, span }), { maxLength: 3 });

/** The changes are in the journal in the order in which they are given, whenever they were asked for; the reads saw anything. */
const histories = fc.tuple(changes, reads).map(([asked, looks]) => {
  let [current, version] = ['', 0];
  const written: Written[] = [];
  const operations = asked.map(({ change, span, isAnswered }, i): Operation => {
    const { value: after, kind } = step(current, change);
    const before = version;
    if (after !== current) version += 1;
    current = after;
    written.push({ id: i + 1, tag: `c${i}`, kind, before, version });
    return asking(`c${i}`, change, isAnswered ? span : [span[0]], { kind, entry: i + 1 });
  });
  const looking = looks.map(({ seen, span }, i) => asking(`r${i}`, { kind: 'look' }, span, saw(seen)));
  return { operations: [...operations, ...looking], written };
});

/** Whether some order of them is correct, by trying all. */
function hasOrder(current: string, left: readonly Operation[]): boolean {
  if (left.every(({ ended }) => ended === undefined)) return true;
  return left.some(operation => {
    const others = left.filter(other => other !== operation);
    if (others.some(({ ended }) => ended !== undefined && ended < operation.began)) return false;
    const { asked, response } = operation;
    if (response?.kind === 'cells') return response.cells.get(CELL) === current && hasOrder(current, others);
    if (!('cell' in asked)) return false;
    const { value: after, kind } = step(current, asked);
    return (response === undefined || response.kind === kind) && hasOrder(after, others);
  });
}

describe('the check of linearizability, on any small history', () => {
  it('accepts only what has a correct order', () => {
    const counts = { accepted: 0, wrong: 0 };
    fc.assert(
      fc.property(histories, ({ operations, written }) => {
        const isRight = hasOrder('', operations);
        if (!isRight) counts.wrong += 1;
        if (findings(operations, written).length > 0) return;
        counts.accepted += 1;
        expect(isRight).to.equal(true);
      }),
      { numRuns: 5000 },
    );
    expect(counts.accepted).to.be.above(100);
    expect(counts.wrong).to.be.above(100);
  });
});
