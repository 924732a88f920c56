// What came of a run, for a terminal: one line for each interaction, more below those that did not do well. In colour where that is wanted.
// Knows no terminal.
import { visible } from '../../derive/text/visible.js';
import type { Paint } from '../../report/paint.js';
import { addressBreaks, addressTexts } from '../judging/address-reliance.js';
import { counts, type Verdict } from '../verdict.js';
import { standingText } from './render-classification.js';
import { detailLines, detailsOf } from './render-interaction.js';
import type { OfContract } from './totals.js';

const outcomes = { held: 'held', failed: 'FAILED', unverified: 'not verified' } as const;
const WIDTH = 'not verified'.length + 2;
const INDENT = ' '.repeat(6);

/** A heading, then its interactions. */
export function showContract({ contract, verdicts }: OfContract, isStrict: boolean, paint: Paint): string[] {
  const { consumer, provider, source, broker } = contract;
  return [
    `${paint('bold', visible(`${consumer} → ${provider}`))}  ${paint('dim', visible(source))}`,
    ...(broker?.isPending ? ['  Pending at the broker: what fails here does not count yet.'] : []),
    ...(broker?.notices ?? []).map(notice => `  ${paint('dim', visible(notice))}`),
    ...verdicts.flatMap(verdict => showVerdict(verdict, isStrict, paint)),
    ...addressTexts(addressBreaks(verdicts)).map(text => `  ${paint('yellow', '!')} ${text}`),
    '',
  ];
}

/** One line; below it what there is to tell. */
export function showVerdict(verdict: Verdict, isStrict: boolean, paint: Paint): string[] {
  const { outcome, standing, isPending, interaction } = verdict;
  const [mark, colour] = markOf(verdict, isStrict);
  const remarks = [standingText(standing), ...(isPending && outcome !== 'held' ? ['pending: does not count yet'] : [])];
  const stands = remarks.filter(remark => remark !== '').join(' · ');
  const came = outcome === 'held' && mark === '✘' ? 'held, but' : outcomes[outcome];
  const line = `  ${paint(colour, `${mark} ${came.padEnd(WIDTH)}`)}${visible(interaction.description)}`;
  return [
    `${line}${stands === '' ? '' : ` · ${paint(standing.kind === 'documented' ? 'dim' : colour, stands)}`}`,
    ...detailLines(detailsOf(verdict, isStrict)).map(text => `${INDENT}${text}`),
  ];
}

function markOf(verdict: Verdict, isStrict: boolean): readonly [mark: string, colour: 'green' | 'yellow' | 'red'] {
  if (counts(verdict, isStrict)) return ['✘', 'red'];
  return verdict.outcome === 'held' && verdict.standing.kind === 'documented' ? ['✔', 'green'] : ['!', 'yellow'];
}
