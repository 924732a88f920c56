// Verdicts as a report and as JSON: an open attack fails, an inapplicable or unfinished one is undetermined.
import type { Check, Report } from '../report/report.js';
import type { Verdict } from './attack.js';

/** Maximum shown trials of an open attack. */
const MAX_SHOWN = 3;
const verdictOf = {
  passed: 'passed',
  open: 'failed',
  'not applicable': 'undetermined',
  'not finished': 'undetermined',
  'failed to ask': 'failed',
} as const;

export interface ReportOf {
  readonly verdicts: readonly Verdict[];
  readonly url: string;
  readonly version: string;
  readonly startedAt: Date;
  /** Milliseconds. */
  readonly duration: number;
}

export function reportOn({ verdicts, url, version, startedAt, duration }: ReportOf): Report {
  return {
    tool: 'cwx-fake doctor',
    version,
    title: `How safe ${url} is`,
    startedAt: startedAt.toISOString(),
    duration,
    checks: verdicts.map(checkOf),
    properties: { target: url },
  };
}

/** The output of `--json`: every attack with all trials. */
export function jsonOf({ verdicts, url, version, startedAt }: ReportOf): object {
  return {
    target: url,
    version,
    startedAt: startedAt.toISOString(),
    attacks: verdicts.map(({ attack: { name, defends, tries, remedy }, judgement, says, trials }) => ({
      name,
      judgement,
      says,
      defends,
      tries,
      remedy,
      trials: trials.map(({ sent, seen, isOpen }) => ({ sent, seen, open: isOpen })),
    })),
  };
}

export function checkOf(verdict: Verdict): Check {
  const { attack, judgement, says, duration } = verdict;
  return {
    suite: 'doctor',
    name: attack.name,
    verdict: verdictOf[judgement],
    duration,
    remark: says,
    ...(judgement !== 'passed' && { message: says }),
    ...(judgement === 'open' && { details: evidenceOf(verdict).join('\n') }),
  };
}

function evidenceOf({ attack, trials }: Verdict): string[] {
  const open = trials.filter(({ isOpen }) => isOpen);
  const more = open.length - MAX_SHOWN;
  return [
    `not so: ${attack.defends}`,
    ...open.slice(0, MAX_SHOWN).flatMap(({ sent, seen }) => [`sent  ${sent}`, `seen  ${seen}`]),
    ...(more > 0 ? [`and ${more} more`] : []),
    `do    ${attack.remedy}`,
  ];
}
