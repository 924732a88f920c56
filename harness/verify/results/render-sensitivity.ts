// The results of each client under other readings, in words and as a table.
import { counted } from '../../../server/derive/text/counted.js';
import { visible } from '../../../server/derive/text/visible.js';
import type { Paint } from '../../../server/process/paint.js';
import type { Part } from '../../report/report.js';
import type { Verdict } from '../contract/verdict.js';
import { addressTexts } from '../judging/address-reliance.js';
import type { Break, PairNews, Row, Sensitivity } from './contract-sensitivity.js';
import { interactionName } from './render-interaction.js';

/** Interactions listed for one reading in a terminal. */
const MAX_BREAKS = 5;

export function showSensitivities(all: readonly Sensitivity[], paint: Paint): string[] {
  if (all.length === 0) return [];
  const shown = all.flatMap(one => [
    `  ${paint(one.isRobust ? 'green' : 'yellow', conclusion(one, all))}`,
    ...(one.isRobust ? [] : tableLines(one, paint)),
    ...asideOf(one).map(text => `  ${text}`),
    '',
  ]);
  return [paint('bold', 'Under other readings'), ...shown];
}

/** The same as parts of a report, with every reading that was tried. */
export function sensitivityParts(all: readonly Sensitivity[]): readonly Part[] {
  return all.map(one => ({
    title: `${nameOf(one, all)} under other readings`,
    says: [conclusion(one, all), ...asideOf(one)],
    heads: ['Gap', 'Reading', 'Result', 'Failures'],
    rows: one.gaps.flatMap(({ rows }) => rows).map(rowCells),
  }));
}

/** `web passes under all 57 readings of the 12 gaps it touches: it relies on no guess.` */
export function conclusion(one: Sensitivity, all: readonly Sensitivity[]): string {
  const says = conclusionOnGaps(one, nameOf(one, all));
  const served = [...new Set(one.addresses.map(({ gap }) => gap))].join(' and ');
  if (served === '') return says;
  const where = `where its provider is served (${served})`;
  if (says.endsWith(NO_GUESS)) return `${says.slice(0, -NO_GUESS.length)}it relies only on ${where}.`;
  return `${says.slice(0, -1)}, and on ${where}.`;
}

const NO_GUESS = 'it relies on no guess.';

function conclusionOnGaps({ gaps, isRobust, addresses, news, hopeless }: Sensitivity, name: string): string {
  const rows = gaps.flatMap(gap => gap.rows);
  const breaking = rows.filter(({ breaks }) => breaks.length > 0);
  const isRobustElse = breaking.length === 0 && news.length === 0 && hopeless.length === 0;
  const touched = gaps.length === 1 ? 'the gap' : `the ${gaps.length} gaps`;
  if (isRobust || (addresses.length > 0 && isRobustElse))
    return gaps.length === 0
      ? `${name} touches no gap: ${NO_GUESS}`
      : `${name} passes under all ${counted(rows.length, 'reading')} of ${touched} it touches: ${NO_GUESS}`;
  const decisive = gaps.filter(gap => gap.rows.some(({ breaks }) => breaks.length > 0));
  if (decisive.length > 0)
    return `${name} fails under ${breaking.length} of the ${counted(rows.length, 'reading')} of ${touched} it touches: it relies on ${decisive.map(({ gap }) => gap).join(', ')}.`;
  if (news.length > 0) return `${name} fails only if the readings of two gaps change at once.`;
  return `${name} has ${counted(hopeless.length, 'interaction')} that ${hopeless.length === 1 ? 'passes' : 'pass'} under no reading; the others rely on no guess.`;
}

/** What the table does not show: pairs, interactions that pass under no reading, and the number of trials. */
function asideOf({ gaps, addresses, trials, pairs, news, hopeless, isRobust }: Sensitivity): string[] {
  const names = gaps.map(({ gap }) => gap).join(', ');
  const gapLines = isRobust && gaps.length > 0 ? [`The ${gaps.length === 1 ? 'gap' : 'gaps'}: ${names}.`] : [];
  const shown =
    news.length === 0
      ? 'none shows more than each reading alone'
      : `${news.length} of them ${news.length === 1 ? 'shows' : 'show'} something new`;
  return [
    ...gapLines,
    ...addressTexts(addresses),
    ...news.map(newsText),
    ...hopeless.map(hopelessText),
    `Tried: ${counted(trials, 'answer')} under one other reading${pairs === 0 ? '' : `, ${pairs} under two at once: ${shown}`}.`,
  ];
}

function hopelessText(verdict: Verdict): string {
  const why = verdict.outcome === 'unverified' ? 'Could not be verified' : 'Passes under no reading that was tried';
  return `${why}: ${interactionName(verdict)}.`;
}

function newsText({ verdict, pair: { first, second, passes, difference } }: PairNews): string {
  const both = `With ${first.gap}=${first.reading} and ${second.gap}=${second.reading} together`;
  const what = interactionName(verdict);
  if (passes) return visible(`${both} it passes, but with neither alone: ${what}.`);
  return visible(
    `${both} it fails, but with neither alone: ${what}${difference === undefined ? '.' : `: ${difference.says}`}`,
  );
}

function tableLines({ gaps }: Sensitivity, paint: Paint): string[] {
  const rows = gaps.flatMap(gap => gap.rows);
  const gapWidth = Math.max(...gaps.map(({ gap }) => gap.length), 3) + 2;
  const width = Math.max(...rows.map(({ reading, isChosen }) => readingText(reading, isChosen).length), 7) + 2;
  const lines = gaps.flatMap(({ gap, rows: ofGap }) => {
    if (ofGap.every(({ breaks }) => breaks.length === 0))
      return [`${gap.padEnd(gapWidth)}${paint('green', 'passes')} under ${ofGap.map(row => row.reading).join(', ')}`];
    return ofGap.flatMap((row, i) => [
      `${(i === 0 ? gap : '').padEnd(gapWidth)}${readingText(row.reading, row.isChosen).padEnd(width)}${paint(row.breaks.length === 0 ? 'green' : 'red', stateText(row))}`,
      ...breakLines(row).map(text => `${' '.repeat(gapWidth + 2)}${text}`),
    ]);
  });
  return lines.map(line => `    ${line}`);
}

function readingText(reading: string, isChosen: boolean): string {
  return isChosen ? `${reading} (used here)` : reading;
}

function stateText({ breaks, tried }: Row): string {
  return breaks.length === 0 ? 'passes' : `fails ${breaks.length} of ${tried}`;
}

function breakLines({ breaks }: Row): string[] {
  const left = breaks.length - MAX_BREAKS;
  return [...breaks.slice(0, MAX_BREAKS).map(breakText), ...(left > 0 ? [`and ${left} more`] : [])];
}

/** Shows the states only if several interactions have the same description. */
function breakText({ verdict, difference }: Break): string {
  const { contract, interaction } = verdict;
  const isAlone = contract.interactions.filter(({ description }) => description === interaction.description).length < 2;
  const name = isAlone ? visible(interaction.description) : interactionName(verdict);
  return `${name}${difference === undefined ? '' : `: ${visible(difference.says)}`}`;
}

function rowCells(row: Row): readonly string[] {
  const { gap, reading, isChosen, breaks } = row;
  return [gap, readingText(reading, isChosen), stateText(row), breaks.map(breakText).join('; ')];
}

/** The client, with its provider if it has contracts with several. */
function nameOf({ contract }: Sensitivity, all: readonly Sensitivity[]): string {
  const others = all.filter(other => other.contract !== contract && other.contract.consumer === contract.consumer);
  if (others.length === 0) return visible(contract.consumer);
  const isSame = others.some(other => other.contract.provider === contract.provider);
  return visible(`${contract.consumer} → ${contract.provider}${isSame ? ` (${contract.source})` : ''}`);
}
