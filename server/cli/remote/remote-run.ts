// One run against a server that is not ours, of which `conform` and `calibrate` are two conclusions: it lists the changes, asks for consent, lets the
// command play, undoes the changes, and reports.

import type { World } from '../../domain/world.js';
import { type Process, writeLine } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import { each } from '../../remote/changes/changes.js';
import type { Cleanup } from '../../remote/changes/cleanup.js';
import { consent } from '../../remote/changes/consent.js';
import { interruption } from '../../remote/changes/interruption.js';
import { freshRun, type Planned, planOf } from '../../remote/changes/plan.js';
import { showPlan, showStaying } from '../../remote/changes/render-changes.js';
import type { NamesThere } from '../../remote/names/name-map.js';
import { type OutsideOptions, outsideOptions } from '../../remote/remote-flags.js';
import { anyServer } from '../../remote/target/any-server.js';
import { NOTHING, printShown, type Shown, shownBy } from '../../remote/target/host-view.js';
import { type RetryingTarget, withRetries } from '../../remote/target/retrying-target.js';
import { withJobs } from '../../remote/target/side-by-side.js';
import { countsOf, type Report } from '../../report/report.js';
import { defaultFolders, type Folders } from '../../scenario/load/folders.js';
import { loadNamed } from '../../scenario/load/load.js';
import type { Loaded } from '../../scenario/load/story.js';
import { Unreachable } from '../../scenario/play/target.js';
import { isProblems, type Problems, showProblem } from '../../scenario/yaml/problem.js';
import { DEFAULT_SCENARIO } from '../../settings.js';
import { type Arguments, type ExitCode, exit, fail, failAs } from '../command.js';
import { endChecks } from '../terminal/show-checks.js';

export interface RemoteCommand {
  readonly name: 'calibrate' | 'conform';
  /** The stream for totals and annotations: `calibrate` writes its readings to standard output. */
  readonly to: 'stdout' | 'stderr';
  /** `world`: of the fixture. */
  load(folders: Folders, world: World): Suites<Loaded> | Problems;
  /** Plays, and prints its checks. */
  conclude(run: RemoteRun): Promise<Conclusion>;
}

interface Suites<T> {
  /** About gaps. */
  readonly probes: readonly T[];
  /** About rules. */
  readonly suite: readonly T[];
}

export interface RemoteRun extends Suites<Planned>, Pick<OutsideOptions, 'names' | 'url' | 'jobs'> {
  readonly target: RetryingTarget;
  /** The value of `${run}`. */
  readonly run: string;
  readonly shown: Shown;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
}

export interface Conclusion {
  readonly cleanups: readonly Cleanup[];
  /** Absent: it ended before there were results. */
  readonly report?: Pick<Report, 'title' | 'checks' | 'properties'>;
  /** Why it ended early, if it did. */
  readonly ended?: 'interrupted' | Unreachable;
}

export async function runRemote(command: RemoteCommand, { values }: Arguments, process: Process): Promise<ExitCode> {
  const folders = defaultFolders(process.cwd());
  const fixture = loadNamed(DEFAULT_SCENARIO, folders);
  if (isProblems(fixture)) return fail(process, exit.usage, fixture.problems.map(showProblem));
  const { world } = fixture.origin;
  const options = outsideOptions(values, world);
  if ('errors' in options) return failAs(command.name, process, exit.usage, options.errors);
  const suites = command.load(folders, world);
  if (isProblems(suites)) return fail(process, exit.usage, suites.problems.map(showProblem));
  const stop = interruption(process);
  const target = withJobs(withRetries(anyServer(options.url)), options.jobs);
  try {
    return await play(command, suites, { options, target, signal: stop.signal, process });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return fail(process, exit.unreachable, [error.message]);
  } finally {
    stop.release();
    await target.close();
  }
}

interface Surroundings {
  readonly options: OutsideOptions;
  readonly target: RetryingTarget;
  readonly signal: AbortSignal;
  readonly process: Process;
}

async function play(command: RemoteCommand, suites: Suites<Loaded>, around: Surroundings): Promise<ExitCode> {
  const { options, target, signal, process } = around;
  const { names, url, jobs } = options;
  const { stderr } = process;
  const startedAt = new Date();
  const started = performance.now();
  const run = freshRun();
  const planned = await planOf([...suites.probes, ...suites.suite], names, run);
  if (isProblems(planned)) return fail(process, exit.usage, planned.problems.map(showProblem));
  await target.send({ method: 'GET', path: `${target.context}/`, headers: {} }); // whether it answers
  const refused = await refusal(planned, around);
  if (refused !== undefined) return fail(process, exit.usage, [refused]);
  writeLine(stderr, `Run id: ${run}.`);
  const shown = options.isReadingBack ? await shownBy({ target, names, run }) : NOTHING;
  printShown(stderr, shown);
  const [probes, suite] = [planned.slice(0, suites.probes.length), planned.slice(suites.probes.length)];
  const concluded = await command.conclude({ probes, suite, names, url, jobs, target, run, shown, signal, startedAt });
  const { cleanups, report } = concluded;
  printCleanup(stderr, cleanups, names);
  if (report !== undefined) {
    const whole = {
      tool: `cwx-fake ${command.name}`,
      version: packageVersion(),
      startedAt: startedAt.toISOString(),
      duration: performance.now() - started,
      ...report,
    };
    endChecks(whole, process, { reports: options.reports, to: process[command.to] });
  }
  printChances(stderr, target);
  return exitOf(concluded);
}

/** Why nothing may be changed there; `undefined`: it may. */
async function refusal(
  planned: readonly Planned[],
  { options: { names, isConsentGiven }, target, signal, process: { stdin, stderr } }: Surroundings,
): Promise<string | undefined> {
  const plan = showPlan(each(planned.flatMap(({ changes }) => changes.flat())), names);
  const desk = { input: stdin, output: stderr };
  const answer = await consent(plan, `${target.url}${target.context}`, isConsentGiven, desk);
  if (answer === 'not asked')
    return 'There is no terminal to ask on, so nothing was changed: --yes says that it may be.';
  return answer === 'refused' || signal.aborted ? 'Nothing was changed.' : undefined;
}

function printCleanup(stderr: Process['stderr'], cleanups: readonly Cleanup[], names: NamesThere): void {
  for (const one of new Set(cleanups.flatMap(({ left }) => left))) writeLine(stderr, `Could not be undone: ${one}.`);
  const stays = each(cleanups.flatMap(cleanup => cleanup.stays));
  for (const one of showStaying(stays, names)) writeLine(stderr, `Left there: ${one}.`);
}

/** Reports a server that gives two answers to the same request. */
function printChances(stderr: Process['stderr'], { chances }: RetryingTarget): void {
  const [first, ...others] = chances;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` ${others.length} more requests got two different answers.`;
  writeLine(stderr, `The server fails at random: ${first}.${more}`);
}

/** Throws what ended it, unless something failed before. */
function exitOf({ report, ended }: Conclusion): ExitCode {
  const { passed, failed } = countsOf(report?.checks ?? []);
  if (failed > 0) return exit.failed;
  if (ended instanceof Unreachable) throw ended;
  return ended === undefined && passed > 0 ? exit.passed : exit.empty;
}
