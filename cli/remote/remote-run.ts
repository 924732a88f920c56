// One run against a server that is not ours, of which `conform` and `calibrate` are two conclusions: reads what it is going to change, asks for
// consent, lets the command play, restores, and reports.

import { consent } from '../../harness/changes/consent.js';
import { planLines } from '../../harness/changes/plan-text.js';
import { type Mapped, mapped } from '../../harness/names/mapped-steps.js';
import { type OutsideOptions, outsideOptions } from '../../harness/remote-flags.js';
import { countsOf, type Report } from '../../harness/report/report.js';
import { freshRun, type PreparedRun, prepareRun, type RunContext } from '../../harness/run/run-context.js';
import { absentFamilies } from '../../harness/run/served-apis.js';
import { anyServer } from '../../harness/target/any-server.js';
import { RestApi } from '../../harness/target/rest-api.js';
import { type RetryingTarget, withRetries } from '../../harness/target/retrying-target.js';
import type { World } from '../../server/domain/world/world.js';
import { type Process, writeLine, writeLines } from '../../server/process/command-process.js';
import { interruption } from '../../server/process/interruption.js';
import { packageVersion } from '../../server/process/package.js';
import { defaultFolders, type Folders } from '../../server/scenario/files/folders.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import type { Loaded } from '../../server/scenario/load/load-scenario.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import { DEFAULT_SCENARIO } from '../../server/settings/settings.js';
import { type Arguments, type ExitCode, end, exit, fail, usable } from '../command/command.js';
import { endChecks } from '../terminal/show-checks.js';

export interface RemoteCommand {
  readonly name: 'calibrate' | 'conform';
  /** The stream for totals and annotations: `calibrate` writes its readings to standard output. */
  readonly to: 'stdout' | 'stderr';
  /** `world`: of the fixture. */
  load(folders: Folders, world: World): Suites<Loaded>;
  /** Plays, and prints its checks. */
  conclude(
    run: Suites<Mapped>,
    context: RunContext,
    about: { readonly url: string; readonly startedAt: Date },
  ): Promise<Conclusion>;
}

export interface Suites<T> {
  /** About gaps. */
  readonly probes: readonly T[];
  /** About rules. */
  readonly suite: readonly T[];
}

export interface Conclusion extends Pick<Report, 'title' | 'checks'> {
  readonly readings: Readonly<Record<string, string>>;
  /** Why it ended early, if so. */
  readonly ended?: 'interrupted' | Unreachable;
}

export async function runRemote(command: RemoteCommand, { values }: Arguments, process: Process): Promise<ExitCode> {
  const folders = defaultFolders(process.cwd());
  const { world } = usable(loadNamed(DEFAULT_SCENARIO, folders)).origin;
  const options = outsideOptions(values, world);
  if ('errors' in options) fail(exit.usage, ...options.errors);
  const suites = command.load(folders, world);
  const stop = interruption(process);
  void stop.came.then(() =>
    writeLine(
      process.stderr,
      'Interrupted. Restoring the data that was changed; press Ctrl-C again to stop immediately.',
    ),
  );
  const target = withRetries(anyServer(options.url));
  const map = (some: readonly Loaded[]) => some.map(loaded => mapped(loaded, options.names));
  const scenarios = { probes: map(suites.probes), suite: map(suites.suite) };
  try {
    return await play(command, scenarios, { options, target, signal: stop.signal, process });
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

async function play(command: RemoteCommand, suites: Suites<Mapped>, around: Surroundings): Promise<ExitCode> {
  const { options, target, signal, process } = around;
  const { names, url } = options;
  const all = [...suites.probes, ...suites.suite];
  const startedAt = new Date();
  const started = performance.now();
  await target.send({ method: 'GET', path: `${target.context}/`, headers: {} }); // fails if it does not respond
  if (await new RestApi(target, names).refusesPasswordOf(names.adminThere))
    end(exit.usage, `The server refuses the password of ${names.adminThere}. The first --as must be the admin.`);
  const prepared = await prepareRun(all, { target, names, run: freshRun(), signal }, options.isLossAccepted);
  const lines = planLines({ ...prepared, isLossAccepted: options.isLossAccepted });
  const desk = { input: process.stdin, output: process.stderr };
  const response = await consent(lines, `${target.url}${target.context}`, options.isConsentGiven, desk);
  if (response === 'not asked')
    end(
      exit.usage,
      'Nothing was changed. There is no terminal to ask for confirmation: add --yes to skip the question.',
    );
  if (response === 'refused' || signal.aborted) end(exit.usage, 'Nothing was changed.');
  let concluded: Conclusion;
  try {
    const absent = await absentFamilies(target, names, prepared.context.run);
    concluded = await command.conclude(suites, { ...prepared.context, absent }, { url, startedAt });
  } finally {
    await restore(prepared, process.stderr);
  }
  const { title, checks, readings } = concluded;
  const report = {
    tool: `cwx-fake ${command.name}`,
    version: packageVersion(),
    startedAt: startedAt.toISOString(),
    duration: performance.now() - started,
    title,
    checks,
    properties: { target: url, ...readings },
  };
  endChecks(report, process, { reports: options.reports, to: process[command.to] });
  return signal.aborted ? exit.interrupted : exitOf(concluded);
}

/** Restores what was saved, and prints what differs from before. */
async function restore({ context: { state, api }, spaces }: PreparedRun, stderr: Process['stderr']): Promise<void> {
  writeLines(
    stderr,
    (await state.restore()).map(left => `Not restored: ${left}.`),
  );
  const created: string[] = [];
  for (const key of spaces) if (await isThere(api, key)) created.push(key);
  if (created.length > 0) writeLine(stderr, `Spaces left on the server: ${created.join(', ')}.`);
}

/** A server that is away leaves it open. */
async function isThere(api: RestApi, key: string): Promise<boolean> {
  try {
    return typeof (await api.spaceName(key)) === 'string';
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return false;
  }
}

/** Throws what ended it, unless something failed before. */
function exitOf({ checks, ended }: Conclusion): ExitCode {
  const { passed, failed } = countsOf(checks);
  if (failed > 0) return exit.failed;
  if (ended instanceof Unreachable) throw ended;
  return ended === undefined && passed > 0 ? exit.passed : exit.empty;
}
