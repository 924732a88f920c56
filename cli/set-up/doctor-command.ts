// `cwx-fake doctor`: checks a set-up or a running fake. Prints each result as it comes, and ends with the totals.

import { type CheckResult, resultsOf } from '../../harness/doctor/check.js';
import { setupFrom, thisMachine } from '../../harness/doctor/doctor-setup.js';
import { exposureChecks } from '../../harness/doctor/exposure-checks.js';
import { fileChecks, machineChecks } from '../../harness/doctor/machine-checks.js';
import { storeChecks } from '../../harness/doctor/store-checks.js';
import { askTarget, targetChecks } from '../../harness/doctor/target-checks.js';
import { checkLines, verdictMarks } from '../../harness/report/render-checks.js';
import type { Check } from '../../harness/report/report.js';
import { counted } from '../../server/derive/text/counted.js';
import { withoutEndingSlashes } from '../../server/outgoing/parsed-url.js';
import { type Paint, painterFor } from '../../server/process/colors.js';
import { type Process, writeLine, writeLines } from '../../server/process/command-process.js';
import { packageVersion } from '../../server/process/package.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import { checkBaseUrl } from '../../server/settings/flag-checks.js';
import { type Flag, serveFlags } from '../../server/settings/serve-flags.js';
import type { FlagValues } from '../../server/settings/settings.js';
import { clashIn } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, exit, fail } from '../command/command.js';

export const doctorFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'check the running fake at this URL; then only --control-token, --client-cert and --client-key apply',
    example: 'http://127.0.0.1:8080',
    check: value => checkBaseUrl(value),
  },
  { name: 'json', description: 'print the results as JSON' },
  ...serveFlags,
];

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check the setup that serve would have with the same flags, or check a running fake. Each problem is shown with a fix.',
  usage: '[scenario]',
  flags: doctorFlags,
  examples: [
    ['cwx-fake doctor', 'check the defaults on this machine'],
    ['cwx-fake doctor my-team.yaml --store file:./sandboxes --host 0.0.0.0', 'check this scenario and these flags'],
    ['cwx-fake doctor --target http://127.0.0.1:8080', 'check a running fake'],
    ['cwx-fake doctor --json', 'print the results as JSON, for another program to read'],
  ],
  run: runDoctor,
};

const setupChecks = [...machineChecks, ...fileChecks, ...storeChecks, ...exposureChecks];
const markOf = { passed: verdictMarks.passed, warning: verdictMarks.warned, failed: verdictMarks.failed } as const;

async function runDoctor({ positionals, values }: Arguments, process: Process): Promise<ExitCode> {
  if (values.target !== undefined) return report(targetResults(values), values, process);
  const setup = setupFrom(positionals[0], values, thisMachine(process.env));
  const clash = clashIn(setup.settings);
  if (clash !== undefined) fail(exit.usage, clash.message);
  return report(resultsOf(setupChecks, setup), values, process);
}

async function report(
  results: AsyncIterable<CheckResult>,
  values: FlagValues,
  { stdout, env }: Process,
): Promise<ExitCode> {
  const paint = painterFor(stdout, env);
  const all: CheckResult[] = [];
  for await (const result of results) {
    all.push(result);
    const isKnown = all.some(({ fix }, i) => i < all.length - 1 && fix === result.fix);
    if (values.json !== true) writeLines(stdout, checkLines(checkOf(result, isKnown), paint));
  }
  const isPassed = all.every(({ verdict }) => verdict === 'passed');
  const json = { version: packageVersion(), passed: isPassed, checks: all };
  writeLine(stdout, values.json === true ? JSON.stringify(json, null, 2) : totalsOf(all, paint));
  if (all.some(({ check }) => check === AWAY)) return exit.unreachable;
  return isPassed ? exit.passed : exit.failed;
}

/** The check of a target that does not respond. */
const AWAY = 'reachable';

async function* targetResults({ target, 'control-token': token }: FlagValues): AsyncGenerator<CheckResult> {
  try {
    yield* resultsOf(targetChecks, await askTarget(withoutEndingSlashes(String(target)), token?.toString()));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    yield { check: AWAY, verdict: 'failed', message: `${error.message}.`, fix: 'Start the fake, or correct --target.' };
  }
}

/** `isKnown`: the fix has been printed. */
function checkOf({ check, verdict, message, fix }: CheckResult, isKnown: boolean): Check {
  return {
    ...{ suite: 'doctor', name: check, verdict: verdict === 'failed' ? 'failed' : 'passed', duration: 0 },
    ...(message !== undefined && { [verdict === 'warning' ? 'warning' : 'message']: message }),
    ...(fix !== undefined && !isKnown && { details: `Fix: ${fix}` }),
  };
}

function totalsOf(results: readonly CheckResult[], paint: Paint): string {
  const count = (verdict: CheckResult['verdict']) => results.filter(result => result.verdict === verdict).length;
  const [mark, colour] = markOf[count('failed') > 0 ? 'failed' : count('warning') > 0 ? 'warning' : 'passed'];
  const totals = `${count('passed')} passed, ${counted(count('warning'), 'warning')}, ${count('failed')} failed`;
  return paint(['bold', colour], `${mark} ${totals}`);
}
