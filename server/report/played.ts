// The steps that were played as the checks of a report: a run is a suite, a step a check, the rules that it proved are its labels.
// Knows no format and no terminal.
import { type Circumstances, differenceText, evidenceOf, evidenceText } from '../scenario/play/evidence.js';
import type { Played } from '../scenario/play/player.js';
import type { Results } from '../scenario/play/results.js';
import { type Run, runName } from '../scenario/play/runs.js';
import type { Check, Status } from './report.js';

const statuses: Readonly<Record<Played['outcome'], Status>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
};

/** The checks of everything that was played. */
export function checksOf(results: Results, about: (run: Run) => Circumstances): Check[] {
  return results.all().flatMap(([run, steps]) => steps.map(played => checkOf(run, played, about(run))));
}

function checkOf(run: Run, played: Played, circumstances: Circumstances): Check {
  const { index, line, step, outcome, duration, unchecked } = played;
  const message = messageOf(played);
  const isProved = outcome === 'passed' && !unchecked.includes('proves');
  return {
    suite: runName(run),
    name: `${index + 1} ${step.say}`,
    status: statuses[outcome],
    duration,
    ...(message !== undefined && { message }),
    ...(outcome === 'failed' && { details: evidenceText(evidenceOf(played, circumstances)).join('\n') }),
    file: circumstances.file,
    line,
    ...(isProved && step.proves !== undefined && { labels: step.proves }),
  };
}

function messageOf({ why, differences }: Played): string | undefined {
  const [first] = differences;
  if (first === undefined) return why;
  return differences.length === 1
    ? differenceText(first)
    : `${differenceText(first)} (and ${differences.length - 1} more)`;
}
