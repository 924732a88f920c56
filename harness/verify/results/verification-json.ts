// A verification as JSON, as verification-format.ts describes it. Without credentials.
import { type Finding, showFinding } from '../../../server/derive/document/document-check.js';
import { isSecretName, redactBody, redactHeader, redactUrl } from '../../../server/engine/secrets.js';
import { gapIds, gapSpec } from '../../../server/operations/gaps/gaps.js';
import { type Sensitivity, sensitivities } from '../../sensitivity/contract-sensitivity.js';
import { addressBreaks } from '../judging/address-reliance.js';
import { counts, type Exchange, type Verdict, type Verification } from '../verdict.js';
import { classificationText } from './render-classification.js';
import { shownState } from './render-interaction.js';
import { conclusion } from './render-sensitivity.js';
import { byContract, type ContractVerdicts, totalsOf } from './totals.js';

export interface JsonOptions {
  readonly isStrict: boolean;
  /** The version of cwx-fake. */
  readonly version: string;
}

export function verificationJson(verification: Verification, { isStrict, version }: JsonOptions): object {
  const { verdicts, target, scenario, notices, startedAt, duration } = verification;
  const isSensitive = verdicts.some(({ pairs }) => pairs !== undefined);
  const all = isSensitive ? sensitivities(verdicts) : [];
  return {
    version,
    target,
    scenario,
    isStrict,
    startedAt: startedAt.toISOString(),
    duration,
    summary: totalsOf(verdicts, isStrict),
    notices,
    gaps: gapsOf(verdicts),
    contracts: byContract(verdicts).map(one => contractForm(one, isStrict)),
    ...(isSensitive && { sensitivity: all.map(one => sensitivityForm(one, all)) }),
  };
}

function contractForm({ contract, verdicts }: ContractVerdicts, isStrict: boolean): object {
  const { consumer, provider, source, version, broker } = contract;
  return {
    consumer,
    provider,
    source,
    ...(version !== undefined && { specification: version }),
    ...(broker !== undefined && { broker: { isPending: broker.isPending, notices: broker.notices } }),
    interactions: verdicts.map(verdict => interactionForm(verdict, isStrict)),
    addresses: addressBreaks(verdicts),
  };
}

function interactionForm(verdict: Verdict, isStrict: boolean): object {
  const { interaction, outcome, problem, isPending, classification, differences, findings } = verdict;
  const { rules, gaps, trials, pairs, exchange, duration } = verdict;
  const { description, states, request, line, id } = interaction;
  return {
    description,
    states: states.map(shownState),
    request: redactUrl(request),
    ...(line !== undefined && { line }),
    ...(id !== undefined && { id }),
    outcome,
    ...(problem !== undefined && { problem }),
    counts: counts(verdict, isStrict),
    warnings: verdict.warnings,
    isPending,
    classification: { ...classification, text: classificationText(classification) },
    differences,
    findings: findings.map(findingForm),
    rules,
    gaps,
    trials,
    ...(pairs !== undefined && { pairs }),
    ...(exchange !== undefined && { exchange: exchangeForm(exchange) }),
    duration,
  };
}

function findingForm(finding: Finding): object {
  const { part, pointer, expected, found, rule, gap, nearest } = finding;
  return {
    part,
    pointer,
    expected,
    found,
    says: showFinding(finding),
    ...(rule !== undefined && { rule }),
    ...(gap !== undefined && { gap }),
    ...(nearest !== undefined && { nearest }),
  };
}

function exchangeForm({ request, answer }: Exchange): object {
  return {
    request: {
      ...request,
      path: redactUrl(request.path),
      headers: withoutSecrets(request.headers),
      ...(request.body !== undefined && { body: redactBody(request.body) }),
    },
    answer: { ...answer, headers: withoutSecrets(answer.headers), text: redactBody(answer.text) },
  };
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !isSecretName(name))
      .map(([name, value]) => [name, redactHeader(name, value)]),
  );
}

/** The gaps that interactions rest on. */
function gapsOf(verdicts: readonly Verdict[]): object[] {
  const reliances = verdicts.flatMap(({ classification }) =>
    classification.kind === 'rests' ? classification.on : [],
  );
  return gapIds.flatMap(gap => {
    const reliance = reliances.find(one => one.gap === gap);
    const { asks, readings } = gapSpec(gap);
    return reliance === undefined
      ? []
      : [{ gap, reading: reliance.reading, asks, readings: readings.map(([name, means]) => ({ name, means })) }];
  });
}

function sensitivityForm(one: Sensitivity, all: readonly Sensitivity[]): object {
  const { contract, gaps, trials, pairs, news, hopeless, isRobust } = one;
  return {
    consumer: contract.consumer,
    provider: contract.provider,
    source: contract.source,
    passesUnderAll: isRobust,
    says: conclusion(one, all),
    table: gaps
      .flatMap(({ rows }) => rows)
      .map(({ breaks, ...row }) => ({
        ...row,
        breaks: breaks.map(({ verdict, difference }) => ({
          interaction: verdict.interaction.description,
          ...(difference !== undefined && { difference }),
        })),
      })),
    trials,
    pairs,
    news: news.map(({ verdict, pair }) => ({ interaction: verdict.interaction.description, pair })),
    hopeless: hopeless.map(({ interaction }) => interaction.description),
  };
}
