// `cwx-fake sensitivity`: runs a test suite under every other reading, and shows the plan, the progress and the result.

import { availableParallelism } from 'node:os';
import { reportFlag, reportsIn } from '../../harness/report/formats.js';
import {
  conclusionLines,
  planText,
  sensitivityReport,
  unfitLines,
  unreachedLines,
} from '../../harness/sensitivity/render-suite.js';
import { NoSuchCommand } from '../../harness/sensitivity/suite-command.js';
import {
  hasMet,
  isUndecided,
  reliesBeside,
  reliesOn,
  type SensitivityOptions,
  type SuiteSensitivity,
  suiteSensitivity,
} from '../../harness/sensitivity/suite-sensitivity.js';
import type { SuiteSettings } from '../../harness/sensitivity/suite-trial.js';
import { nearest } from '../../server/engine/nearest.js';
import { type GapId, gapIds, isGapId } from '../../server/operations/gaps/gaps.js';
import type { ReadingChoice } from '../../server/operations/gaps/profiles.js';
import { type OutputStream, type Process, writeLine, writeLines } from '../../server/process/command-process.js';
import { interruption } from '../../server/process/interruption.js';
import { packageVersion } from '../../server/process/package.js';
import { readingsFrom } from '../../server/scenario/load/readings-file.js';
import { checkWholeNumber } from '../../server/settings/flag-checks.js';
import { type Flag, flagsOfServe } from '../../server/settings/serve-flags.js';
import { listOf, settingsFrom } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, end, exit, fail, usable } from '../command/command.js';
import { endChecks, showChecks } from '../terminal/show-checks.js';
import { fittedLines } from '../terminal/wrap.js';

const VARIABLE = /^[A-Za-z_]\w*=/;

export const sensitivityFlags: readonly Flag[] = [
  {
    name: 'only',
    value: 'gap',
    description: 'try only the readings of this gap; repeatable',
    example: 'unknown-user',
    repeatable: true,
    check: gap => (isGapId(gap) ? undefined : `unknown gap${nearest(gap, gapIds)}`),
  },
  {
    name: 'env',
    value: 'NAME={url}/path',
    description: "variable to set to the fake's URL; CWX_FAKE_URL is always set; repeatable",
    example: 'API_BASE={url}/wiki',
    repeatable: true,
    separator: '\n',
    check: text => (VARIABLE.test(text) ? undefined : 'it must be NAME={url} or NAME={url}/path'),
  },
  {
    name: 'jobs',
    value: 'n',
    description: 'maximum parallel runs; default: one for each processor, but at most 4',
    example: '2',
    check: checkWholeNumber(1, 64),
  },
  {
    name: 'repeat',
    value: 'n',
    description: 'number of runs with unchanged readings before the others, to detect a flaky suite',
    default: '1',
    check: checkWholeNumber(1, 1000),
  },
  {
    name: 'timeout',
    value: 's',
    description:
      "timeout of a run in seconds; default: 300 for the first run, then ten times that run's duration, but at least 10",
    example: '600',
    check: checkWholeNumber(1, 86_400),
  },
  { name: 'scenario', value: 's', description: 'the scenario of the fake', default: 'small-team' },
  ...flagsOfServe('profile', 'reading', 'readings', 'fixtures', 'scenarios'),
  { name: 'strict', description: 'fail if the suite relies on a guess' },
  reportFlag,
  { name: 'json', description: 'print the results as JSON instead of text' },
];

export const sensitivity: Command = {
  name: 'sensitivity',
  summary:
    'Run a test suite once under each alternative reading of the gaps it touches, and report the guesses it relies on.',
  usage: '-- <command…>',
  minArgs: 1,
  maxArgs: Number.POSITIVE_INFINITY,
  flags: sensitivityFlags,
  examples: [
    ['cwx-fake sensitivity -- npm test', 'a suite that creates the fake in its own process, or reads CWX_FAKE_URL'],
    ["cwx-fake sensitivity --env 'API_BASE={url}/wiki' -- pytest", 'a suite that reads another variable'],
    ['cwx-fake sensitivity --only unknown-user --strict -- npx mocha', 'one gap only; fail if the suite relies on it'],
  ],
  run: runSensitivity,
};

/** A suite that met nothing is an empty run. */
async function runSensitivity(args: Arguments, process: Process): Promise<ExitCode> {
  const { stderr } = process;
  const { values } = args;
  const suite = suiteOf(args, usable(readingsFrom(values.readings)), process);
  const interrupted = interruption(process);
  const startedAt = new Date();
  try {
    const result = usable(await suiteSensitivity(suite, options(args, suite, interrupted.signal, stderr)));
    if ('failed' in result) {
      if (interrupted.signal.aborted) end(exit.interrupted, 'Interrupted before the first run ended.');
      if (!result.trials.some(({ coverage }) => hasMet(coverage)))
        end(exit.empty, ...unreachedLines(result, nothingMet(listOf(values.env).length > 0)));
      end(exit.failed, ...unfitLines(result));
    }
    return conclude(result, args, startedAt, process);
  } catch (error) {
    if (error instanceof NoSuchCommand) fail(exit.usage, error.message);
    throw error;
  } finally {
    interrupted.release();
  }
}

function suiteOf({ positionals, values }: Arguments, file: ReadingChoice, process: Process): SuiteSettings {
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

function options(
  { values }: Arguments,
  { settings }: SuiteSettings,
  signal: AbortSignal,
  stderr: OutputStream,
): SensitivityOptions {
  const jobs = Number(values.jobs ?? Math.min(4, availableParallelism()));
  const isTerminal = stderr.isTTY === true;
  return {
    base: { ...(settings.profile && { profile: settings.profile }), readings: settings.readings },
    only: listOf(values.only) as GapId[], // each has been checked with its flag
    jobs,
    repeat: Number(values.repeat ?? 1),
    signal,
    planned: (plan, baseline) => hasMet(baseline.coverage) && writeLine(stderr, planText(plan, baseline, jobs)),
    progressed: (done, failing, all) => {
      if (isTerminal) stderr.write(`\r${done} of ${all} runs, ${failing} failed${done === all ? '\r\x1b[K' : ''}`);
    },
  };
}

function conclude(result: SuiteSensitivity, args: Arguments, startedAt: Date, process: Process): ExitCode {
  const { positionals, values } = args;
  const { stdout, env } = process;
  const { baseline, base, plan, tried, isInterrupted } = result;
  if (!isInterrupted && !hasMet(baseline.coverage)) end(exit.empty, nothingMet(listOf(values.env).length > 0));
  const isStrict = values.strict === true;
  const { coverage, duration } = baseline;
  const shown = {
    baseline: { duration: Math.round(duration), ...base, coverage },
    pinned: plan.pinned,
    tried,
    others: result.others,
    isInterrupted,
  };
  const json = values.json === true ? shown : undefined;
  const about = { isStrict, command: positionals.join(' '), version: packageVersion(), startedAt };
  const report = sensitivityReport(result, about);
  if (json === undefined) {
    showChecks(report.checks, stdout, env);
    writeLines(stdout, fittedLines(conclusionLines(result), stdout));
  }
  endChecks(report, process, { reports: reportsIn(values), json });
  if (isInterrupted) return exit.interrupted;
  if (listOf(values.only).length > 0 && plan.runs.length + plan.pinned.length === 0)
    end(exit.empty, 'The suite touches none of the gaps given with --only.');
  if (isUndecided(result)) return exit.empty;
  return isStrict && reliesOn(result).length + reliesBeside(result).length > 0 ? exit.failed : exit.passed;
}

function nothingMet(hasVariables: boolean): string {
  const how = hasVariables ? 'the variables of --env' : 'CWX_FAKE_URL or the variables of --env';
  return `None of the suite's requests reached a fake: make it read the URL of the fake from ${how}, or create the fake in its own process with startFake() or createFake().`;
}
