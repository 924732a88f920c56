// Compares the search of an order with one that tries every order, on small random histories.
import { expect } from 'chai';
import fc from 'fast-check';
import { step } from './cell.js';
import type { ApiResponse, Asked, Operation } from './history.js';
import { search } from './search.js';

const CELL = 'link ds/a';
const value = fc.constantFrom('', '1', '2');
const change: fc.Arbitrary<Asked> = fc.oneof(
  value.map((written): Asked => ({ kind: 'write', cell: CELL, value: written })),
  fc.tuple(value, value).map(([from, to]): Asked => ({ kind: 'swap', cell: CELL, from, to })),
);
const outcome: fc.Arbitrary<{ readonly asked: Asked; readonly response?: ApiResponse }> = fc.oneof(
  fc.record({
    asked: change,
    response: fc.constantFrom<ApiResponse>({ kind: 'done', entry: 0 }, { kind: 'missed', entry: 0 }),
  }),
  fc.record({ asked: change }),
  value.map(seen => ({
    asked: { kind: 'look' } as const,
    response: { kind: 'cells', cells: new Map([[CELL, seen]]) } as const,
  })),
);
const operations = fc.array(fc.tuple(outcome, fc.nat(20), fc.nat(8)), { maxLength: 5 }).map(list =>
  list.map(([{ asked, response }, at, length], i): Operation => {
    const began = at * 10 + i; // no two moments are the same
    const ended = response === undefined ? {} : { response, ended: (at + length) * 10 + i + 0.5 };
    return { tag: String(i), sandbox: 's', by: 'somebody', asked, began, ...ended };
  }),
);

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

describe('the search of an order, on any small history', () => {
  it('finds one just if one exists', () => {
    const verdicts = { linearizable: 0, 'not-linearizable': 0, undecided: 0 };
    fc.assert(
      fc.property(operations, list => {
        const { verdict } = search(CELL, '', list);
        verdicts[verdict] += 1;
        expect(verdict).to.equal(hasOrder('', list) ? 'linearizable' : 'not-linearizable');
      }),
      { numRuns: 5000 },
    );
    expect(verdicts.linearizable).to.be.above(100);
    expect(verdicts['not-linearizable']).to.be.above(100);
  });
});
