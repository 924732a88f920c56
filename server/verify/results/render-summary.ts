// The end of what is told of a run: the numbers, the rules that were witnessed, and, where something rests on a guess, what that means.
// Knows no terminal.
import { rules } from '../../operations/catalog.js';
import { type GapId, gapSpec } from '../../operations/gaps/gaps.js';
import type { Paint } from '../../report/paint.js';
import type { Verdict } from '../verdict.js';
import { tallyOf } from './totals.js';

const STRICT = 'With --strict an interaction counts as failed unless the document promises what it expects.';
const WORDS =
  'The document leaves questions open. Such a question is called a gap, and each possible answer to it a reading. What rests on a gap holds only if the real service answers as it is read here:';
const ADVICE =
  'To depend on none, expect less of the answer. To find the reading of a real server: cwx-fake calibrate --target <url>. To choose one: --reading gap=reading.';

export function showSummary(verdicts: readonly Verdict[], isStrict: boolean, paint: Paint): string[] {
  const { counting, witnessed, interactions, ...tally } = tallyOf(verdicts, isStrict);
  const some = (count: number, says: string) => (count === 0 ? [] : [`${count} ${says}`]);
  const came = [`${tally.held} held`, ...some(tally.failed, 'failed'), ...some(tally.unverified, 'not verified')];
  const stands = [
    ...some(tally.documented, tally.documented === 1 ? 'is documented' : 'are documented'),
    ...some(tally.rests, tally.rests === 1 ? 'rests on a guess' : 'rest on a guess'),
    ...some(tally.contradicts, tally.contradicts === 1 ? 'contradicts the document' : 'contradict the document'),
  ];
  const pending = `${tally.pending === 1 ? 'is' : 'are'} pending and did not hold, which does not count yet.`;
  return [
    `${counted(interactions, 'interaction')}: ${came.join(', ')}.${stands.length === 0 ? '' : ` To the document: ${stands.join(', ')}.`}`,
    ...some(tally.pending, pending),
    `What held witnesses ${witnessed.length} of the ${Object.keys(rules).length} rules of the document${witnessed.length === 0 ? '.' : `: ${witnessed.join(', ')}.`}`,
    ...(isStrict ? [STRICT] : []),
    resultLine(interactions, tally.held + tally.failed, counting, paint),
  ];
}

function resultLine(interactions: number, tried: number, counting: number, paint: Paint): string {
  if (counting > 0)
    return paint(
      ['bold', 'red'],
      `✘ ${counted(counting, 'interaction')} of ${interactions} ${counting === 1 ? 'counts' : 'count'} as failed.`,
    );
  if (tried === 0) return paint(['bold', 'red'], '✘ Not one interaction was verified, which is no success.');
  return paint(['bold', 'green'], `✔ The contracts hold.`);
}

/** The gaps that something rests on, each with its question and its readings; nothing where nothing does. */
export function showGaps(verdicts: readonly Verdict[], paint: Paint): string[] {
  const chosen = new Map<GapId, string>(
    verdicts.flatMap(({ standing }) =>
      standing.kind === 'rests' ? standing.on.map(({ gap, reading }) => [gap, reading] as const) : [],
    ),
  );
  if (chosen.size === 0) return [];
  const told = [...chosen].flatMap(([gap, reading]) => [
    `  ${paint('yellow', gap)}: ${gapSpec(gap).asks}`,
    ...gapSpec(gap).readings.map(
      ([name, means]) => `    ${name}: ${means}${name === reading ? ' (as read here)' : ''}`,
    ),
  ]);
  return [WORDS, ...told, ADVICE, ''];
}

/** `1 interaction`, `2 interactions`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
