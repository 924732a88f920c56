// The summary of a run: its numbers, the rules that it exercised, and the gaps that it rests on.
import { rules } from '../../operations/catalog.js';
import { type GapId, gapSpec } from '../../operations/gaps/gaps.js';
import type { Paint } from '../../report/paint.js';
import type { Verdict } from '../verdict.js';
import { totalsOf } from './totals.js';

const STRICT = '--strict: an interaction counts as failed unless the document promises what it expects.';
const WORDS =
  'A gap is a question that the document leaves open; a reading is one possible answer. Interactions that rest on a gap pass only if the real service follows the reading used here:';
const ADVICE =
  'To depend on no gap, expect less of the answer. Find the reading of a real server: cwx-fake calibrate --target <url>. Choose one: --reading gap=reading.';

export function showSummary(verdicts: readonly Verdict[], isStrict: boolean, paint: Paint): string[] {
  const { counting, exercised, interactions, ...totals } = totalsOf(verdicts, isStrict);
  const some = (count: number, what: string) => (count === 0 ? [] : [`${count} ${what}`]);
  const came = [
    `${totals.passed} passed`,
    ...some(totals.failed, 'failed'),
    ...some(totals.unverified, 'not verified'),
  ];
  const classified = [
    ...some(totals.documented, totals.documented === 1 ? 'is documented' : 'are documented'),
    ...some(totals.rests, totals.rests === 1 ? 'rests on a guess' : 'rest on a guess'),
    ...some(totals.contradicts, totals.contradicts === 1 ? 'contradicts the document' : 'contradict the document'),
  ];
  const pending = `${totals.pending === 1 ? 'is' : 'are'} pending and failed, which does not count yet.`;
  return [
    `${counted(interactions, 'interaction')}: ${came.join(', ')}.${classified.length === 0 ? '' : ` By the document: ${classified.join(', ')}.`}`,
    ...some(totals.pending, pending),
    `The passed interactions exercise ${exercised.length} of the ${Object.keys(rules).length} rules of the document${exercised.length === 0 ? '.' : `: ${exercised.join(', ')}.`}`,
    ...(isStrict ? [STRICT] : []),
    resultLine(interactions, totals.passed + totals.failed, counting, paint),
  ];
}

function resultLine(interactions: number, tried: number, counting: number, paint: Paint): string {
  if (counting > 0)
    return paint(
      ['bold', 'red'],
      `✘ ${counted(counting, 'interaction')} of ${interactions} ${counting === 1 ? 'counts' : 'count'} as failed.`,
    );
  if (tried === 0) return paint(['bold', 'red'], '✘ No interaction was verified, so the run failed.');
  return paint(['bold', 'green'], '✔ The contracts pass.');
}

/** The gaps that interactions rest on, each with its question and its readings. */
export function showGaps(verdicts: readonly Verdict[], paint: Paint): string[] {
  const chosen = new Map<GapId, string>(
    verdicts.flatMap(({ classification }) =>
      classification.kind === 'rests' ? classification.on.map(({ gap, reading }) => [gap, reading] as const) : [],
    ),
  );
  if (chosen.size === 0) return [];
  const lines = [...chosen].flatMap(([gap, reading]) => [
    `  ${paint('yellow', gap)}: ${gapSpec(gap).asks}`,
    ...gapSpec(gap).readings.map(([name, means]) => `    ${name}: ${means}${name === reading ? ' (used here)' : ''}`),
  ]);
  return [WORDS, ...lines, ADVICE, ''];
}

/** `1 interaction`, `2 interactions`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
