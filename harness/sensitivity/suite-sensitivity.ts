// Finds the guesses that a test suite relies on: runs it unchanged, then once under each other reading of each gap that it met.

import { stripVTControlCharacters } from 'node:util';
import { type VariationName, variations } from '../../server/derive/document/variations.js';
import { visible } from '../../server/derive/text/visible.js';
import type { Coverage } from '../../server/engine/journal/coverage.js';
import type { GapId, SomeReadings } from '../../server/operations/gaps/gaps.js';
import type { ReadingChoice } from '../../server/operations/gaps/profiles.js';
import { isProblems, type Problems } from '../../server/scenario/yaml/problem.js';
import { hasTried, type PlannedReading, pairRows, type SuitePlan, suitePlan, variationsFor } from './suite-plan.js';
import { type SuiteSettings, type SuiteTrial, trySuite } from './suite-trial.js';

/** `untried`: the run passed, but this reading decided no request. `unstable`: the run failed, and passed when it was repeated. */
export type ReadingOutcome = 'passes' | 'fails' | 'untried' | 'unstable';

/** Gaps about where the provider is served: a suite has one base URL for all requests, so `--strict` does not count them. */
const OF_BASE_PATH: readonly GapId[] = ['context-path', 'wiki-prefix'];

interface Tried {
  readonly outcome: ReadingOutcome;
  /** Why the run failed: how it ended, and the lines that show the reason. */
  readonly ending: string;
  readonly excerpt: readonly string[];
  /** Milliseconds. */
  readonly duration: number;
}
export interface TriedReading extends PlannedReading, Tried {}

/** A variation of what no gap covers, or several readings under which the suite fails together. */
export interface TriedOther extends Tried {
  readonly name: string;
  readonly says: string;
  readonly readings?: SomeReadings;
}

export interface SuiteSensitivity {
  /** The run under the configured readings. */
  readonly baseline: SuiteTrial;
  readonly base: ReadingChoice;
  readonly plan: SuitePlan;
  /** In the order of the plan; fewer if it was interrupted. */
  readonly tried: readonly TriedReading[];
  readonly others: readonly TriedOther[];
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
/** How often a run that failed is repeated, and the configured readings after that. */
const REPEATS = 2;

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
  suite: SuiteSettings,
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
  const lab = new Lab(suite, baseline, options);
  const tried = await lab.readings(plan.runs);
  const others = only.length > 0 || !hasMet(baseline.coverage) ? [] : await lab.others(tried);
  const flaky = [...tried, ...others].some(({ outcome }) => outcome === 'fails') ? await lab.rerun() : undefined;
  if (flaky !== undefined)
    return { trials: [...trials, flaky], failed: flaky, excerpt: failureExcerpt(flaky.output, baseline.output) };
  return { baseline, base, plan, tried, others, isInterrupted: signal.aborted };
}

interface Change {
  readonly readings?: SomeReadings;
  readonly vary?: readonly VariationName[];
}

/** Runs the suite under changes. */
class Lab {
  readonly #timeout: number;
  #done = 0;
  #failing = 0;
  #all = 0;
  /** Two readings together: the suite reaches the gap of the second only under the first. */
  readonly #further: SomeReadings[] = [];

  constructor(
    private readonly suite: SuiteSettings,
    private readonly baseline: SuiteTrial,
    private readonly options: SensitivityOptions,
  ) {
    this.#timeout = Math.max(MIN_TIMEOUT_MS, Math.ceil(baseline.duration / 1000) * 10_000);
  }

  async readings(runs: readonly PlannedReading[]): Promise<TriedReading[]> {
    const ended = await this.#runAll(
      runs.map(({ gap, reading }) => ({ readings: { [gap]: reading } as SomeReadings })),
    );
    return runs.flatMap((run, i) => {
      const one = ended[i];
      if (one === undefined) return [];
      const isTried = one.outcome !== 'passes' || hasTried(one.coverage, run);
      if (one.outcome === 'passes') this.#further.push(...this.#metUnder(run, one.coverage));
      return [{ ...run, ...shownOf(one), ...(!isTried && { outcome: 'untried' as const }) }];
    });
  }

  /** What no gap covers, and several readings at once. */
  async others(tried: readonly TriedReading[]): Promise<TriedOther[]> {
    const names = variationsFor(this.baseline.coverage);
    const passing = tried.filter(one => one.outcome === 'passes' && !isOfBasePath(one));
    const rows = [...pairRows(passing), ...this.#further];
    const [together, ...ended] = await this.#runAll([{ vary: names }, ...rows.map(readings => ({ readings }))]);
    const alone =
      together?.outcome === 'passes'
        ? names.map(() => together)
        : await this.#runAll(names.map(name => ({ vary: [name] })));
    const varied = names.flatMap((name, i) => {
      const one = alone[i];
      return one === undefined ? [] : [{ name, says: variations[name].says, ...shownOf(one) }];
    });
    const found: TriedOther[] = [];
    for (const [i, row] of rows.entries())
      if (ended[i]?.outcome === 'fails' && !found.some(({ readings = {} }) => isWithin(readings, row)))
        found.push(...(await this.#narrowed(row)));
    return [...varied, ...found];
  }

  #metUnder({ gap, reading }: PlannedReading, coverage: Coverage): SomeReadings[] {
    const news = suitePlan(coverage, []).runs.filter(other => this.baseline.coverage.gaps[other.gap] === undefined);
    return news.map(other => ({ [gap]: reading, [other.gap]: other.reading }) as SomeReadings); // readings of their gaps
  }

  /** A run under the configured readings that fails: the suite is flaky. */
  async rerun(): Promise<SuiteTrial | undefined> {
    for (let i = 0; i < REPEATS && !this.options.signal.aborted; i += 1) {
      const trial = await trySuite(this.suite, this.options.base, this.options.signal, this.#timeout);
      if (!isProblems(trial) && trial.outcome !== 'passed' && trial.outcome !== 'interrupted') return trial;
    }
    return undefined;
  }

  /** The readings among these under which the suite fails together: each of them is needed. */
  async #narrowed(row: SomeReadings): Promise<TriedOther[]> {
    let readings = row;
    for (const gap of Object.keys(row)) {
      const { [gap as GapId]: _, ...fewer } = readings;
      const [ended] = await this.#runAll([{ readings: fewer }]);
      if (ended?.outcome === 'fails') readings = fewer;
    }
    const [ended] = await this.#runAll([{ readings }]);
    const choices = Object.entries(readings).map(pair => pair.join('='));
    if (ended === undefined || ended.outcome !== 'fails' || choices.length < 2) return [];
    const says = 'It passes under each of these readings alone.';
    return [{ name: choices.join(' with '), says, readings, ...shownOf(ended) }];
  }

  /** `jobs` at a time; interrupted runs are `undefined`. A run that fails is repeated: only if it always fails, the change is to blame. */
  async #runAll(changes: readonly Change[]): Promise<Array<Ended | undefined>> {
    const { jobs, signal, progressed } = this.options;
    const ended: Array<Ended | undefined> = changes.map(() => undefined);
    this.#all += changes.length;
    let next = 0;
    const work = async () => {
      for (let at = next; at < changes.length && !signal.aborted; at = next) {
        next += 1;
        const one = await this.#run(changes[at] ?? {});
        if (one === undefined) continue;
        ended[at] = one;
        this.#done += 1;
        if (one.outcome === 'fails') this.#failing += 1;
        progressed(this.#done, this.#failing, this.#all);
      }
    };
    await Promise.all(Array.from({ length: Math.min(jobs, changes.length) }, work));
    return ended;
  }

  async #run({ readings, vary }: Change): Promise<Ended | undefined> {
    const { base, signal } = this.options;
    const choice = { ...base, readings: { ...base.readings, ...readings } };
    let first: SuiteTrial | undefined;
    for (let i = 0; i <= REPEATS; i += 1) {
      const trial = await trySuite(this.suite, choice, signal, this.#timeout, vary);
      if (isProblems(trial) || trial.outcome === 'interrupted') return undefined;
      first ??= trial;
      if (trial.outcome === 'passed') return this.#ended(first, i === 0 ? 'passes' : 'unstable');
      if (trial.outcome === 'timed-out' && i > 0) break;
    }
    return first && this.#ended(first, 'fails');
  }

  #ended(trial: SuiteTrial, outcome: Ended['outcome']): Ended {
    return {
      ...trial,
      outcome,
      excerpt: outcome === 'passes' ? [] : failureExcerpt(trial.output, this.baseline.output),
    };
  }
}

/** A change after its runs. */
interface Ended extends Omit<SuiteTrial, 'outcome'> {
  readonly outcome: Exclude<ReadingOutcome, 'untried'>;
  readonly excerpt: readonly string[];
}

function shownOf({ outcome, ending, excerpt, duration }: Ended) {
  return { outcome, ending, excerpt, duration };
}

function isWithin(some: SomeReadings, all: SomeReadings): boolean {
  return Object.entries(some).every(([gap, reading]) => all[gap as GapId] === reading);
}

/** Whether readings were tried and none gave a result: the suite was flaky, or no request touched the gap. */
export function isUndecided({ tried }: SuiteSensitivity): boolean {
  return tried.length > 0 && tried.every(({ outcome }) => outcome === 'unstable' || outcome === 'untried');
}

/** What the suite relies on besides single readings. */
export function reliesBeside({ others }: SuiteSensitivity): readonly TriedOther[] {
  return others.filter(({ outcome }) => outcome === 'fails');
}

/** The gaps whose readings the suite relies on, in their order, without those of the base path. */
export function reliesOn({ tried }: SuiteSensitivity): GapId[] {
  const failing = tried.filter(one => one.outcome === 'fails' && !isOfBasePath(one));
  return [...new Set(failing.map(({ gap }) => gap))];
}

/** The readings of the base path under which the suite fails. */
export function basePathFailures({ tried }: SuiteSensitivity): readonly PlannedReading[] {
  return tried.filter(one => one.outcome === 'fails' && isOfBasePath(one));
}

export function isOfBasePath({ gap }: PlannedReading): boolean {
  return OF_BASE_PATH.includes(gap);
}

/** Whether the suite sent any request to a fake. */
export function hasMet({ rules, gaps, requests }: Coverage): boolean {
  return requests > 0 && Object.keys(rules).length + Object.keys(gaps).length > 0;
}

/** Lines shown for one run: the first failed assertion, whole. */
const MAX_LINES = 10;
/** Characters of a line; no assertion needs more. */
const LONGEST_LINE = 2_000;

/** Headings of failed tests: mocha and ava, Jest, vitest, unittest and pytest, TAP, Go, JUnit's console. */
const HEADING = /^\s*(?:\d+\) \S|● .+|(?:FAIL|FAILED|ERROR)\b:? +\S.*|_{3,} .+ _{3,}|not ok \d+|--- FAIL: |[✗✘✖×✕] \S)/;

/** Lines with a reason: an assertion, an exception, a difference. */
const REASON =
  /\b(?:Assertion(?:Error)?|\w*(?:Error|Exception)\b\s*[:[(]|expected\b.*\b(?:to|but|got|received|equal|actual)\b|Expected:|expect\(.*\)\.|assert(?:ion)? fail)|!==?|panic: /i;

/** Lines without information: stack frames, lines of symbols, totals, and legends of differences. */
const NOISE =
  /^\s*(?:at .+[:(]|Traceback \(most|File ".+", line \d+|[\s\-=_~^*|+.⎯]*$|\d+ (?:passing|failing|pending)\b|FAILED \(|[+-] (?:expected|actual)\b)/i;

/** The lines that show why a run failed, compared with its output when it passed (`passing`). In order, as plain text. */
export function failureExcerpt(failing: string, passing: string): string[] {
  const known = new Set(linesOf(passing).map(alike));
  const news = linesOf(failing).filter(line => !NOISE.test(line) && !known.has(alike(line)));
  const reason = news.findIndex(line => REASON.test(line) && !HEADING.test(line));
  const heading = news.findIndex(line => HEADING.test(line));
  if (reason === -1 && heading === -1) return news.slice(-MAX_LINES).map(shown);
  if (reason === -1) return news.slice(heading, heading + MAX_LINES).map(shown);
  const above = news.slice(0, reason).findLastIndex(line => HEADING.test(line));
  const title = above === -1 ? [] : news.slice(above, Math.min(reason, above + 2));
  const after = news.slice(reason + 1).findIndex(line => HEADING.test(line));
  const most = MAX_LINES - title.length;
  return [...title, ...news.slice(reason, reason + (after === -1 ? most : Math.min(most, after + 1)))].map(shown);
}

function linesOf(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map(line => line.slice(0, 2 * LONGEST_LINE));
}

/** Lines that differ only in times, ports and counts are alike. */
function alike(line: string): string {
  return line.trim().replace(/\d+/g, '0');
}

function shown(line: string): string {
  const text = visible(line.trim());
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE - 1)}…` : text;
}
