// Verdicts as a report, and as JSON: what is open has failed, of what could not be tried nothing can be said. Knows no format of reports.
import type { Check, Report } from '../report/report.js';
import type { Verdict } from './attack.js';
import { evidenceOf } from './render-attacks.js';

const verdictOf = {
  held: 'passed',
  open: 'failed',
  'not applicable': 'undetermined',
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

/** The form of `--json`: every attack with everything that it tried. */
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

function checkOf(verdict: Verdict): Check {
  const { attack, judgement, says, duration } = verdict;
  return {
    suite: 'doctor',
    name: attack.name,
    verdict: verdictOf[judgement],
    duration,
    ...(judgement !== 'held' && { message: says }),
    ...(judgement === 'open' && { details: evidenceOf(verdict).join('\n') }),
  };
}
