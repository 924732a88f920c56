// A check with its fix, and how checks become results.

export interface SetupCheck<Of> {
  readonly name: string;
  /** `failed`: `serve` would fail, or would let strangers in. `warning`: it works, at a risk. Default: `failed`. */
  readonly level?: 'warning' | 'failed';
  readonly fix: string | ((of: Of) => string);
  /** Whether there is something to check. Default: always. */
  concerns?(of: Of): boolean;
  /** A value worth knowing if there is no problem. */
  shows?(of: Of): string;
  /** What is wrong, in a sentence each, with a fix that differs from the usual one. */
  problems(of: Of): SetupProblem | Promise<SetupProblem>;
}

export type SetupProblem = readonly string[] | string | Pick<CheckResult, 'message' | 'fix'> | false | undefined;

export interface CheckResult {
  readonly check: string;
  readonly verdict: 'passed' | 'warning' | 'failed';
  readonly message?: string;
  /** Present unless it passed. */
  readonly fix?: string;
}

/** One result for each problem, or for each check without one, as they come. */
export async function* resultsOf<Of>(checks: ReadonlyArray<SetupCheck<Of>>, of: Of): AsyncGenerator<CheckResult> {
  for (const { name: check, level = 'failed', fix, concerns, shows, problems } of checks) {
    if (concerns?.(of) === false) continue;
    const found = [(await problems(of)) || []].flat();
    if (found.length === 0) yield { check, verdict: 'passed', ...(shows && { message: shows(of) }) };
    const usual = typeof fix === 'string' ? fix : fix(of);
    for (const one of found)
      yield { check, verdict: level, fix: usual, ...(typeof one === 'string' ? { message: one } : one) };
  }
}

/** `the key does not match` as `The key does not match.` Names at the beginning stay as they are. */
export function sentence(clause: string): string {
  return `${clause.replace(/^[a-z](?=[a-z]* )/, first => first.toUpperCase())}${clause.endsWith('.') ? '' : '.'}`;
}
