// What a terminal shows of a verification besides the totals: the interactions of each contract, and the gaps and rules behind them.
import { visible } from '../../../server/derive/text/visible.js';
import { rules } from '../../../server/operations/catalog/catalog.js';
import type { Paint } from '../../../server/process/colors.js';
import { checkLines } from '../../report/render-checks.js';
import type { Verdict } from '../contract/verdict.js';
import { addressBreaks, addressTexts } from '../judging/address-reliance.js';
import { type ContractVerdicts, gapsOf } from './totals.js';
import { checkOfInteraction } from './verify-report.js';

const WORDS =
  'A gap is a question that the document leaves open; a reading is one possible answer. Interactions that rest on a gap may fail if the real service follows another reading:';
const ADVICE =
  'To avoid relying on a gap, expect less of the response. Find the reading of a real server: cwx-fake calibrate --target <url>. To use another reading, add --reading gap=reading.';

/** A heading, then its interactions. */
export function contractLines({ contract, verdicts }: ContractVerdicts, isStrict: boolean, paint: Paint): string[] {
  const { consumer, provider, source, broker } = contract;
  return [
    `${paint('bold', visible(`${consumer} → ${provider}`))}  ${paint('dim', visible(source))}`,
    ...(broker?.isPending ? ['  Pending at the broker: failures do not count yet.'] : []),
    ...(broker?.notices ?? []).map(notice => `  ${paint('dim', visible(notice))}`),
    ...verdicts.flatMap(verdict => checkLines(checkOfInteraction(verdict, isStrict), paint)),
    ...addressTexts(addressBreaks(verdicts)).map(text => `${paint('yellow', '!')} ${text}`),
    '',
  ];
}

/** The gaps that interactions rest on, each with its question and its readings. */
export function gapLines(verdicts: readonly Verdict[], paint: Paint): string[] {
  const lines = gapsOf(verdicts).flatMap(({ gap, reading, asks, readings }) => [
    `  ${paint('yellow', gap)}: ${asks}`,
    ...readings.map(({ name, means }) => `    ${name}: ${means}${name === reading ? ' (used here)' : ''}`),
  ]);
  return lines.length === 0 ? [] : [WORDS, ...lines, ADVICE, ''];
}

/** `exercised`: the rules that decided the responses of passed interactions. */
export function exercisedText(exercised: readonly string[]): string {
  const count = `${exercised.length} of the document's ${Object.keys(rules).length} rules`;
  return `The passing interactions exercise ${count}${exercised.length === 0 ? '.' : `: ${exercised.join(', ')}.`}`;
}
