// What a suite relies on, in lines for a terminal and as a report. Knows no terminal and no format of reports.
import { visible } from '../../derive/text/visible.js';
import { operations, rules } from '../../operations/catalog.js';
import { gapIds } from '../../operations/gaps/gaps.js';
import { coverageIn } from '../../report/coverage-part.js';
import type { Paint } from '../../report/paint.js';
import type { Check, Part, Report } from '../../report/report.js';
import { counted } from '../results/render-summary.js';
import { readAs, type SuitePlan } from './suite-plan.js';
import { reliesOn, type SuiteSensitivity, type TriedReading, type Unfit } from './suite-sensitivity.js';
import type { SuiteTrial } from './suite-trial.js';

/** What is about to be done, and how long it will take. */
export function planText({ runs, pinned }: SuitePlan, { duration, coverage }: SuiteTrial, jobs: number): string {
  const gaps = new Set(runs.map(({ gap }) => gap)).size;
  const seconds = Math.ceil((duration * Math.ceil(runs.length / jobs)) / 1000);
  const passed = `The suite passes in ${secondsText(duration)}, with ${counted(coverage.requests, 'request')}`;
  const own = pinned.length === 0 ? '' : `, and pins ${pinned.length}`;
  if (runs.length === 0) return `${passed}. It meets no gap that can be read otherwise${own}.`;
  const times = `${counted(runs.length, 'run')}, ${Math.min(jobs, runs.length)} at a time, about ${seconds} s`;
  return `${passed}. It meets ${counted(gaps, 'gap')}${own}: ${times}.`;
}

export function unfitLines({ trials, failed, excerpt }: Unfit): string[] {
  const passed = trials.filter(({ outcome }) => outcome === 'passed').length;
  const what =
    passed === 0
      ? 'The suite does not pass as it is'
      : `The suite is flaky: it passes ${passed} of ${trials.length} times under the same readings`;
  return [`${what}: ${failed.ending}. Mend that first.`, ...excerpt.map(line => `    ${line}`)];
}

export function sensitivityLines(sensitivity: SuiteSensitivity, paint: Paint): string[] {
  const { plan, tried, isInterrupted } = sensitivity;
  const relied = reliesOn(sensitivity);
  const { pinned } = plan;
  return [
    ...(isInterrupted ? [paint('yellow', `Interrupted after ${tried.length} of ${plan.runs.length} runs.`)] : []),
    paint(relied.length === 0 ? 'green' : 'yellow', conclusion(sensitivity)),
    ...tableLines(sensitivity, paint),
    ...(pinned.length === 0
      ? []
      : [
          '',
          `Pinned by the suite itself: ${pinned.map(({ gap, readings }) => `${gap}=${readings.join('|')}`).join(', ')}.`,
        ]),
    ...(plan.leftOut.length === 0 ? [] : ['', `Met and not tried, because of --only: ${plan.leftOut.join(', ')}.`]),
    '',
    ...neverMet(sensitivity),
  ];
}

/** `The suite relies on 2 of 14 gaps tried: unknown-user, wiki-success.` */
function conclusion(sensitivity: SuiteSensitivity): string {
  const gaps = new Set(sensitivity.tried.map(({ gap }) => gap)).size;
  const relied = reliesOn(sensitivity);
  if (gaps === 0) return 'No reading was tried.';
  if (relied.length === 0) return `The suite relies on none of ${counted(gaps, 'gap')} tried.`;
  return `The suite relies on ${relied.length} of ${counted(gaps, 'gap')} tried: ${relied.join(', ')}.`;
}

function tableLines({ tried, baseline }: SuiteSensitivity, paint: Paint): string[] {
  if (tried.length === 0) return [];
  const byGap = [...new Set(tried.map(({ gap }) => gap))].map(gap => tried.filter(one => one.gap === gap));
  const width = Math.max(...tried.map(({ gap, reading }) => gap.length + reading.length + 1)) + 2;
  const line = ({ gap, reading }: TriedReading, state: string) => `  ${`${gap}=${reading}`.padEnd(width)}${state}`;
  return byGap.flatMap(ofGap => {
    const [first] = ofGap;
    if (first === undefined) return [];
    if (ofGap.every(({ outcome }) => outcome === 'passes')) {
      const names = ofGap.map(({ reading }) => reading).join(', ');
      return [`  ${first.gap.padEnd(width)}${paint('green', 'passes')} under ${names}`];
    }
    return [
      paint('dim', `  ${first.gap} is read as ${readAs(baseline.coverage, first.gap).join(' or ')}`),
      ...ofGap.flatMap(one => [
        line(one, outcomeText(one, paint)),
        ...one.excerpt.map(text => paint('dim', `  ${' '.repeat(width)}${text}`)),
      ]),
    ];
  });
}

function outcomeText({ outcome, ending }: TriedReading, paint: Paint): string {
  if (outcome === 'passes') return paint('green', 'passes');
  if (outcome === 'untried') return `${paint('yellow', 'not tried')}: no request met it this time`;
  return `${paint('red', 'fails')}: ${visible(ending)}`;
}

function neverMet({ baseline: { coverage } }: SuiteSensitivity): string[] {
  const missing = operations.map(({ id }) => id).filter(id => coverage.operations[id] === undefined);
  const unmetRules = Object.keys(rules).filter(id => coverage.rules[id] === undefined);
  const unmetGaps = gapIds.filter(id => coverage.gaps[id] === undefined);
  const called =
    missing.length === 0 ? 'The suite calls every operation' : `The suite never calls ${missing.join(', ')}`;
  return [`${called}; it never meets ${counted(unmetRules.length, 'rule')} and ${counted(unmetGaps.length, 'gap')}.`];
}

/** Each reading that was tried is a check; with `isStrict` one that breaks the suite has failed, else it has passed with a warning. */
export function sensitivityReport(
  sensitivity: SuiteSensitivity,
  { isStrict, command, version, startedAt }: { isStrict: boolean; command: string; version: string; startedAt: Date },
): Report {
  const { plan, tried, baseline } = sensitivity;
  const met = coverageIn(baseline.coverage);
  const pinned = plan.pinned.map(
    ({ gap, readings }): Check => ({
      suite: gap,
      name: `${gap}=${readings.join('|')}`,
      verdict: 'undetermined',
      duration: 0,
      message: 'The suite pins this reading itself.',
    }),
  );
  return {
    tool: 'cwx-fake sensitivity',
    version,
    title: `What ${command} relies on`,
    startedAt: startedAt.toISOString(),
    duration: Date.now() - startedAt.getTime(),
    checks: [...tried.map(one => checkOf(one, isStrict)), ...pinned],
    properties: { command, ...met.properties },
    parts: [partOf(sensitivity), ...met.parts],
  };
}

function checkOf(one: TriedReading, isStrict: boolean): Check {
  const { gap, reading, outcome, ending, excerpt, duration } = one;
  const base = { suite: gap, name: `${gap}=${reading}`, duration: Math.round(duration), labels: [`${gap}=${reading}`] };
  if (outcome === 'untried') return { ...base, verdict: 'undetermined', message: 'No request met it this time.' };
  if (outcome === 'passes') return { ...base, verdict: 'passed' };
  const message = `The suite fails under it: ${visible(ending)}.`;
  const details = excerpt.join('\n');
  const why = isStrict
    ? ({ verdict: 'failed', message } as const)
    : ({ verdict: 'passed', warning: [message, ...excerpt].join(' ') } as const);
  return { ...base, ...why, ...(details !== '' && { details }) };
}

function partOf(sensitivity: SuiteSensitivity): Part {
  return {
    title: 'Under other readings of what the document leaves open',
    says: [conclusion(sensitivity), ...neverMet(sensitivity)],
    heads: ['Gap', 'Reading', 'Suite', 'Why'],
    rows: sensitivity.tried.map(({ gap, reading, outcome, excerpt }) => [gap, reading, outcome, excerpt.join(' ')]),
  };
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
