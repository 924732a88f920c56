// Runs `cwx-fake sensitivity`: shows the plan, the progress and what came of it. Runs no suite itself.
import { availableParallelism } from 'node:os';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { ReadingChoice } from '../../operations/gaps/profiles.js';
import { type Output, type Process, writeLine, writeLines } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import { reportsIn } from '../../report/formats.js';
import { painter, wantsColour } from '../../report/paint.js';
import { writeReports } from '../../report/write.js';
import { loadReadings } from '../../scenario/load/readings-file.js';
import { isProblems, showProblem } from '../../scenario/yaml/problem.js';
import { settingsFrom } from '../../settings.js';
import { planText, sensitivityLines, sensitivityReport, unfitLines } from '../../verify/sensitivity/render-suite.js';
import { NoSuchCommand } from '../../verify/sensitivity/suite-command.js';
import {
  hasMet,
  reliesOn,
  type SuiteSensitivity,
  suiteSensitivity,
} from '../../verify/sensitivity/suite-sensitivity.js';
import type { Suite } from '../../verify/sensitivity/suite-trial.js';
import { type Arguments, type ExitCode, exit } from '../command.js';

/** The exit codes are those of design 10; a suite that met nothing is an empty run. */
export async function runSensitivity(args: Arguments, process: Process): Promise<ExitCode> {
  const { stderr } = process;
  const { values } = args;
  const file = typeof values.readings === 'string' ? loadReadings(values.readings) : { readings: {} };
  if (isProblems(file)) return end(stderr, file.problems.map(showProblem), exit.usage);
  const suite = suiteOf(args, file, process);
  const interrupted = new AbortController();
  const onSignal = () => interrupted.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, onSignal);
  const startedAt = new Date();
  try {
    const result = await suiteSensitivity(suite, options(args, suite, interrupted.signal, stderr));
    if (isProblems(result)) return end(stderr, result.problems.map(showProblem), exit.usage);
    if ('failed' in result) {
      if (interrupted.signal.aborted)
        return end(stderr, ['Interrupted before the suite had passed once.'], exit.interrupted);
      return end(stderr, unfitLines(result), exit.failed);
    }
    return conclude(result, args, startedAt, process);
  } catch (error) {
    if (error instanceof NoSuchCommand) return end(stderr, [`cwx-fake sensitivity: ${error.message}`], exit.usage);
    throw error;
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal);
  }
}

function suiteOf({ positionals, values }: Arguments, file: ReadingChoice, process: Process): Suite {
  const pairs = listOf(values.env).map(text => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]);
  const settings = settingsFrom(String(values.scenario ?? 'small-team'), { ...values, port: '0', log: 'silent' }, file);
  return {
    words: positionals,
    cwd: process.cwd(),
    env: process.env,
    variables: Object.fromEntries(pairs),
    ...(typeof values.timeout === 'string' && { timeout: Number(values.timeout) * 1000 }),
    settings,
  };
}

function options({ values }: Arguments, { settings }: Suite, signal: AbortSignal, stderr: Output) {
  const jobs = Number(values.jobs ?? Math.min(4, availableParallelism()));
  const isTerminal = stderr.isTTY === true;
  return {
    base: { ...(settings.profile && { profile: settings.profile }), readings: settings.readings },
    only: listOf(values.only) as GapId[], // each has been checked with its flag
    jobs,
    repeat: Number(values.repeat ?? 1),
    signal,
    planned: (...[plan, baseline]: Parameters<Parameters<typeof suiteSensitivity>[1]['planned']>) =>
      hasMet(baseline.coverage) && writeLine(stderr, planText(plan, baseline, jobs)),
    progressed: (done: number, failing: number, all: number) => {
      if (isTerminal) stderr.write(`\r${done} of ${all} runs, ${failing} failed${done === all ? '\r\x1b[K' : ''}`);
    },
  };
}

function conclude(result: SuiteSensitivity, args: Arguments, startedAt: Date, process: Process): ExitCode {
  const { positionals, values } = args;
  const { stdout, stderr, env } = process;
  const { baseline, plan, isInterrupted } = result;
  if (!isInterrupted && !hasMet(baseline.coverage))
    return end(stderr, nothingMet(listOf(values.env).length > 0), exit.empty);
  if (values.json === true) writeLine(stdout, JSON.stringify(jsonOf(result), null, 2));
  else writeLines(stdout, sensitivityLines(result, painter(wantsColour(stdout.isTTY === true, env))));
  const isStrict = values.strict === true;
  const about = { isStrict, command: positionals.join(' '), version: packageVersion(), startedAt };
  const print = (line: string) => writeLine(values.json === true ? stderr : stdout, line);
  writeLines(stderr, writeReports(sensitivityReport(result, about), reportsIn(values), { env, print }));
  if (isInterrupted) return exit.interrupted;
  if (listOf(values.only).length > 0 && plan.runs.length + plan.pinned.length === 0)
    return end(stderr, ['The suite meets none of the gaps that --only names.'], exit.empty);
  return isStrict && reliesOn(result).length > 0 ? exit.failed : exit.held;
}

function nothingMet(hasVariables: boolean): string[] {
  const how = hasVariables ? 'what --env names' : 'CWX_FAKE_URL, in a variable that --env names';
  return [
    `The suite passes, and none of its requests reached a fake: let it find the fake in ${how}, or make one in process with startFake() or createFake().`,
  ];
}

function jsonOf({ baseline, base, plan, tried, isInterrupted }: SuiteSensitivity): object {
  const { coverage, duration } = baseline;
  return {
    baseline: { duration: Math.round(duration), ...base, coverage },
    pinned: plan.pinned,
    tried,
    isInterrupted,
  };
}

function listOf(value: Arguments['values'][string]): string[] {
  return value === undefined || typeof value === 'boolean' ? [] : [value].flat().map(String);
}

function end(stderr: Output, lines: readonly string[], code: ExitCode): ExitCode {
  writeLines(stderr, lines);
  return code;
}
