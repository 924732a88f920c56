// Finds the guesses that a test suite relies on: runs it unchanged, then once under each other reading of each gap that it met.
import type { Coverage } from '../../server/engine/journal/coverage.js';
import type { GapId } from '../../server/operations/gaps/gaps.js';
import type { ReadingChoice } from '../../server/operations/gaps/profiles.js';
import { isProblems, type Problems } from '../../server/scenario/yaml/problem.js';
import { failureExcerpt } from './failure-excerpt.js';
import { hasTried, type OtherReading, type SuitePlan, suitePlan } from './suite-plan.js';
import { type Suite, type SuiteTrial, trySuite } from './suite-trial.js';

/** `untried`: the run passed, but this reading decided no request. `unstable`: the run failed, and passed when it was repeated. */
export type ReadingOutcome = 'passes' | 'fails' | 'untried' | 'unstable';

/** Gaps about where the provider is served: a suite has one base URL for all requests, so `--strict` does not count them. */
const OF_BASE_PATH: readonly GapId[] = ['context-path', 'wiki-prefix'];

export interface TriedReading extends OtherReading {
  readonly outcome: ReadingOutcome;
  /** Why the run failed: how it ended, and the lines that show the reason. */
  readonly ending: string;
  readonly excerpt: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
}

export interface SuiteSensitivity {
  /** The run under the configured readings. */
  readonly baseline: SuiteTrial;
  readonly base: ReadingChoice;
  readonly plan: SuitePlan;
  /** In the order of the plan; fewer if it was interrupted. */
  readonly tried: readonly TriedReading[];
  readonly isInterrupted: boolean;
}

/** The suite cannot be judged, because it fails without any change, at least sometimes. */
export interface Unfit {
  readonly trials: readonly SuiteTrial[];
  readonly failed: SuiteTrial;
  readonly excerpt: readonly string[];
}

/** Timeout of the first run in milliseconds, and minimum timeout of the others: a suite may wait for something that never comes under a reading. */
const FIRST_TIMEOUT_MS = 300_000;
const MIN_TIMEOUT_MS = 10_000;

export interface SensitivityOptions {
  /** The configured readings. */
  readonly base: ReadingChoice;
  readonly only: readonly GapId[];
  /** Number of parallel runs. */
  readonly jobs: number;
  /** Number of runs under the configured readings. */
  readonly repeat: number;
  readonly signal: AbortSignal;
  /** Called after the configured readings have passed, and then after each run. */
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
  if (baseline === undefined) throw new Error('a suite must be run at least once');
  const plan = suitePlan(baseline.coverage, only);
  options.planned(plan, baseline);
  const tried = await tryAll(suite, plan.runs, baseline, options);
  return { baseline, base, plan, tried, isInterrupted: signal.aborted };
}

/** Runs `jobs` at a time; interrupted runs are left out. */
async function tryAll(
  suite: Suite,
  runs: readonly OtherReading[],
  baseline: SuiteTrial,
  { base, jobs, signal, progressed }: SensitivityOptions,
): Promise<TriedReading[]> {
  const tried: (TriedReading | undefined)[] = runs.map(() => undefined);
  const timeout = Math.max(MIN_TIMEOUT_MS, Math.ceil(baseline.duration / 1000) * 10_000);
  let next = 0;
  const work = async () => {
    for (let at = next; at < runs.length && !signal.aborted; at = next) {
      next += 1;
      const run = runs[at];
      if (run === undefined) continue;
      const readings = { ...base.readings, [run.gap]: run.reading };
      const trial = await trySuite(suite, { ...base, readings }, signal, timeout);
      if (isProblems(trial) || trial.outcome === 'interrupted') continue;
      const again =
        trial.outcome === 'passed' ? undefined : await trySuite(suite, { ...base, readings }, signal, timeout);
      if (again !== undefined && (isProblems(again) || again.outcome === 'interrupted')) continue;
      const first = triedReading(run, trial, baseline);
      tried[at] = again?.outcome === 'passed' ? { ...first, outcome: 'unstable' } : first;
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

/** Whether readings were tried and none gave a result: the suite was flaky, or no request touched the gap. */
export function isUndecided({ tried }: SuiteSensitivity): boolean {
  return tried.length > 0 && tried.every(({ outcome }) => outcome === 'unstable' || outcome === 'untried');
}

/** The gaps whose readings the suite relies on, in their order, without those of the base path. */
export function reliesOn({ tried }: SuiteSensitivity): GapId[] {
  const failing = tried.filter(one => one.outcome === 'fails' && !isOfBasePath(one));
  return [...new Set(failing.map(({ gap }) => gap))];
}

/** The readings of the base path under which the suite fails. */
export function basePathFailures({ tried }: SuiteSensitivity): readonly OtherReading[] {
  return tried.filter(one => one.outcome === 'fails' && isOfBasePath(one));
}

export function isOfBasePath({ gap }: OtherReading): boolean {
  return OF_BASE_PATH.includes(gap);
}

/** Whether the suite sent any request to a fake. */
export function hasMet({ rules, gaps, requests }: Coverage): boolean {
  return requests > 0 && Object.keys(rules).length + Object.keys(gaps).length > 0;
}
