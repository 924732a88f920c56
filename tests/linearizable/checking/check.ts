// The whole check of the requests to some sandboxes: by the journal's order, and independently by a search for an order of each cell.
import { orderOf } from './entries.js';
import type { SandboxHistory } from './history.js';
import { misplacedReads } from './reads.js';
import { search } from './search.js';

export interface Checked {
  readonly findings: readonly string[];
  /** Changes with unknown outcome that were done after all. */
  readonly doneUnknown: number;
  readonly entries: number;
  /** Cells for which an order was searched, and those for which the search gave up. */
  readonly searched: number;
  readonly undecided: readonly string[];
}

export function check(histories: readonly SandboxHistory[]): Checked {
  const findings: string[] = [];
  const undecided: string[] = [];
  let [entries, doneUnknown, searched] = [0, 0, 0];
  for (const history of histories) {
    const { sandbox, operations, cells } = history;
    const order = orderOf(history);
    findings.push(...order.findings, ...misplacedReads(sandbox, order, operations));
    entries += order.entries.length;
    doneUnknown += order.entries.filter(({ operation }) => operation.ended === undefined).length;
    for (const [cell, value] of cells) {
      const { verdict, clash } = search(cell, value, operations);
      searched += 1;
      if (verdict === 'undecided') undecided.push(`${sandbox}: ${cell}`);
      if (clash !== undefined) findings.push(`${sandbox}: no order of the operations on ${clash}`);
    }
  }
  return { findings, doneUnknown, entries, searched, undecided };
}
