// A verification as JSON, as verification-format.ts describes it. Without credentials.
import { showFinding } from '../../../server/derive/document/document-check.js';
import { redactUrl } from '../../../server/engine/secrets.js';
import { counts, type Verdict, type Verification } from '../contract/verdict.js';
import { addressBreaks } from '../judging/address-reliance.js';
import { sensitivities } from './contract-sensitivity.js';
import { classificationText } from './render-classification.js';
import { shownState } from './render-interaction.js';
import { byContract, type ContractVerdicts, gapsOf, totalsOf } from './totals.js';
import type { ContractReport, InteractionReport, VerificationReport } from './verification-format.js';
import type { ReportOptions } from './verify-report.js';

export function verificationJson(verification: Verification, { isStrict, version }: ReportOptions): VerificationReport {
  const { verdicts, target, scenario, notices, startedAt, duration } = verification;
  const isSensitive = verdicts.some(({ pairs }) => pairs !== undefined);
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
    sensitivity: isSensitive ? sensitivities(verdicts) : undefined,
  };
}

function contractForm({ contract, verdicts }: ContractVerdicts, isStrict: boolean): ContractReport {
  const { consumer, provider, source, version: specification, broker } = contract;
  return {
    consumer,
    provider,
    source,
    specification,
    broker: broker && { isPending: broker.isPending, notices: broker.notices },
    interactions: verdicts.map(verdict => interactionForm(verdict, isStrict)),
    addresses: addressBreaks(verdicts),
  };
}

function interactionForm(verdict: Verdict, isStrict: boolean): InteractionReport {
  const { contract: _, addresses: __, interaction, classification, findings, ...more } = verdict;
  const { description, states, request, line, id } = interaction;
  return {
    description,
    states: states.map(shownState),
    request: redactUrl(request),
    line,
    id,
    ...more,
    counts: counts(verdict, isStrict),
    classification: { ...classification, text: classificationText(classification) },
    findings: findings.map(finding => ({ ...finding, says: showFinding(finding) })),
  };
}
