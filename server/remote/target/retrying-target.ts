// Repeats requests that break or fail: only repeated answers are trusted.
import type { HttpRequest } from '../../derive/sending/call.js';
import type { Received, Target } from '../../scenario/play/target.js';

export interface RetryingTarget extends Target {
  /** Requests with two different answers, one sentence each. */
  readonly chances: readonly string[];
  /** Whether this answer needed a second request. */
  isSecond(answer: Received | undefined): boolean;
  /** Whether it is the answer of a server that broke, and did something else when it was asked again: then it may be chance. */
  isUnsettled(answer: Received | undefined): boolean;
  /** Records two different answers to the same request. */
  note(request: Pick<HttpRequest, 'method' | 'path'>, first: number, second: number): void;
}

export function withRetries(target: Target): RetryingTarget {
  if (isRetrying(target)) return target;
  const second = new WeakSet<Received>();
  const unsettled = new WeakSet<Received>();
  const chances: string[] = [];
  const note: RetryingTarget['note'] = ({ method, path }, first, then) => {
    const how = first === then ? 'otherwise' : `with ${then}`;
    chances.push(`${method} ${path} was answered with ${first}, and ${how} when it was asked again`);
  };
  return {
    ...target,
    chances,
    isSecond: answer => answer !== undefined && second.has(answer),
    isUnsettled: answer => answer !== undefined && unsettled.has(answer),
    note,
    async send(request) {
      const answer = await target.send(request);
      if (!isBreakage(answer)) return answer;
      const again = await target.send(request);
      if (isBreakage(again)) return again;
      if (again.status >= 400) {
        unsettled.add(answer); // that it is refused now may be because it was done before
        const third = await target.send(request);
        if (isBreakage(third)) note(request, again.status, third.status); // no earlier request explains the difference
        return answer;
      }
      second.add(again);
      note(request, answer.status, again.status);
      return again;
    },
  };
}

function isRetrying(target: Target): target is RetryingTarget {
  return 'chances' in target;
}

/** Answers that may come from a busy or broken server rather than the request. */
function isBreakage({ status }: Received): boolean {
  return status >= 500 || status === 429 || status === 408;
}
