// Verdicts as a report: a contradiction has failed, what cannot be said was skipped. Knows no format of reports.
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Check, Report } from '../../report/report.js';
import { shortReason, showEvidence } from './render-verdicts.js';
import type { Verdict } from './verdicts.js';

const verdictOf = { conforms: 'passed', contradicts: 'failed', undetermined: 'undetermined' } as const;

export interface ReportOf {
  readonly verdicts: readonly Verdict[];
  readonly url: string;
  readonly known: SomeReadings;
  readonly version: string;
  readonly startedAt: Date;
  /** Milliseconds. */
  readonly duration: number;
}

export function reportOn({ verdicts, url, known, version, startedAt, duration }: ReportOf): Report {
  return {
    tool: 'cwx-fake conform',
    version,
    title: `The rules of the document on ${url}`,
    startedAt: startedAt.toISOString(),
    duration,
    checks: verdicts.map(verdict => checkOf(verdict, url)),
    properties: { target: url, ...known },
  };
}

function checkOf(verdict: Verdict, url: string): Check {
  const { rule, judgement, evidence, duration } = verdict;
  const [first] = evidence;
  const message = shortReason(verdict);
  return {
    suite: rule.split('.')[0] ?? rule,
    name: rule,
    verdict: verdictOf[judgement],
    duration,
    ...(message !== '' && { message }),
    ...(judgement === 'contradicts' && { details: evidence.flatMap(one => showEvidence(one, url)).join('\n') }),
    ...(first !== undefined && { file: first.file, line: first.played.line }),
    labels: [rule],
  };
}
