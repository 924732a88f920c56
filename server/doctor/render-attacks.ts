// Verdicts as lines for people, optionally in colour.
import type { Paint } from '../report/paint.js';
import type { Judgement, Verdict } from './attack.js';
import { attackNames } from './attacks.js';

const colours = { passed: 'green', open: 'red', 'not applicable': 'dim', 'failed to ask': 'yellow' } as const;
const JUDGEMENT = 'not applicable'.length + 2;
const NAME = Math.max(...attackNames.map(name => name.length)) + 2;
/** Maximum shown trials of an open attack. */
const MOST_SHOWN = 3;

/** One line for an attack; if it is open, the defended property, trials and remedy below. */
export function showVerdict(verdict: Verdict, paint: Paint): string[] {
  const { attack, judgement, says } = verdict;
  const line = `${paint(colours[judgement], judgement.padEnd(JUDGEMENT))}${attack.name.padEnd(NAME)}${paint('dim', says)}`;
  return judgement === 'open' ? [line, ...evidenceOf(verdict).map(text => `    ${text}`)] : [line];
}

/** The evidence of an open attack. */
export function evidenceOf({ attack, trials }: Verdict): string[] {
  const open = trials.filter(({ isOpen }) => isOpen);
  const more = open.length - MOST_SHOWN;
  return [
    `not so: ${attack.defends}`,
    ...open.slice(0, MOST_SHOWN).flatMap(({ sent, seen }) => [`sent  ${sent}`, `seen  ${seen}`]),
    ...(more > 0 ? [`and ${more} more`] : []),
    `do    ${attack.remedy}`,
  ];
}

/** `24 passed, 0 open, 3 not applicable` */
export function showSummary(verdicts: readonly Verdict[]): string {
  const count = (judgement: Judgement) => verdicts.filter(one => one.judgement === judgement).length;
  const failed = count('failed to ask');
  return [
    `${count('passed')} passed`,
    `${count('open')} open`,
    `${count('not applicable')} not applicable`,
    ...(failed > 0 ? [`${failed} failed to ask`] : []),
  ].join(', ');
}
