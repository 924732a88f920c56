// Verdicts as lines for people, in colour where that is wanted. Knows no terminal.
import { relative, sep } from 'node:path';
import type { Paint } from '../../report/paint.js';
import { differenceText, evidenceOf, evidenceText } from '../../scenario/play/evidence.js';
import { type Evidence, UNSEEN, type Verdict } from './verdicts.js';

const colours = { conforms: 'green', contradicts: 'red', undetermined: 'yellow' } as const;
const HOSTS = "the host's own resources";
const WIDTH = 'permissions.heading-method'.length + 2;

/** One line for a rule; below a contradiction what contradicts. `url`: where the server is. */
export function showVerdict(verdict: Verdict, url: string, paint: Paint): string[] {
  const { rule, judgement, evidence } = verdict;
  const reason = judgement === 'conforms' && evidence.some(isSeen) ? `seen through ${HOSTS}` : shortReason(verdict);
  const line = `${paint(colours[judgement], judgement.padEnd(14))}${reason === '' ? rule : `${rule.padEnd(WIDTH)}${paint('dim', reason)}`}`;
  if (judgement !== 'contradicts') return [line];
  return [line, ...evidence.flatMap(one => showEvidence(one, url)).map(text => `    ${text}`)];
}

/** Why it is so, in one line; nothing where it conforms. */
export function shortReason({ judgement, evidence: [first], reasons }: Verdict): string {
  if (judgement === 'undetermined') return reasons.slice(0, reasons[0] === UNSEEN ? 2 : 1).join('; ');
  if (judgement === 'conforms' || first === undefined) return '';
  const [difference] = first.played.differences;
  return difference === undefined ? first.played.step.say : `${first.played.step.say}: ${differenceText(difference)}`;
}

/** What was asked, what was expected and what was found, and how to ask again. */
export function showEvidence({ file, played }: Evidence, url: string): string[] {
  const evidence = evidenceOf(played, { file: seen(file), url });
  const isOfWorld = played.differences.some(({ of }) => of === 'world');
  return [
    ...evidenceText(evidence.filter(({ about }) => about !== 'unchecked')),
    ...(isOfWorld ? [`seen through ${HOSTS}`] : []),
  ];
}

/** Whether something was read back beside the answer. */
function isSeen({ played }: Evidence): boolean {
  return played.seen !== undefined;
}

/** `31 conform, 0 contradict, 11 undetermined` */
export function showSummary(verdicts: readonly Verdict[]): string {
  const count = (judgement: Verdict['judgement']) => verdicts.filter(one => one.judgement === judgement).length;
  return `${count('conforms')} conform, ${count('contradicts')} contradict, ${count('undetermined')} undetermined`;
}

/** A file as it is seen from the working directory, where it lies below that. */
function seen(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith(`..${sep}`) ? file : path;
}
