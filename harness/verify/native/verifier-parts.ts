// Runs Pact's verifier so that an interaction that ends it, or that it rejects, costs only its own result.
import { Unverifiable } from '../providers/provider.js';
import type { NativeResult } from './verifier.js';

/** After this number of failures the verifier itself is the reason, and the others are not tried. */
const MAX_FAILURES = 20;

/** Results by key. If a run fails, its two halves are run on their own, down to the item that is the reason. */
export function runInParts<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  run: (items: readonly T[]) => Promise<ReadonlyMap<string, NativeResult>>,
): Promise<ReadonlyMap<string, NativeResult>> {
  let failures = 0;
  const runPart = async (part: readonly T[]): Promise<ReadonlyMap<string, NativeResult>> => {
    try {
      return await run(part);
    } catch (error) {
      if (!(error instanceof Unverifiable) || error.failure === undefined) throw error;
      failures += 1;
      const half = Math.ceil(part.length / 2);
      if (part.length > 1 && failures <= MAX_FAILURES)
        return new Map([...(await runPart(part.slice(0, half))), ...(await runPart(part.slice(half)))]);
      const failed = { passed: false, differences: [], error: error.failure, duration: 0 };
      return new Map(part.map(item => [keyOf(item), failed]));
    }
  };
  return runPart(items);
}
