// The findings among results of the doctor.
import { expect } from 'chai';
import type { CheckResult } from '../../../harness/doctor/check.js';
import type { Ended } from '../../support/processes/command-line.js';

export type Finding = Required<CheckResult>;

const isFinding = (result: CheckResult): result is Finding => result.verdict !== 'passed';

/** Those that `--json` has printed. */
export function findingsOf(json: string): readonly Finding[] {
  return (JSON.parse(json) as { checks: readonly CheckResult[] }).checks.filter(isFinding);
}

export async function collected(results: AsyncIterable<CheckResult>): Promise<readonly Finding[]> {
  const all: CheckResult[] = [];
  for await (const result of results) all.push(result);
  return all.filter(isFinding);
}

/** Checks that a run with `--json` has one finding, which reads as its check, verdict, message and fix. */
export async function expectFinding(running: Promise<Ended>, finding: RegExp): Promise<void> {
  const { code, stdout, stderr } = await running;
  expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
  const found = findingsOf(stdout).map(({ check, verdict, message, fix }) => `${check} ${verdict}: ${message} ${fix}`);
  expect(found).to.have.length(1);
  expect(found[0]).to.match(finding);
}
