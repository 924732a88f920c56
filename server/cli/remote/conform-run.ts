// What `cwx-fake conform` does: what it changes there it tells first, asks for, and puts back.
// Judges nothing itself.

import { type Output, type Process, writeLine, writeLines } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import { loadProbes } from '../../remote/calibrate/probes.js';
import { each } from '../../remote/changes/changes.js';
import type { Cleanup } from '../../remote/changes/cleanup.js';
import { interruption } from '../../remote/changes/interruption.js';
import { freshRun, planOf } from '../../remote/changes/plan.js';
import { showStaying } from '../../remote/changes/render-changes.js';
import { begin, type NotBegun } from '../../remote/changes/start-run.js';
import { reportOn } from '../../remote/conform/conform-report.js';
import { OwnServer } from '../../remote/conform/diagnosis/own-server.js';
import { type Examination, examine } from '../../remote/conform/examine.js';
import { probesFor } from '../../remote/conform/knowledge.js';
import type { Run } from '../../remote/conform/play-suite.js';
import { showSummary, showVerdict } from '../../remote/conform/render-verdicts.js';
import { ruleIds, rulesMeant, suiteFor } from '../../remote/conform/suite.js';
import { type Verdict, verdictsOn } from '../../remote/conform/verdicts.js';
import type { NamesThere } from '../../remote/names/name-map.js';
import { type OutsideOptions, outsideOptions } from '../../remote/remote-flags.js';
import { anyServer } from '../../remote/target/any-server.js';
import { NOTHING, shownBy, tellShown } from '../../remote/target/host-view.js';
import { limited } from '../../remote/target/side-by-side.js';
import { type SteadyTarget, steady } from '../../remote/target/steady-target.js';
import { painter, wantsColour } from '../../report/paint.js';
import { writeReports } from '../../report/write.js';
import { defaultFolders } from '../../scenario/load/folders.js';
import { loadNamed } from '../../scenario/load/load.js';
import type { Loaded } from '../../scenario/load/story.js';
import { isProblems, showProblem } from '../../scenario/yaml/problem.js';
import { DEFAULT_SCENARIO, type FlagValues } from '../../settings.js';
import { type Arguments, type ExitCode, exit } from '../command.js';

export async function runConform({ values }: Arguments, process: Process): Promise<ExitCode> {
  const folders = defaultFolders(process.cwd());
  const fixture = loadNamed(DEFAULT_SCENARIO, folders);
  if (isProblems(fixture)) return fail(process, fixture.problems.map(showProblem));
  const options = outsideOptions(values, fixture.origin.world);
  if ('mistakes' in options)
    return fail(
      process,
      options.mistakes.map(mistake => `cwx-fake conform: ${mistake}`),
    );
  const wanted = wantedRules(values);
  const suite = suiteFor(wanted, folders);
  if (isProblems(suite)) return fail(process, suite.problems.map(showProblem));
  const all = loadProbes(folders);
  if (isProblems(all)) return fail(process, all.problems.map(showProblem));
  const stop = interruption(process);
  const target = limited(steady(anyServer(options.url)), options.jobs);
  try {
    return await ask({
      options,
      wanted,
      suite,
      probes: probesFor(suite, all, fixture.origin.world),
      target,
      signal: stop.signal,
      process,
    });
  } finally {
    stop.release();
    await target.close();
  }
}

interface Asking {
  readonly options: OutsideOptions;
  readonly wanted: readonly string[];
  readonly suite: readonly Loaded[];
  readonly probes: readonly Loaded[];
  readonly target: SteadyTarget;
  readonly signal: AbortSignal;
  readonly process: Process;
}

async function ask({ options, wanted, suite, probes, target, signal, process }: Asking): Promise<ExitCode> {
  const { names, url, reports, jobs } = options;
  const { stdin, stdout, stderr, env } = process;
  const startedAt = new Date();
  const started = performance.now();
  const run = freshRun();
  const planned = await planOf(suite, names, run);
  if (isProblems(planned)) return fail(process, planned.problems.map(showProblem));
  const first = await planOf(probes, names, run);
  if (isProblems(first)) return fail(process, first.problems.map(showProblem));
  const desk = { input: stdin, output: stderr };
  const notBegun = await begin([...first, ...planned], target, options, desk);
  if (notBegun !== undefined) return failToBegin(process, notBegun);
  if (signal.aborted) return failToBegin(process, { because: 'refused', says: 'Nothing was changed.' });
  writeLine(stderr, `This run is called ${run}.`);
  const shown = options.isReadingBack ? await shownBy({ target, names, run }) : NOTHING;
  tellShown(stderr, shown);
  const own = await OwnServer.like({ names, run });
  const examination = await examine({ probes: first, suite: planned }, target, {
    names,
    run,
    signal,
    own,
    jobs,
    shown,
  }).finally(() => own.end());
  const { known, played, cleanups, ended } = examination;
  tellReadings(stderr, examination);
  tellCleanup(stderr, cleanups, names);
  if (played === undefined) return failToBegin(process, { because: 'unreachable', says: ended?.message ?? '' });
  const admin = names.real('user', names.admin) ?? names.admin;
  const verdicts = verdictsOn(wanted, played.run.files, admin, played.controls);
  show(process, verdicts, url);
  const duration = performance.now() - started;
  const report = reportOn({ verdicts, url, known, version: packageVersion(), startedAt, duration });
  writeLines(stderr, writeReports(report, reports, { env, print: line => writeLine(stdout, line) }));
  tellChances(stderr, target);
  return outcome(process, verdicts, played.run);
}

function tellReadings(stderr: Output, { known, calibration }: Examination): void {
  if (calibration === undefined) return;
  const found = Object.entries(known).map(([gap, reading]) => `${gap}=${reading}`);
  writeLine(stderr, `Readings found: ${found.join(', ') || 'none'}.`);
}

/** A server that answers the same request in two ways. */
function tellChances(stderr: Output, { chances }: SteadyTarget): void {
  const [first, ...others] = chances;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` ${others.length} more requests were answered in two ways.`;
  writeLine(stderr, `The server fails at random: ${first}.${more}`);
}

function wantedRules({ only: words }: FlagValues): readonly string[] {
  if (!Array.isArray(words)) return ruleIds;
  const meant = words.flatMap(word => {
    const rules = rulesMeant(String(word));
    return 'problem' in rules ? [] : rules; // each has been checked with its flag
  });
  return ruleIds.filter(rule => meant.includes(rule));
}

function show({ stdout, env }: Process, verdicts: readonly Verdict[], url: string): void {
  const paint = painter(wantsColour(stdout.isTTY === true, env));
  for (const verdict of verdicts) writeLines(stdout, showVerdict(verdict, url, paint));
  writeLine(stdout, showSummary(verdicts));
}

function tellCleanup(stderr: Output, cleanups: readonly Cleanup[], names: NamesThere): void {
  for (const one of new Set(cleanups.flatMap(({ left }) => left))) writeLine(stderr, `Could not be put back: ${one}.`);
  const stays = each(cleanups.flatMap(cleanup => cleanup.stays));
  for (const one of showStaying(stays, names)) writeLine(stderr, `Stays there: ${one}.`);
}

function outcome({ stderr }: Process, verdicts: readonly Verdict[], { ended }: Run): ExitCode {
  if (verdicts.some(({ judgement }) => judgement === 'contradicts')) return exit.failed;
  if (ended !== undefined && ended !== 'interrupted') {
    writeLine(stderr, ended.message);
    return exit.unreachable;
  }
  const isWhole = ended === undefined;
  return isWhole && verdicts.some(({ judgement }) => judgement === 'conforms') ? exit.held : exit.empty;
}

function failToBegin({ stderr }: Process, { because, says }: NotBegun): ExitCode {
  writeLine(stderr, says);
  return because === 'unreachable' ? exit.unreachable : exit.usage;
}

function fail({ stderr }: Process, lines: readonly string[]): ExitCode {
  writeLines(stderr, lines);
  return exit.usage;
}
