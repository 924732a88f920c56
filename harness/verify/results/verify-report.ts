// A verification as a report: each interaction is a check; one that rests on a guess passes with a warning.
import type { Check, CheckVerdict, Report } from '../../report/report.js';
import { counts, type Verdict, type Verification } from '../contract/verdict.js';
import { sensitivities } from './contract-sensitivity.js';
import { classificationText } from './render-classification.js';
import { detailLines, guessWarning, interactionName, isUrl, shortReason } from './render-interaction.js';
import { sensitivityParts } from './render-sensitivity.js';

export interface ReportOptions {
  readonly isStrict: boolean;
  /** The version of cwx-fake. */
  readonly version: string;
}

export function reportOn(verification: Verification, { isStrict, version }: ReportOptions): Report {
  const { verdicts, target, scenario, startedAt, duration } = verification;
  const isSensitive = verdicts.some(({ pairs }) => pairs !== undefined);
  return {
    tool: 'cwx-fake verify',
    version,
    title: `Verification against ${target}`,
    startedAt: startedAt.toISOString(),
    duration,
    checks: eachNamed(verdicts.map(verdict => checkOfInteraction(verdict, isStrict))),
    properties: {
      target,
      scenario,
      ...(isStrict && { strict: 'interactions that the document does not promise count as failed' }),
    },
    ...(isSensitive && { parts: sensitivityParts(sensitivities(verdicts)) }),
  };
}

export function checkOfInteraction(verdict: Verdict, isStrict: boolean): Check {
  const { contract, interaction, outcome, classification, duration, rules, gaps } = verdict;
  const checked = verdictOf(verdict, isStrict);
  const reason = shortReason(verdict, isStrict);
  const message = checked === 'undetermined' ? `Pending, so it does not count yet: ${reason ?? 'it failed.'}` : reason;
  const details = detailLines(verdict, isStrict).join('\n');
  const warnings = [...verdict.warnings, ...[guessWarning(verdict) ?? []].flat()];
  const warning = warnings.length === 0 ? undefined : warnings.join(' ');
  const stands = classificationText(classification);
  const but = checked === 'failed' && outcome === 'passed' ? 'passed, but ' : '';
  return {
    suite: `${contract.consumer} → ${contract.provider}`,
    name: interactionName(verdict),
    verdict: checked,
    ...(verdict.isPending && checked === 'undetermined' && { isPending: true as const }),
    duration,
    ...(message !== undefined && { message }),
    ...(checked === 'passed' && warning !== undefined && { warning }),
    ...(checked !== 'undetermined' && stands !== '' && { remark: `${but}${stands}` }),
    ...(details !== '' && { details }),
    ...(!isUrl(contract.source) && {
      file: contract.source,
      ...(interaction.line !== undefined && { line: interaction.line }),
    }),
    labels: [...rules, ...Object.entries(gaps).map(([gap, reading]) => `${gap}=${reading}`)],
  };
}

/** Each check has its own name: a repeated name in a suite gets a number. */
function eachNamed(checks: readonly Check[]): readonly Check[] {
  const times = new Map<string, number>();
  return checks.map(check => {
    const key = `${check.suite}\n${check.name}`;
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    return time === 1 ? check : { ...check, name: `${check.name} #${time}` };
  });
}

function verdictOf(verdict: Verdict, isStrict: boolean): CheckVerdict {
  if (counts(verdict, isStrict)) return 'failed';
  return verdict.outcome === 'passed' ? 'passed' : 'undetermined';
}
