// One run against a server that is not ours, of which `conform` and `calibrate` are two conclusions: reads what it is going to change, asks for
// consent, lets the command play, restores, and reports.

import { consent, planLines } from '../../harness/changes/plan-text.js';
import { RefusesChanges } from '../../harness/changes/server-state.js';
import { type Mapped, mapped } from '../../harness/names/mapped-steps.js';
import { countsOf, type Report } from '../../harness/report/report.js';
import { freshRun, type PreparedRun, prepareRun, type RunContext, servedApi } from '../../harness/run/run-context.js';
import { absentFamilies } from '../../harness/run/served-apis.js';
import { otherServers } from '../../harness/target/other-servers.js';
import { PatientTarget } from '../../harness/target/patient-target.js';
import { RestApi } from '../../harness/target/rest-api.js';
import { counted } from '../../server/derive/text/counted.js';
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
import { type OutsideOptions, outsideOptions } from './remote-flags.js';

export interface RemoteCommand {
  readonly name: 'calibrate' | 'conform';
  /** The stream for totals and annotations: `calibrate` writes its readings to standard output. */
  readonly to: 'stdout' | 'stderr';
  /** `world`: of the fixture. */
  load(folders: Folders, world: World): Suites<Loaded>;
  /** Does something else that changes nothing on the server. */
  readonly instead?: ((api: RestApi, options: OutsideOptions) => Promise<ExitCode>) | undefined;
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
  /** Number of rules that a sound server would have shown, but this one has not. */
  readonly missed?: number;
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
  const { stale, wiki, tracker, names } = options;
  const servers = otherServers(wiki, tracker, names);
  const target = new PatientTarget(servers, { stale }, stop.signal, text => writeLine(process.stderr, text));
  const map = (some: readonly Loaded[]) => some.map(loaded => mapped(loaded, options.names));
  const scenarios = { probes: map(suites.probes), suite: map(suites.suite) };
  try {
    return await play(command, scenarios, { options, target, signal: stop.signal, process });
  } catch (error) {
    if (stop.signal.aborted && error instanceof Unreachable) return exit.interrupted;
    throw error;
  } finally {
    stop.release();
    await target.close();
  }
}

interface Surroundings {
  readonly options: OutsideOptions;
  readonly target: PatientTarget;
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
    end(
      exit.usage,
      `The server refuses the credentials of ${names.adminThere}. The first --as must be the admin; a token or session goes into --header.`,
    );
  if (command.instead !== undefined) return command.instead(await servedApi(target, names), options);
  const prepared = await prepareRun(all, { target, names, run: freshRun(), signal }, options.isLossAccepted);
  if (signal.aborted) end(exit.interrupted, 'Nothing was changed.');
  const lines = planLines({ ...prepared, isLossAccepted: options.isLossAccepted });
  const desk = { input: process.stdin, output: process.stderr };
  const response = await consent(lines, url, options.isConsentGiven, desk);
  if (response === 'not asked')
    end(
      exit.usage,
      'Nothing was changed. There is no terminal to ask for confirmation: add --yes to skip the question.',
    );
  if (response === 'refused' || signal.aborted) end(exit.usage, 'Nothing was changed.');
  let concluded: Conclusion;
  let isRestored = false;
  try {
    const absent = await absentFamilies(target, names, prepared.context.run);
    if (command.name === 'conform') endIfUseless(absent, target);
    concluded = await command.conclude(suites, { ...prepared.context, absent }, { url, startedAt });
  } catch (error) {
    if (error instanceof RefusesChanges) end(exit.empty, `Nothing can be determined. ${error.message}.`);
    throw error;
  } finally {
    isRestored = await restore(prepared, process.stderr);
    writeLines(process.stderr, target.notes);
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
  const { missed = 0 } = concluded;
  if (missed > 0)
    writeLine(
      process.stderr,
      `Undetermined although a sound server would show them: ${counted(missed, 'rule')}. The lines marked – give the reasons; --allow-undetermined accepts them.`,
    );
  return signal.aborted ? exit.interrupted : exitOf(concluded, isRestored);
}

/** Ends a run in which every given API refuses the admin. */
function endIfUseless(absent: RunContext['absent'], { notGiven }: PatientTarget): void {
  const reasons = [...absent.values()].filter(({ why }) => ![...notGiven.values()].includes(why));
  if (absent.size < 2 || reasons.some(({ refusal }) => refusal === undefined)) return;
  end(exit.empty, `Nothing can be determined: ${[...new Set(reasons.map(({ why }) => why))].join('; ')}.`);
}

/** Restores what was saved, and prints what differs from before. Returns whether nothing does. */
async function restore(
  { context: { state, api, target }, spaces }: PreparedRun,
  stderr: Process['stderr'],
): Promise<boolean> {
  const left = await state.restore();
  writeLines(
    stderr,
    left.map(one => `Not restored: ${one}.`),
  );
  const [created, unknown]: [string[], string[]] = [[], []];
  const names = await Promise.all(spaces.map(key => spaceName(api, key)));
  for (const [i, key] of spaces.entries()) {
    const name = names[i];
    if (typeof name === 'string') created.push(key);
    else if (name === undefined && target.copies.has(key)) unknown.push(key);
  }
  if (created.length > 0) writeLine(stderr, `Spaces left on the server: ${created.join(', ')}.`);
  if (unknown.length > 0) writeLine(stderr, `Spaces perhaps left, which could not be read: ${unknown.join(', ')}.`);
  return left.length === 0;
}

/** A server that is away leaves it open. */
async function spaceName(api: RestApi, key: string): Promise<string | null | undefined> {
  try {
    return await api.spaceName(key);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return undefined;
  }
}

/** Throws what ended it, unless something failed before. */
function exitOf({ checks, ended, missed = 0 }: Conclusion, isRestored: boolean): ExitCode {
  const { passed, failed } = countsOf(checks);
  if (failed > 0) return exit.failed;
  if (ended instanceof Unreachable) throw ended;
  return ended === undefined && passed > 0 && missed === 0 && isRestored ? exit.passed : exit.empty;
}
