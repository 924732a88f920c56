// The results of each client under other readings, in words and as a table.
import { counted } from '../../../server/derive/text/counted.js';
import { visible } from '../../../server/derive/text/visible.js';
import type { Paint } from '../../../server/process/colors.js';
import type { Part } from '../../report/report.js';
import { addressTexts } from '../judging/address-reliance.js';
import type { SensitivityReport } from './verification-format.js';

type Row = SensitivityReport['table'][number];

/** Interactions listed for one reading in a terminal. */
const MAX_BREAKS = 5;

export function showSensitivities(all: readonly SensitivityReport[], paint: Paint): string[] {
  if (all.length === 0) return [];
  const shown = all.flatMap(one => [
    `  ${paint(one.passesUnderAll ? 'green' : 'yellow', one.says)}`,
    ...(one.passesUnderAll ? [] : tableLines(one.table, paint)),
    ...asideOf(one).map(text => `  ${text}`),
    '',
  ]);
  return [paint('bold', 'Under other readings'), ...shown];
}

/** The parts of a report about other readings, with every reading that was tried. */
export function sensitivityParts(all: readonly SensitivityReport[]): readonly Part[] {
  return all.map(one => ({
    title: `${one.name} under other readings`,
    says: [one.says, ...asideOf(one)],
    heads: ['Gap', 'Reading', 'Result', 'Failures'],
    rows: one.table.map(row => [row.gap, readingText(row), resultText(row), row.breaks.map(breakText).join('; ')]),
  }));
}

/** What the table does not show: pairs, interactions that pass under no reading, and the number of trials. */
function asideOf(one: SensitivityReport): string[] {
  const { table, trials, pairs, pairOnlyFindings, passesUnderAll } = one;
  const gaps = [...new Set(table.map(({ gap }) => gap))];
  const gapLines =
    passesUnderAll && gaps.length > 0 ? [`The ${gaps.length === 1 ? 'gap' : 'gaps'}: ${gaps.join(', ')}.`] : [];
  const found = `${pairOnlyFindings.length} of them ${pairOnlyFindings.length === 1 ? 'shows' : 'show'} more than each reading alone`;
  const shown = pairOnlyFindings.length === 0 ? 'none shows more than each reading alone' : found;
  return [
    ...gapLines,
    ...addressTexts(one.addresses),
    ...pairOnlyFindings.map(newsText),
    ...one.neverPasses.map(name => `Never passes, whatever the reading: ${name}.`),
    `Checked ${counted(trials, 'response')}, each with one reading changed${pairs === 0 ? '' : `, and ${pairs} with two: ${shown}`}.`,
  ];
}

function newsText({
  interaction,
  pair: { first, second, passes, difference },
}: SensitivityReport['pairOnlyFindings'][number]): string {
  const both = `With ${first.gap}=${first.reading} and ${second.gap}=${second.reading} together`;
  const end = passes || difference === undefined ? '.' : `: ${visible(difference.says)}`;
  return `${both} it ${passes ? 'passes' : 'fails'}, but with neither alone: ${interaction}${end}`;
}

function tableLines(table: readonly Row[], paint: Paint): string[] {
  const gapWidth = Math.max(...table.map(({ gap }) => gap.length), 3) + 2;
  const width = Math.max(...table.map(row => readingText(row).length), 7) + 2;
  const lines = [...new Set(table.map(({ gap }) => gap))].flatMap(gap => {
    const rows = table.filter(row => row.gap === gap);
    if (rows.every(({ breaks }) => breaks.length === 0))
      return [`${gap.padEnd(gapWidth)}${paint('green', 'passes')} under ${rows.map(row => row.reading).join(', ')}`];
    return rows.flatMap((row, i) => [
      `${(i === 0 ? gap : '').padEnd(gapWidth)}${readingText(row).padEnd(width)}${paint(row.breaks.length === 0 ? 'green' : 'red', resultText(row))}`,
      ...breakLines(row).map(text => `${' '.repeat(gapWidth + 2)}${text}`),
    ]);
  });
  return lines.map(line => `    ${line}`);
}

function readingText({ reading, isChosen }: Row): string {
  return isChosen ? `${reading} (used here)` : reading;
}

function resultText({ breaks, tried }: Row): string {
  return breaks.length === 0 ? 'passes' : `fails ${breaks.length} of ${tried}`;
}

function breakLines({ breaks }: Row): string[] {
  const left = breaks.length - MAX_BREAKS;
  return [...breaks.slice(0, MAX_BREAKS).map(breakText), ...(left > 0 ? [`and ${left} more`] : [])];
}

function breakText({ interaction, difference }: Row['breaks'][number]): string {
  return `${interaction}${difference === undefined ? '' : `: ${visible(difference.says)}`}`;
}
