// The rule of an operation that an unsuitable request violates.
import type { Operation } from '../../operations/operation.js';

/** The operation's main rule: the one of its own name, or the first about its effect. */
export function ownRule({ id, rules }: Operation): string | undefined {
  if (Object.hasOwn(rules, id)) return id;
  const all = Object.entries(rules);
  return (all.find(([, { effect }]) => effect) ?? all[0])?.[0];
}

/** The rule that forbids a body for an operation without one. */
export function queryOnlyRule(operation: Operation): string | undefined {
  const rule = `${operation.id}-query-only`;
  return Object.hasOwn(operation.rules, rule) ? rule : ownRule(operation);
}
