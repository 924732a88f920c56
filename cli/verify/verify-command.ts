// `cwx-fake verify`: checks whether a server meets Pact contracts, and whether the document promises what they expect.

import { reportsIn } from '../../harness/report/formats.js';
import { unfinishedReport, writeReports } from '../../harness/report/write.js';
import { isGood, type PublishOptions, publishResults } from '../../harness/verify/broker/publish.js';
import type { Contract } from '../../harness/verify/contract/contract.js';
import type { Verdict, Verification } from '../../harness/verify/contract/verdict.js';
import { gather } from '../../harness/verify/gather.js';
import { Unverifiable } from '../../harness/verify/providers/provider.js';
import { sensitivities } from '../../harness/verify/results/contract-sensitivity.js';
import { showSensitivities } from '../../harness/verify/results/render-sensitivity.js';
import { contractLines, exercisedText, gapLines } from '../../harness/verify/results/render-verification.js';
import { byContract, type ContractVerdicts, totalsOf } from '../../harness/verify/results/totals.js';
import { verificationJson } from '../../harness/verify/results/verification-json.js';
import { reportOn } from '../../harness/verify/results/verify-report.js';
import { verify as verifyContracts } from '../../harness/verify/verify.js';
import { counted } from '../../server/derive/text/counted.js';
import { visible } from '../../server/derive/text/visible.js';
import { painterFor } from '../../server/process/colors.js';
import { type Process, writeLines } from '../../server/process/command-process.js';
import { packageVersion } from '../../server/process/package.js';
import { readingsFrom } from '../../server/scenario/load/readings-file.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import { isProblems, showProblem } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { type Arguments, type Command, type ExitCode, exit } from '../command/command.js';
import { endChecks } from '../terminal/show-checks.js';
import { fittedLines } from '../terminal/wrap.js';
import { refusalToVerify } from './verify-consent.js';
import { type VerifyCommand, verifyCommand, verifyFlags } from './verify-flags.js';

export const verify: Command = {
  name: 'verify',
  summary: 'Verify Pact contracts, and report where a client relies on behaviour that the document does not promise.',
  usage: '<pact file, folder, URL or broker…>',
  minArgs: 0, // PACT_BROKER_BASE_URL may replace it
  maxArgs: Number.POSITIVE_INFINITY,
  flags: verifyFlags,
  examples: [
    ['cwx-fake verify pacts/', 'verify every pact in a folder against a fake'],
    ['cwx-fake verify pacts/web-push-pull.json --sensitivity', 'also try every alternative reading'],
    ['cwx-fake verify pacts/ --strict --report junit=pacts.xml,github', 'in CI'],
    ['cwx-fake verify pacts/ --target https://wiki.example.com --yes', 'verify another server, without asking first'],
    [
      'cwx-fake verify https://broker.example.com --selector mainBranch --publish --provider-version 1.2.3',
      'verify the pacts in a broker and publish the results',
    ],
  ],
  run: runVerify,
};

async function runVerify({ positionals, values }: Arguments, process: Process): Promise<ExitCode> {
  const wanted = reportsIn(values);
  const outlets = { env: process.env, print: () => {} };
  const end = (lines: readonly string[], how: 'usage' | 'unreachable'): ExitCode => {
    const nothing = unfinishedReport({ tool: 'cwx-fake verify', version: packageVersion(), errors: lines });
    const unwritten = writeReports(nothing, { ...wanted, github: false }, outlets);
    writeLines(process.stderr, [...lines, ...unwritten]);
    return exit[how];
  };
  const command = verifyCommand(positionals, values, process.env);
  if ('errors' in command)
    return end(
      command.errors.map(error => `cwx-fake verify: ${error}`),
      'usage',
    );
  const file = readingsFrom(values.readings);
  if (isProblems(file)) return end(file.problems.map(showProblem), 'usage');
  const { profile, readings } = settingsFrom(undefined, values, file);
  const { contracts: all, problems, notices, unreachable } = await gather(command.words, command.gather);
  const contracts = selected(all, command.selected);
  writeLines(process.stderr, [...notices, ...leftOut(all, contracts)]);
  if (problems.length > 0) return end([...problems, ...unreachable], 'usage');
  if (unreachable.length > 0) return end(unreachable, 'unreachable');
  try {
    const refusal = command.target && (await refusalToVerify(contracts, command.target, values.yes === true, process));
    if (refusal !== undefined) return end([refusal], 'usage');
    const verification = await verifyContracts(contracts, { ...command, profile, readings });
    const code = await conclude(verification, command, process);
    return contracts.some(({ unreadable }) => unreadable.length > 0) ? exit.usage : code;
  } catch (error) {
    if (error instanceof Unreachable) return end([error.message], 'unreachable');
    if (error instanceof Unverifiable) return end([error.message], 'usage');
    throw error;
  }
}

/** The contracts with the interactions that the flags select: by parts of their descriptions, states and consumers. */
function selected(
  contracts: readonly Contract[],
  { only = '', state = '', consumer = '' }: VerifyCommand['selected'],
): Contract[] {
  const isAll = only + state === '';
  return contracts
    .filter(contract => contract.consumer.includes(consumer))
    .map(contract => ({
      ...contract,
      unreadable: contract.unreadable.filter(one => isAll || (state === '' && one.description.includes(only))),
      interactions: contract.interactions.filter(
        ({ description, states }) =>
          description.includes(only) && (state === '' || states.some(({ name }) => name.includes(state))),
      ),
    }));
}

function leftOut(all: readonly Contract[], kept: readonly Contract[]): string[] {
  const count = (some: readonly Contract[]) => some.reduce((sum, { interactions }) => sum + interactions.length, 0);
  const left = count(all) - count(kept);
  return left === 0 ? [] : [`${counted(left, 'interaction')} left out by --only, --state or --consumer.`];
}

/** Users who ask the broker whether to deploy might take it for the real provider. */
function ofTheFake(verdicts: readonly Verdict[], { providerVersion, isStrict }: PublishOptions): string[] {
  const results = byContract(verdicts).flatMap(({ contract: { broker, consumer, provider }, verdicts: own }) => {
    const result = own.every(one => isGood(one, isStrict)) ? 'passed' : 'failed';
    return broker === undefined ? [] : [`${consumer} with ${provider} ${result}`];
  });
  if (results.length === 0) return [];
  return [
    `Publishing the results of a fake as version ${providerVersion}: ${visible(results.join(', '))}. To verify a real server, use --target.`,
  ];
}

/** Shows, reports and publishes. */
async function conclude(verification: Verification, command: VerifyCommand, process: Process): Promise<ExitCode> {
  const { stdout, stderr, env } = process;
  const { isStrict, isSensitive, isJson, reports, publish } = command;
  const { verdicts, notices } = verification;
  const options = { isStrict, version: packageVersion() };
  const totals = totalsOf(verdicts, isStrict);
  writeLines(stderr, notices);
  if (!isJson) {
    const paint = painterFor(stdout, env);
    const lines = [
      ...byContract(verdicts).flatMap(one => contractLines(one, isStrict, paint)),
      ...(isSensitive ? showSensitivities(sensitivities(verdicts), paint) : []),
      ...gapLines(verdicts, paint),
      exercisedText(totals.exercised),
    ];
    writeLines(stdout, fittedLines(lines, stdout));
  }
  endChecks(reportOn(verification, options), process, {
    reports,
    json: isJson ? verificationJson(verification, options) : undefined,
  });
  let problems: readonly string[] = [];
  if (publish !== undefined) {
    if (command.target === undefined) writeLines(stderr, ofTheFake(verdicts, publish));
    problems = await publishResults(verification, publish);
    writeLines(stderr, problems);
  }
  const isPublished = publish !== undefined && problems.length === 0;
  writeLines(
    stderr,
    byContract(verdicts).flatMap(one => laterNotices(one, isStrict, isPublished)),
  );
  if (totals.counting > 0) return exit.failed;
  return totals.passed + totals.failed > 0 ? exit.passed : exit.empty;
}

/** The broker's notices for this result: `after_verification:success_true_published_false`. */
function laterNotices({ contract, verdicts }: ContractVerdicts, isStrict: boolean, isPublished: boolean): string[] {
  const isSuccess = verdicts.every(verdict => isGood(verdict, isStrict));
  const result = `after_verification:success_${isSuccess}_published_${isPublished}`;
  const { later = [] } = contract.broker ?? {};
  return later.filter(({ when }) => when === result || when === 'after_verification').map(({ text }) => visible(text));
}
