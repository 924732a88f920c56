// Whether a test suite relies on a guess: it is run once as it is, and once under each other reading of each gap that it met.
import type { Coverage } from '../../engine/journal/coverage.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { ReadingChoice } from '../../operations/gaps/profiles.js';
import { isProblems, type Problems } from '../../scenario/yaml/problem.js';
import { failureExcerpt } from './failure-excerpt.js';
import { hasTried, type OtherReading, type SuitePlan, suitePlan } from './suite-plan.js';
import { type Suite, type SuiteTrial, trySuite } from './suite-trial.js';

/** `untried`: the run passed, and no request was decided by the reading. */
export type ReadingOutcome = 'passes' | 'fails' | 'untried';

export interface TriedReading extends OtherReading {
  readonly outcome: ReadingOutcome;
  /** Why the run failed: how it ended, and the lines that tell. */
  readonly ending: string;
  readonly excerpt: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
}

export interface SuiteSensitivity {
  /** The run under the readings of the baseline. */
  readonly baseline: SuiteTrial;
  readonly base: ReadingChoice;
  readonly plan: SuitePlan;
  /** In the order of the plan; fewer where it was interrupted. */
  readonly tried: readonly TriedReading[];
  readonly isInterrupted: boolean;
}

/** The suite cannot be judged, since it does not pass as it is, or not always. */
export interface Unfit {
  readonly trials: readonly SuiteTrial[];
  readonly failed: SuiteTrial;
  readonly excerpt: readonly string[];
}

/** Milliseconds that the first run may take, and that any other may take at least: a suite may wait for what never comes under a reading. */
const FIRST_TIMEOUT_MS = 300_000;
const LEAST_TIMEOUT_MS = 10_000;

export interface SensitivityOptions {
  /** What the baseline is run under. */
  readonly base: ReadingChoice;
  readonly only: readonly GapId[];
  /** Runs at the same time. */
  readonly jobs: number;
  /** How often the baseline is run. */
  readonly repeat: number;
  readonly signal: AbortSignal;
  /** Called when the baseline has passed, and then after each run. */
  readonly planned: (plan: SuitePlan, baseline: SuiteTrial) => void;
  readonly progressed: (done: number, failing: number, all: number) => void;
}

export async function suiteSensitivity(
  suite: Suite,
  options: SensitivityOptions,
): Promise<SuiteSensitivity | Unfit | Problems> {
  const { base, only, signal, repeat } = options;
  const trials: SuiteTrial[] = [];
  for (let i = 0; i < repeat && !signal.aborted; i += 1) {
    const trial = await trySuite(suite, base, signal, FIRST_TIMEOUT_MS);
    if (isProblems(trial)) return trial;
    trials.push(trial);
  }
  const failed = trials.find(({ outcome }) => outcome !== 'passed');
  const passed = trials.find(({ outcome }) => outcome === 'passed');
  if (failed !== undefined) return { trials, failed, excerpt: failureExcerpt(failed.output, passed?.output ?? '') };
  const [baseline] = trials;
  if (baseline === undefined) throw new Error('a suite is run at least once');
  const plan = suitePlan(baseline.coverage, only);
  options.planned(plan, baseline);
  const tried = await tryAll(suite, plan.runs, baseline, options);
  return { baseline, base, plan, tried, isInterrupted: signal.aborted };
}

/** So many at a time; those that an interruption has cut short are left out. */
async function tryAll(
  suite: Suite,
  runs: readonly OtherReading[],
  baseline: SuiteTrial,
  { base, jobs, signal, progressed }: SensitivityOptions,
): Promise<TriedReading[]> {
  const tried: (TriedReading | undefined)[] = runs.map(() => undefined);
  const timeout = Math.max(LEAST_TIMEOUT_MS, Math.ceil(baseline.duration / 1000) * 10_000);
  let next = 0;
  const work = async () => {
    for (let at = next; at < runs.length && !signal.aborted; at = next) {
      next += 1;
      const run = runs[at];
      const trial =
        run &&
        (await trySuite(suite, { ...base, readings: { ...base.readings, [run.gap]: run.reading } }, signal, timeout));
      if (run === undefined || trial === undefined || isProblems(trial) || trial.outcome === 'interrupted') continue;
      tried[at] = triedReading(run, trial, baseline);
      const done = tried.filter(one => one !== undefined);
      progressed(done.length, done.filter(({ outcome }) => outcome === 'fails').length, runs.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, runs.length) }, work));
  return tried.filter(one => one !== undefined);
}

function triedReading(run: OtherReading, trial: SuiteTrial, baseline: SuiteTrial): TriedReading {
  const { outcome, ending, output, duration, coverage } = trial;
  const isFailed = outcome !== 'passed';
  return {
    ...run,
    outcome: isFailed ? 'fails' : hasTried(coverage, run) ? 'passes' : 'untried',
    ending,
    excerpt: isFailed ? failureExcerpt(output, baseline.output) : [],
    duration,
  };
}

/** The gaps on whose readings the suite relies, in their order. */
export function reliesOn({ tried }: SuiteSensitivity): GapId[] {
  return [...new Set(tried.filter(({ outcome }) => outcome === 'fails').map(({ gap }) => gap))];
}

/** Whether the suite asked anything of a fake. */
export function hasMet({ rules, gaps, requests }: Coverage): boolean {
  return requests > 0 && Object.keys(rules).length + Object.keys(gaps).length > 0;
}
