// Verdicts as lines for people, optionally in colour.
import { relative, sep } from 'node:path';
import type { Paint } from '../../report/paint.js';
import { differenceText, evidenceOf, evidenceText } from '../../scenario/play/evidence.js';
import { type Evidence, UNSEEN, type Verdict } from './verdicts.js';

const colours = { conforms: 'green', contradicts: 'red', undetermined: 'yellow' } as const;
const HOSTS = "the host's own resources";
const WIDTH = 'permissions.heading-method'.length + 2;

/** One line for a rule, with the evidence of a contradiction below it. `url`: the server. */
export function showVerdict(verdict: Verdict, url: string, paint: Paint): string[] {
  const { rule, judgement, evidence } = verdict;
  const reason = judgement === 'conforms' && evidence.some(isSeen) ? `seen through ${HOSTS}` : shortReason(verdict);
  const line = `${paint(colours[judgement], judgement.padEnd(14))}${reason === '' ? rule : `${rule.padEnd(WIDTH)}${paint('dim', reason)}`}`;
  if (judgement !== 'contradicts') return [line];
  return [line, ...evidence.flatMap(one => showEvidence(one, url)).map(text => `    ${text}`)];
}

/** The reason in one line; empty if it conforms. */
export function shortReason({ judgement, evidence: [first], reasons }: Verdict): string {
  if (judgement === 'undetermined') return reasons.slice(0, reasons[0] === UNSEEN ? 2 : 1).join('; ');
  if (judgement === 'conforms' || first === undefined) return '';
  const [difference] = first.played.differences;
  return difference === undefined ? first.played.step.say : `${first.played.step.say}: ${differenceText(difference)}`;
}

/** The request, the expected and the actual result, and how to repeat it. */
export function showEvidence({ file, played }: Evidence, url: string): string[] {
  const evidence = evidenceOf(played, { file: seen(file), url });
  const isOfWorld = played.differences.some(({ of }) => of === 'world');
  return [
    ...evidenceText(evidence.filter(({ about }) => about !== 'unchecked')),
    ...(isOfWorld ? [`seen through ${HOSTS}`] : []),
  ];
}

/** Whether something was read through the hosts' resources. */
function isSeen({ played }: Evidence): boolean {
  return played.seen !== undefined;
}

/** `31 conform, 0 contradict, 11 undetermined` */
export function showSummary(verdicts: readonly Verdict[]): string {
  const count = (judgement: Verdict['judgement']) => verdicts.filter(one => one.judgement === judgement).length;
  return `${count('conforms')} conform, ${count('contradicts')} contradict, ${count('undetermined')} undetermined`;
}

/** The path relative to the working directory, if the file is below it. */
function seen(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith(`..${sep}`) ? file : path;
}
