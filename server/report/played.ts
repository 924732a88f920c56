// The steps that were played as the checks of a report: a run is a suite, a step a check, the rules that it proved are its labels. And what
// their requests have met. Knows no format and no terminal.
import { type Coverage, CoverageCounter } from '../engine/journal/coverage.js';
import { parseReadings } from '../engine/request/readings.js';
import type { SomeReadings } from '../operations/gaps/gaps.js';
import { type Circumstances, differenceText, evidenceOf, evidenceText } from '../scenario/play/evidence.js';
import type { Played } from '../scenario/play/player.js';
import type { Results } from '../scenario/play/results.js';
import { type Run, readingsOf, runName } from '../scenario/play/runs.js';
import type { Insight } from '../scenario/play/target.js';
import type { Check, CheckVerdict } from './report.js';

const verdicts: Readonly<Record<Played['outcome'], CheckVerdict>> = {
  held: 'passed',
  failed: 'failed',
  skipped: 'undetermined',
};

/** The checks of everything that was played. */
export function checksOf(results: Results, about: (run: Run) => Circumstances): Check[] {
  return results.all().flatMap(([run, steps]) => steps.map(played => checkOf(run, played, about(run))));
}

function checkOf(run: Run, played: Played, circumstances: Circumstances): Check {
  const { index, line, step, outcome, duration, unchecked } = played;
  const message = messageOf(played);
  const isProved = outcome === 'held' && !unchecked.includes('proves');
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

/** What the requests of all steps have met; `undefined` where the target shows nothing of it. A reading is pinned where scenario or step choose it. */
export function coverageOf(results: Results): Coverage | undefined {
  const counter = new CoverageCounter();
  for (const [run, steps] of results.all())
    for (const { insight } of steps)
      if (insight !== undefined) countIn(counter, insight, [readingsOf(run), run.loaded.origin.readings]);
  return counter.requests === 0 ? undefined : counter.present();
}

function countIn(counter: CoverageCounter, insight: Insight, pins: readonly SomeReadings[]): void {
  const { operation, answer, refused, rules, gaps, fault, base, readings = '' } = insight;
  if (answer === undefined) return;
  const chosen = parseReadings(readings);
  counter.count(
    { operation, answer, refused, rules, gaps, isHost: base !== undefined, ...(fault && { injected: fault }) },
    [...('problem' in chosen ? [] : [chosen.readings]), ...pins],
  );
}
