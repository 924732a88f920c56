// The error with which a promise must be rejected.
import { expect } from 'chai';

/** The error, which is of a kind; fails where there is none, or another. */
export async function failure<E extends Error>(
  promise: Promise<unknown>,
  kind: abstract new (...args: never[]) => E,
): Promise<E> {
  const outcome = await promise.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome))
    expect.fail(`it did not fail, and gave ${String(JSON.stringify(outcome.value)).slice(0, 1000)}`);
  expect(outcome.error).to.be.instanceOf(kind);
  return outcome.error as E; // as was just found
}
