// The whole check of the requests to some sandboxes: the journal is an order of all changes, and each read has a place in it.
import { orderOf } from './entries.js';
import type { SandboxHistory } from './history.js';
import { misplacedReads } from './reads.js';

export interface Checked {
  readonly findings: readonly string[];
  /** Changes with unknown outcome that were done after all. */
  readonly doneUnknown: number;
  readonly entries: number;
}

export function check(histories: readonly SandboxHistory[]): Checked {
  const orders = histories.map(history => ({ history, order: orderOf(history) }));
  const entries = orders.flatMap(({ order }) => order.entries);
  return {
    findings: orders.flatMap(({ history: { sandbox, operations }, order }) => [
      ...order.findings,
      ...misplacedReads(sandbox, order, operations),
    ]),
    doneUnknown: entries.filter(({ operation }) => operation.ended === undefined).length,
    entries: entries.length,
  };
}
