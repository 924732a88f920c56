// Repeats requests that a busy or broken server may have failed: only a repeated failure is trusted.
import type { Received, Target } from '../../server/scenario/play/target.js';

export interface RetryingTarget extends Target {
  /** Requests that failed once and succeeded the second time, a sentence each. */
  readonly chances: readonly string[];
}

export function withRetries(target: Target): RetryingTarget {
  const chances: string[] = [];
  return {
    ...target,
    chances,
    async send(request) {
      const first = await target.send(request);
      if (!isBreakage(first)) return first;
      const second = await target.send(request);
      if (isBreakage(second)) return second;
      if (second.status >= 400) return first; // perhaps refused because the first request was served
      chances.push(`${request.method} ${request.path} got ${first.status}, and ${second.status} when it was repeated`);
      return second;
    },
  };
}

function isBreakage({ status }: Received): boolean {
  return status >= 500 || status === 429 || status === 408;
}
