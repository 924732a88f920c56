// The result of a run for a terminal: one line for each interaction, with details below those that did not simply pass.
import { visible } from '../../derive/text/visible.js';
import type { Paint } from '../../report/paint.js';
import { addressBreaks, addressTexts } from '../judging/address-reliance.js';
import { counts, type Verdict } from '../verdict.js';
import { classificationText } from './render-classification.js';
import { detailLines, detailsOf } from './render-interaction.js';
import type { ContractVerdicts } from './totals.js';

const outcomes = { passed: 'passed', failed: 'FAILED', unverified: 'not verified' } as const;
const WIDTH = 'not verified'.length + 2;
const INDENT = ' '.repeat(6);

/** A heading, then its interactions. */
export function showContract({ contract, verdicts }: ContractVerdicts, isStrict: boolean, paint: Paint): string[] {
  const { consumer, provider, source, broker } = contract;
  return [
    `${paint('bold', visible(`${consumer} → ${provider}`))}  ${paint('dim', visible(source))}`,
    ...(broker?.isPending ? ['  Pending at the broker: failures do not count yet.'] : []),
    ...(broker?.notices ?? []).map(notice => `  ${paint('dim', visible(notice))}`),
    ...verdicts.flatMap(verdict => showVerdict(verdict, isStrict, paint)),
    ...addressTexts(addressBreaks(verdicts)).map(text => `  ${paint('yellow', '!')} ${text}`),
    '',
  ];
}

/** One line, and the details below it. */
export function showVerdict(verdict: Verdict, isStrict: boolean, paint: Paint): string[] {
  const { outcome, classification, isPending, interaction } = verdict;
  const [mark, colour] = markOf(verdict, isStrict);
  const remarks = [
    classificationText(classification),
    ...(isPending && outcome !== 'passed' ? ['pending: does not count yet'] : []),
  ];
  const stands = remarks.filter(remark => remark !== '').join(' · ');
  const came = outcome === 'passed' && mark === '✘' ? 'passed, but' : outcomes[outcome];
  const line = `  ${paint(colour, `${mark} ${came.padEnd(WIDTH)}`)}${visible(interaction.description)}`;
  return [
    `${line}${stands === '' ? '' : ` · ${paint(classification.kind === 'documented' ? 'dim' : colour, stands)}`}`,
    ...detailLines(detailsOf(verdict, isStrict)).map(text => `${INDENT}${text}`),
  ];
}

function markOf(verdict: Verdict, isStrict: boolean): readonly [mark: string, colour: 'green' | 'yellow' | 'red'] {
  if (counts(verdict, isStrict)) return ['✘', 'red'];
  return verdict.outcome === 'passed' && verdict.classification.kind === 'documented'
    ? ['✔', 'green']
    : ['!', 'yellow'];
}
