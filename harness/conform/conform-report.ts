// Verdicts as a list of checks: a contradiction fails, with its evidence.
import { curlOf } from '../../server/derive/sending/curl.js';
import { visible } from '../../server/derive/text/visible.js';
import {
  differenceText,
  evidenceOf,
  evidenceText,
  statusText,
  stepPlace,
} from '../../server/scenario/play/evidence.js';
import { seenPath } from '../../server/scenario/yaml/problem.js';
import type { Check } from '../report/report.js';
import type { OtherServer } from '../target/other-servers.js';
import type { FailedStep } from './diagnosis.js';
import type { Verdict } from './verdicts.js';

const verdictOf = { conforms: 'passed', contradicts: 'failed', undetermined: 'undetermined' } as const;

/** `short`: of the evidence only the first step, in at most eleven lines. */
export function checkOfRule(
  verdict: Verdict,
  server: Pick<OtherServer, 'shown'>,
  length: 'short' | 'whole' = 'whole',
): Check {
  const { rule, judgement, evidence, fault, reason, duration } = verdict;
  const [first] = evidence;
  const message = judgement === 'contradicts' ? faultText(fault, first) : reason;
  const details =
    length === 'short'
      ? first && shortEvidence(first, server, evidence.length - 1)
      : evidence.flatMap(one => wholeEvidence(one, server));
  return {
    suite: rule.split('.')[0] ?? rule,
    name: rule,
    verdict: verdictOf[judgement],
    duration,
    ...(message !== undefined && { message }),
    ...(judgement === 'contradicts' && details !== undefined && { details: details.join('\n') }),
    ...(first !== undefined && { file: first.file, line: first.played.line }),
    labels: [rule],
  };
}

function faultText(fault: string | undefined, first: FailedStep | undefined): string {
  if (fault !== undefined) return `behaves like a server that ${fault}`;
  const [difference] = first?.played.differences ?? [];
  return difference === undefined ? 'a step failed' : differenceText(difference);
}

const MAX_BODY = 300;
const MAX_DIFFERENCES = 3;

/** One request as `curl`, what was expected and what came. */
function shortEvidence({ file, played }: FailedStep, server: Pick<OtherServer, 'shown'>, others: number): string[] {
  const { sent, received, differences, step } = played;
  const asked = sent && server.shown(sent);
  const more = differences.length - MAX_DIFFERENCES;
  const text =
    received === undefined ? 'no response' : `${statusText(received.status)} ${received.text.slice(0, MAX_BODY)}`;
  return [
    `${step.say} (${stepPlace(played, { file: seenPath(file) })})`,
    ...(asked === undefined ? [] : curlOf(asked.request, asked.url, 'hidden').split('\n')),
    ...(sent === undefined ? [] : [`response  ${text.trimEnd()}`]),
    ...differences.slice(0, MAX_DIFFERENCES).map(one => `differs   ${differenceText(one)}`),
    ...(more > 0 ? [`          and ${more} more`] : []),
    ...(others > 0 ? [`${others} more failed ${others === 1 ? 'step' : 'steps'}: --verbose`] : []),
  ].map(visible);
}

function wholeEvidence({ file, played }: FailedStep, server: Pick<OtherServer, 'shown'>): string[] {
  const { url, request } = played.sent === undefined ? { url: '' } : server.shown(played.sent);
  const evidence = evidenceOf({ ...played, ...(request && { sent: request }) }, { file: seenPath(file), url });
  return evidenceText(evidence.filter(({ about }) => about !== 'unchecked'));
}
