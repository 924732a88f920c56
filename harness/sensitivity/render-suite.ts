// The guesses that a suite relies on, in words and as a list of checks.
import { counted } from '../../server/derive/text/counted.js';
import { visible } from '../../server/derive/text/visible.js';
import type { Coverage } from '../../server/engine/journal/coverage.js';
import { operations, rules } from '../../server/operations/catalog/catalog.js';
import { gapIds } from '../../server/operations/gaps/gaps.js';
import { coverageIn } from '../report/coverage-part.js';
import type { Check, Part, Report } from '../report/report.js';
import { readAs, type SuitePlan } from './suite-plan.js';
import {
  basePathFailures,
  isOfBasePath,
  isUndecided,
  reliesBeside,
  reliesOn,
  type SuiteSensitivity,
  type TriedOther,
  type TriedReading,
  type Unfit,
} from './suite-sensitivity.js';
import type { SuiteTrial } from './suite-trial.js';

/** The plan: the number of runs and the expected time. */
export function planText({ runs, pinned }: SuitePlan, { duration, coverage }: SuiteTrial, jobs: number): string {
  const gaps = new Set(runs.map(({ gap }) => gap)).size;
  const seconds = Math.ceil((duration * Math.ceil(runs.length / jobs)) / 1000);
  const passed = `The suite passes in ${secondsText(duration)}, with ${counted(coverage.requests, 'request')}`;
  const own = pinned.length === 0 ? '' : ` and pins ${pinned.length}`;
  if (runs.length === 0) return `${passed}. It touches no gap that has another reading to try${own}.`;
  const times = `${counted(runs.length, 'run')}, ${Math.min(jobs, runs.length)} at a time, about ${seconds} s`;
  return `${passed}. It touches ${counted(gaps, 'gap')}${own}: ${times}.`;
}

export function unfitLines({ trials, failed, excerpt }: Unfit): string[] {
  const passed = trials.filter(({ outcome }) => outcome === 'passed').length;
  const what =
    passed === 0
      ? 'The suite fails even without changed readings'
      : `The suite is flaky: it passes ${passed} of ${trials.length} times under the same readings`;
  return [`${what}: ${failed.ending}. Fix the suite first.`, ...excerpt.map(line => `    ${line}`)];
}

/** A suite that failed without reaching a fake. */
export function unreachedLines({ failed, excerpt }: Unfit, says: string): string[] {
  return [`${says} The suite fails: ${failed.ending}.`, ...excerpt.map(line => `    ${line}`)];
}

/** What the list of checks does not show. */
export function conclusionLines(sensitivity: SuiteSensitivity): string[] {
  const { plan, tried, isInterrupted } = sensitivity;
  return [
    ...(isInterrupted ? [`Interrupted after ${tried.length} of ${plan.runs.length} runs.`] : []),
    conclusion(sensitivity),
    ...besideLines(sensitivity),
    ...basePathLines(sensitivity),
    ...(plan.leftOut.length === 0 ? [] : [`Touched but not tried, because of --only: ${plan.leftOut.join(', ')}.`]),
    ...neverTouched(sensitivity),
  ];
}

/** `The suite relies on 2 of 14 gaps tried: unknown-user, wiki-success.` */
function conclusion(sensitivity: SuiteSensitivity): string {
  if (isUndecided(sensitivity)) return 'Inconclusive: no run under another reading gave a result.';
  const gaps = new Set(sensitivity.tried.map(({ gap }) => gap)).size;
  const relied = reliesOn(sensitivity);
  if (gaps === 0) return 'No reading was tried.';
  if (relied.length === 0 && sensitivity.isInterrupted)
    return `The completed runs show no reliance: ${counted(gaps, 'gap')} tried.`;
  if (relied.length === 0) return `The suite relies on no gap: ${counted(gaps, 'gap')} tried.`;
  return `The suite relies on ${relied.length} of ${counted(gaps, 'gap')} tried: ${relied.join(', ')}.`;
}

/** `The suite relies on what no gap covers: status.` */
function besideLines(sensitivity: SuiteSensitivity): string[] {
  const relied = reliesBeside(sensitivity);
  const varied = relied.filter(({ readings }) => readings === undefined).map(({ name }) => name);
  const together = relied.filter(({ readings }) => readings !== undefined).map(({ name }) => name);
  return [
    ...(varied.length === 0
      ? []
      : [`The suite relies on what the document leaves open without a gap: ${varied.join(', ')}.`]),
    ...together.map(name => `The suite fails under ${name}, but under none of these readings alone.`),
  ];
}

/** The base path is reported once, as by `verify`. */
function basePathLines(sensitivity: SuiteSensitivity): string[] {
  const failures = basePathFailures(sensitivity).map(({ gap, reading }) => `${gap}=${reading}`);
  if (failures.length === 0) return [];
  return [
    `The suite relies on the provider's base path: it would fail under ${failures.join(' or ')}. --strict ignores this.`,
  ];
}

function neverTouched({ baseline: { coverage } }: SuiteSensitivity): string[] {
  const missing = operations.map(({ id }) => id).filter(id => coverage.operations[id] === undefined);
  const unmetRules = Object.keys(rules).filter(id => coverage.rules[id] === undefined);
  const unmetGaps = gapIds.filter(id => coverage.gaps[id] === undefined);
  const called =
    missing.length === 0 ? 'The suite calls every operation' : `The suite never calls ${missing.join(', ')}`;
  return [`${called}; it never touches ${counted(unmetRules.length, 'rule')} and ${counted(unmetGaps.length, 'gap')}.`];
}

/** Each tried reading is a check. One that breaks the suite fails with `isStrict`, else it passes with a warning. */
export function sensitivityReport(
  sensitivity: SuiteSensitivity,
  { isStrict, command, version, startedAt }: { isStrict: boolean; command: string; version: string; startedAt: Date },
): Report {
  const { plan, tried, others, baseline } = sensitivity;
  const met = coverageIn(baseline.coverage);
  const isTried = (gap: string, reading: string) => tried.some(one => one.gap === gap && one.reading === reading);
  const skipped = plan.runs.filter(({ gap, reading }) => !isTried(gap, reading)); // an interruption prevented them
  const undetermined = (gap: string, reading: string, message: string): Check => {
    return { suite: gap, name: `${gap}=${reading}`, verdict: 'undetermined', duration: 0, message };
  };
  return {
    tool: 'cwx-fake sensitivity',
    version,
    title: `${command} under other readings`,
    startedAt: startedAt.toISOString(),
    duration: Date.now() - startedAt.getTime(),
    checks: [
      ...tried.map(one => checkOf(one, baseline.coverage, isStrict)),
      ...others.map(one => checkOfOther(one, isStrict)),
      ...skipped.map(({ gap, reading }) => undetermined(gap, reading, 'Not run, because of the interruption.')),
      ...plan.pinned.map(({ gap, readings }) =>
        undetermined(gap, readings.join('|'), 'The suite sets this reading itself.'),
      ),
    ],
    ...(sensitivity.isInterrupted && { isUnfinished: true }),
    properties: { command, ...met.properties },
    parts: [partOf(sensitivity), ...met.parts],
  };
}

function checkOf(one: TriedReading, coverage: Coverage, isStrict: boolean): Check {
  const { gap, reading } = one;
  const labels = [`${gap}=${reading}`];
  const hint = `it passes under ${readAs(coverage, gap).join(' or ')}`;
  return checkBy(one, { suite: gap, name: `${gap}=${reading}`, labels }, hint, isStrict && !isOfBasePath(one));
}

/** What no gap covers, and readings together. */
function checkOfOther(one: TriedOther, isStrict: boolean): Check {
  const suite = one.readings === undefined ? 'what no gap covers' : 'several readings';
  return checkBy(one, { suite, name: one.name, labels: [] }, one.says, isStrict);
}

function checkBy(
  { outcome, ending, excerpt, duration }: TriedReading | TriedOther,
  about: Pick<Check, 'suite' | 'name' | 'labels'>,
  hint: string,
  isFailure: boolean,
): Check {
  const base = { ...about, duration: Math.round(duration) };
  if (outcome === 'untried')
    return { ...base, verdict: 'undetermined', message: 'No request touched the gap in this run.' };
  if (outcome === 'unstable')
    return {
      ...base,
      verdict: 'undetermined',
      message: `The suite is flaky: it failed (${visible(ending)}), then passed.`,
    };
  if (outcome === 'passes') return { ...base, verdict: 'passed' };
  const message = `The suite fails: ${visible(ending)}. ${hint.charAt(0).toUpperCase()}${hint.slice(1).replace(/\.$/, '')}.`;
  const remark = `the suite fails: ${ending}; ${hint.charAt(0).toLowerCase()}${hint.slice(1).replace(/\.$/, '')}`;
  const details = excerpt.join('\n');
  const why = isFailure
    ? ({ verdict: 'failed', message } as const)
    : ({ verdict: 'passed', warning: [message, ...excerpt].join(' ') } as const);
  return { ...base, ...why, remark, ...(details !== '' && { details }) };
}

function partOf(sensitivity: SuiteSensitivity): Part {
  return {
    title: 'Under other readings',
    says: [
      conclusion(sensitivity),
      ...besideLines(sensitivity),
      ...basePathLines(sensitivity),
      ...neverTouched(sensitivity),
    ],
    heads: ['Gap', 'Reading', 'Suite', 'Why'],
    rows: sensitivity.tried.map(({ gap, reading, outcome, excerpt }) => [gap, reading, outcome, excerpt.join(' ')]),
  };
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
