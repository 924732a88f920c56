// The documented statuses of an operation, and the gaps behind others. Independent of readings.

import { defaultReadings, type GapId, isGapId, layReadings, readingNames } from '../../operations/gaps/gaps.js';
import type { Operation } from '../../operations/operation.js';
import { refusalSpec } from '../../operations/refusals.js';
import { refusalsOf, statusUnder } from '../reach.js';

/** The documented statuses with their rules; empty if even the success is a reading. */
export function documentedStatuses(operation: Operation): ReadonlyMap<number, readonly string[]> {
  const statuses = new Map<number, string[]>();
  if (replyGap(operation) !== undefined) return statuses;
  const note = (status: number, rules: readonly unknown[]) =>
    statuses.set(status, [
      ...new Set([...(statuses.get(status) ?? []), ...rules.filter(rule => typeof rule === 'string')]),
    ]);
  for (const { status, body } of operation.replies) note(status, [body?.['x-rule']]);
  for (const { code } of refusalsOf(operation)) {
    const { status, rules = [], gap } = refusalSpec(code);
    const own = rules.filter(rule => Object.hasOwn(operation.rules, rule));
    if (gap === undefined && own.length > 0) note(Number(status), own);
  }
  return statuses;
}

/** The gap that decides the response of success; none if it is documented. */
export function replyGap({ replies }: Operation): GapId | undefined {
  return replies.flatMap(({ under = {} }) => Object.keys(under)).find(isGapId);
}

/** The gaps whose readings can refuse with a status. */
export function refusalGaps(operation: Operation, status: number): GapId[] {
  const gaps = refusalsOf(operation).flatMap(({ code }) => {
    const { gap } = refusalSpec(code);
    return gap !== undefined && canBe(code, gap, status) ? [gap] : [];
  });
  return [...new Set(gaps)];
}

function canBe(code: Parameters<typeof statusUnder>[0], gap: GapId, status: number): boolean {
  return readingNames(gap).some(
    reading => statusUnder(code, layReadings(defaultReadings, { [gap]: reading })) === status,
  );
}
