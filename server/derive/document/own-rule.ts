// Which rule of an operation a contract goes against that asks for something else than the operation. Reads the ledger only.
import type { Operation } from '../../operations/operation.js';

/** The rule that says what the operation is: that of its own name, or the first that says what it brings about. */
export function ownRule({ id, rules }: Operation): string | undefined {
  if (Object.hasOwn(rules, id)) return id;
  const all = Object.entries(rules);
  return (all.find(([, { effect }]) => effect) ?? all[0])?.[0];
}

/** The rule by which an operation that declares no body takes none. */
export function queryOnlyRule(operation: Operation): string | undefined {
  const rule = `${operation.id}-query-only`;
  return Object.hasOwn(operation.rules, rule) ? rule : ownRule(operation);
}
