// Converts played steps to the checks of a report: a run is a suite, a step a check, proven rules are labels; with the coverage of their requests.
import { type Coverage, CoverageCounter } from '../../server/engine/journal/coverage.js';
import { parseReadings } from '../../server/engine/request/readings.js';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import { type Circumstances, differenceText, evidenceOf, evidenceText } from '../../server/scenario/play/evidence.js';
import type { Played } from '../../server/scenario/play/player.js';
import type { Results } from '../../server/scenario/play/results.js';
import { type Run, readingsOf, runName } from '../../server/scenario/play/runs.js';
import type { Insight } from '../../server/scenario/play/target.js';
import type { Check, CheckVerdict } from './report.js';

const verdicts: Readonly<Record<Played['outcome'], CheckVerdict>> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'undetermined',
};

/** The checks of all played steps. */
export function checksOf(results: Results, about: (run: Run) => Circumstances): Check[] {
  return results.all().flatMap(([run, steps]) => steps.map(played => checkOfScenario(run, played, about(run))));
}

/** The check of one played step. */
export function checkOfScenario(run: Run, played: Played, circumstances: Circumstances): Check {
  const { index, line, step, outcome, duration, unchecked } = played;
  const message = messageOf(played);
  const isProved = outcome === 'passed' && !unchecked.includes('proves');
  return {
    suite: runName(run),
    name: `${index + 1} ${step.say}`,
    verdict: verdicts[outcome],
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

/** Coverage of all steps; `undefined` if the target does not show it. A reading chosen by scenario or step counts as pinned. */
export function coverageOf(results: Results): Coverage | undefined {
  const counter = new CoverageCounter();
  for (const [run, steps] of results.all())
    for (const { insight } of steps)
      if (insight !== undefined) countIn(counter, insight, [readingsOf(run), run.loaded.origin.readings]);
  return counter.requests === 0 ? undefined : counter.present();
}

function countIn(counter: CoverageCounter, insight: Insight, pins: readonly SomeReadings[]): void {
  const { operation, response, refused, rules, gaps, fault, base, readings = '' } = insight;
  if (response === undefined) return;
  const chosen = parseReadings(readings);
  counter.count({ operation, response, refused, rules, gaps, product: base, ...(fault && { injected: fault }) }, [
    ...('problem' in chosen ? [] : [chosen.readings]),
    ...pins,
  ]);
}
