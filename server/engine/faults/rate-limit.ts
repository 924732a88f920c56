// Rate limits by caller, in the time of the sandbox: a window begins with a caller's first request, and the next one after it has ended. Pure.
import { type Allowance, type Armable, type Armed, rateLimitOf } from './armed.js';

/** A request that a rate limit counts. */
export interface Counted {
  /** User name; `anonymous` for everyone without valid credentials. */
  readonly caller: string;
  /** The time of the sandbox. */
  readonly at: string;
}

/** The armed faults or stubs that match a request, by index. */
export interface ArmedMatches {
  readonly matched: readonly number[];
  /** The one that fires: the first that is due. */
  readonly fired?: number;
  /** Who asked and when; absent unless a matching one is a rate limit. */
  readonly counted?: Counted;
}

/** Whether the limit refuses the request: its caller has used up the window. */
export function isOverLimit(armed: Armed<Armable>, counted: Counted): boolean {
  const rateLimit = rateLimitOf(armed);
  return rateLimit !== undefined && allowanceOf(armed, counted).used >= rateLimit.limit;
}

/** The allowances after the request; those whose windows have ended are left out. */
export function afterCounting(armed: Armed<Armable>, counted: Counted): readonly Allowance[] {
  if (isOverLimit(armed, counted)) return armed.callers ?? [];
  const { used, ...own } = allowanceOf(armed, counted);
  const others = (armed.callers ?? []).filter(one => one.caller !== own.caller && isOpen(armed, one, counted));
  return [...others, { ...own, used: used + 1 }];
}

/** The headers of Jira Data Center for a request that the limit has counted, with `Retry-After` if it was refused. */
export function limitHeaders(armed: Armed<Armable>, counted: Counted): Record<string, string> {
  const { limit, window } = rateLimitOf(armed) ?? { limit: 0, window: 0 };
  const { used, since } = allowanceOf(armed, counted);
  const left = Date.parse(since) + window * 1000 - Date.parse(counted.at);
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, limit - used - 1)),
    'X-RateLimit-FillRate': String(limit),
    'X-RateLimit-Interval-Seconds': String(window),
    ...(used >= limit && { 'Retry-After': String(Math.ceil(left / 1000)) }),
  };
}

function allowanceOf(armed: Armed<Armable>, counted: Counted): Allowance {
  const known = armed.callers?.find(({ caller }) => caller === counted.caller);
  if (known !== undefined && isOpen(armed, known, counted)) return known;
  return { caller: counted.caller, since: counted.at, used: 0 };
}

/** A clock that is set back begins a new window. */
function isOpen(armed: Armed<Armable>, { since }: Allowance, { at }: Counted): boolean {
  const elapsed = Date.parse(at) - Date.parse(since);
  return elapsed >= 0 && elapsed < (rateLimitOf(armed)?.window ?? 0) * 1000;
}
