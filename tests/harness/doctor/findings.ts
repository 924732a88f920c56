// The findings among results of the doctor.
import type { Result } from '../../../harness/doctor/check.js';

export type Finding = Required<Result>;

const isFinding = (result: Result): result is Finding => result.verdict !== 'passed';

/** Those that `--json` has printed. */
export function findingsOf(json: string): readonly Finding[] {
  return (JSON.parse(json) as { checks: readonly Result[] }).checks.filter(isFinding);
}

export async function collected(results: AsyncIterable<Result>): Promise<readonly Finding[]> {
  const all: Result[] = [];
  for await (const result of results) all.push(result);
  return all.filter(isFinding);
}
