// What `cwx-fake calibrate` does: what it changes there it tells first, asks for, and puts back. The readings go to standard output,
// everything else to standard error. Concludes nothing itself.

import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { type Output, type Process, writeLine, writeLines } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import { type Calibration, calibrate } from '../../remote/calibrate/calibrate.js';
import { loadProbes } from '../../remote/calibrate/probes.js';
import { readingsText } from '../../remote/calibrate/readings-text.js';
import { reportOn, showCount, showFinding } from '../../remote/calibrate/render-findings.js';
import type { Change } from '../../remote/changes/changes.js';
import { cleanUp } from '../../remote/changes/cleanup.js';
import { interruption } from '../../remote/changes/interruption.js';
import { freshRun, type Planned, planOf } from '../../remote/changes/plan.js';
import { showStaying } from '../../remote/changes/render-changes.js';
import { begin } from '../../remote/changes/start-run.js';
import { type OutsideOptions, outsideOptions } from '../../remote/remote-flags.js';
import { anyServer } from '../../remote/target/any-server.js';
import { NOTHING, shownBy, tellShown, viewsOf } from '../../remote/target/host-view.js';
import { limited } from '../../remote/target/side-by-side.js';
import { writeReports } from '../../report/write.js';
import { defaultFolders } from '../../scenario/load/folders.js';
import { loadNamed } from '../../scenario/load/load.js';
import type { Loaded } from '../../scenario/load/story.js';
import { type Target, Unreachable } from '../../scenario/play/target.js';
import { isProblems, showProblem } from '../../scenario/yaml/problem.js';
import { DEFAULT_SCENARIO } from '../../settings.js';
import { type Arguments, type ExitCode, exit } from '../command.js';

export async function runCalibrate({ values }: Arguments, process: Process): Promise<ExitCode> {
  const folders = defaultFolders(process.cwd());
  const fixture = loadNamed(DEFAULT_SCENARIO, folders);
  if (isProblems(fixture)) return fail(process, fixture.problems.map(showProblem));
  const options = outsideOptions(values, fixture.origin.world);
  if ('mistakes' in options)
    return fail(
      process,
      options.mistakes.map(mistake => `cwx-fake calibrate: ${mistake}`),
    );
  const loaded = loadProbes(folders);
  if (isProblems(loaded)) return fail(process, loaded.problems.map(showProblem));
  // What a probe needs besides the fixture it looks for itself, so the world there may well have it.
  const probes = loaded.map(probe => ({ ...probe, origin: { ...probe.origin, world: fixture.origin.world } }));
  const stop = interruption(process);
  try {
    return await ask(options, probes, { process, signal: stop.signal });
  } finally {
    stop.release();
  }
}

async function ask(
  options: OutsideOptions,
  probes: readonly Loaded[],
  { process, signal }: { readonly process: Process; readonly signal: AbortSignal },
): Promise<ExitCode> {
  const { stdin, stdout, stderr, env } = process;
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const run = freshRun();
  const planned = await planOf(probes, options.names, run);
  if (isProblems(planned)) return fail(process, planned.problems.map(showProblem));
  const target = limited(anyServer(options.url), options.jobs);
  try {
    const notBegun = await begin(planned, target, options, { input: stdin, output: stderr });
    if (notBegun !== undefined)
      return end(process, notBegun.says, notBegun.because === 'unreachable' ? 'unreachable' : 'usage');
    writeLine(stderr, `This run is called ${run}.`);
    const calibration = await calibrated(planned, target, { options, run, signal, stderr });
    writeLine(stderr, showCount(calibration));
    const occasion = { target: options.url, version: packageVersion(), at: startedAt };
    stdout.write(readingsText(calibration, occasion));
    const report = reportOn(calibration, occasion, performance.now() - started);
    const outlets = { env, print: (line: string) => writeLine(stderr, line) }; // standard output is for the readings
    writeLines(stderr, writeReports(report, options.reports, outlets));
    return Object.keys(calibration.readings).length > 0 ? exit.held : exit.empty;
  } catch (error) {
    if (error instanceof Unreachable) return end(process, error.message, 'unreachable');
    throw error;
  } finally {
    await target.close();
  }
}

interface Run {
  readonly options: OutsideOptions;
  readonly run: string;
  readonly signal: AbortSignal;
  readonly stderr: Output;
}

/** Asks, and puts back what was changed by it, whatever becomes of it. */
async function calibrated(
  planned: readonly Planned[],
  target: Target,
  { options: { names, jobs, isReadingBack }, run, signal, stderr }: Run,
): Promise<Calibration> {
  const shown = isReadingBack ? await shownBy({ target, names, run }) : NOTHING;
  tellShown(stderr, shown);
  const changes: Change[] = [];
  let known: SomeReadings = {};
  try {
    const calibration = await calibrate(
      target,
      planned.map(({ mapped }) => mapped),
      {
        admin: names.real('user', names.admin) ?? names.admin,
        passwords: names.passwords,
        run,
        signal,
        jobs,
        views: viewsOf(planned, { target, names, run }, shown),
        told: finding => {
          if ('reading' in finding) known = { ...known, [finding.gap]: finding.reading };
          writeLines(stderr, showFinding(finding));
        },
        asked: (probe, index, received) => {
          const { status = 0 } = received ?? {};
          const plan = planned.find(({ mapped }) => mapped === probe);
          if (status < 400 || status >= 500) changes.push(...(plan?.changes[index] ?? []));
        },
      },
    );
    return calibration;
  } finally {
    const { stays, left } = await cleanUp(changes, { target, names, known });
    for (const one of left) writeLine(stderr, `Could not be put back: ${one}`);
    for (const one of showStaying(stays, names)) writeLine(stderr, `Stays there: ${one}.`);
  }
}

function end({ stderr }: Process, says: string, how: 'unreachable' | 'usage'): ExitCode {
  writeLine(stderr, says);
  return exit[how];
}

function fail({ stderr }: Process, lines: readonly string[]): ExitCode {
  writeLines(stderr, lines);
  return exit.usage;
}
