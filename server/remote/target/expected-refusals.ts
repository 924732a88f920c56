// Which answers refuse a request, and which steps expect just that.
import type { Expectation } from '../../scenario/format/step-format.js';
import { answerDifferences } from '../../scenario/play/judging.js';

export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Whether only a refusal is expected. */
export function isToBeRefused(expect: Expectation | undefined): boolean {
  return mayBeRefused(expect) && ![200, 201, 204].some(status => isExpected(expect, status));
}

/** Whether a refusal is expected, too. */
export function mayBeRefused(expect: Expectation | undefined): boolean {
  return [400, 401, 403, 404, 405, 409, 415].some(status => isExpected(expect, status));
}

function isExpected(expect: Expectation | undefined, status: number): boolean {
  if (expect?.status === undefined) return false;
  return answerDifferences({ status: expect.status }, { status, headers: {}, text: '' }).length === 0;
}

/** Whether any refusal is expected that a path which is not served may have: what is answered in another way was not refused for that. */
export function isOfAnyStatus(expect: Expectation | undefined): boolean {
  return [400, 401, 403, 404, 405].every(status => isExpected(expect, status));
}
