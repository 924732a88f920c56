// Verdicts as a list of checks: a contradiction fails, with its evidence.
import type { Check } from '../../report/report.js';
import { differenceText, evidenceOf, evidenceText } from '../../scenario/play/evidence.js';
import { seenPath } from '../../scenario/yaml/problem.js';
import { type Evidence, UNSEEN, type Verdict } from './verdicts.js';

const verdictOf = { conforms: 'passed', contradicts: 'failed', undetermined: 'undetermined' } as const;
const SEEN = "seen through the host's own resources";

/** `url`: the server. */
export function checkOf(verdict: Verdict, url: string): Check {
  const { rule, judgement, evidence, duration } = verdict;
  const [first] = evidence;
  const message = reasonOf(verdict);
  return {
    suite: rule.split('.')[0] ?? rule,
    name: rule,
    verdict: verdictOf[judgement],
    duration,
    ...(message !== undefined && { message }),
    ...(judgement === 'conforms' && evidence.some(({ played }) => played.seen !== undefined) && { remark: SEEN }),
    ...(judgement === 'contradicts' && { details: evidence.flatMap(one => evidenceLines(one, url)).join('\n') }),
    ...(first !== undefined && { file: first.file, line: first.played.line }),
    labels: [rule],
  };
}

function reasonOf({ judgement, evidence: [first], reasons }: Verdict): string | undefined {
  if (judgement === 'undetermined') return reasons.slice(0, reasons[0] === UNSEEN ? 2 : 1).join('; ');
  if (judgement === 'conforms' || first === undefined) return undefined;
  const [difference] = first.played.differences;
  return difference === undefined ? first.played.step.say : `${first.played.step.say}: ${differenceText(difference)}`;
}

/** The request, the expected and the actual result, and how to repeat it. */
function evidenceLines({ file, played }: Evidence, url: string): string[] {
  const evidence = evidenceOf(played, { file: seenPath(file), url });
  const isOfWorld = played.differences.some(({ of }) => of === 'world');
  return [...evidenceText(evidence.filter(({ about }) => about !== 'unchecked')), ...(isOfWorld ? [SEEN] : [])];
}
