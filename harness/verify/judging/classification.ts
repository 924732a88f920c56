// Classifies an interaction: documented, rests on something that the document leaves open, or contradicts the document. Pure.
import { showFinding } from '../../../server/derive/document/document-check.js';
import type { Finding } from '../../../server/derive/document/violation.js';
import { type RefusalCode, refusalSpec } from '../../../server/domain/refusals.js';
import { isOfEveryAddress } from '../../../server/operations/address.js';
import { defaultReadings, type GapId, isGapId } from '../../../server/operations/gaps/gaps.js';
import type { Classification, PairTrial, Reliance, Trial } from '../contract/verdict.js';

export interface Evidence {
  /** Whether it passed on the fake, under the configured readings. */
  readonly passed: boolean;
  /** Why the fake refused it. */
  readonly refused?: RefusalCode | undefined;
  readonly rules: readonly string[];
  /** The rules about the parts of the response that are not as expected. */
  readonly differing: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  /** Every other reading of each gap that the request touched, one at a time and two at once. */
  readonly trials: readonly Trial[];
  readonly pairs: readonly PairTrial[];
  /** Servers that keep the document and end differently, by what the document leaves open without a gap: one sentence each. */
  readonly unshown: readonly string[];
  /** Violations in the request. */
  readonly ofRequest: readonly Finding[];
  /** Violations in the expectation. */
  readonly ofExpectation: readonly Finding[];
}

/** Whether any server that keeps the document passes decides between `contradicts` and `rests`; whether any fails, between `rests` and `documented`. */
export function classify(evidence: Evidence): Classification {
  const { passed, trials, pairs, unshown } = evidence;
  const ofPairs = pairs.filter(({ isPairOnly }) => isPairOnly);
  const deciding = [
    ...trials.filter(({ passes }) => passes !== passed).map(({ gap }) => gap),
    ...ofPairs.flatMap(({ first, second }) => [first.gap, second.gap]),
  ];
  if (deciding.length + unshown.length === 0) return passed ? { kind: 'documented' } : contradiction(evidence);
  const on = reliances(evidence, deciding.length > 0 || passed ? deciding : openGaps(evidence));
  const together = ofPairs.map(pair => pairText(pair, passed));
  const others = [...together.slice(0, 1), ...(passed || deciding.length === 0 ? unshown : [])];
  return { kind: 'rests', on, ...(others.length > 0 && { unshown: others }) };
}

function pairText({ first, second }: PairTrial, passed: boolean): string {
  const both = [first, second].map(({ gap, reading }) => `${gap}=${reading}`).join(' with ');
  return `A server that follows ${both} keeps the document and ${passed ? 'fails' : 'passes'} here.`;
}

/** The gaps behind a refusal, or those about what it expects. */
function openGaps({ refused, ofExpectation, gaps }: Evidence): GapId[] {
  const { gap = '' } = refused === undefined ? {} : refusalSpec(refused);
  const open = refused === undefined ? ofExpectation.flatMap(finding => finding.gap ?? []) : [gap];
  return open.filter(isGapId).filter(one => gaps[one] !== undefined);
}

/** The gaps, each with all its trials. */
function reliances({ trials, gaps }: Evidence, deciding: readonly GapId[]): Reliance[] {
  return [...new Set(deciding)].map(gap => ({
    gap,
    reading: gaps[gap] ?? defaultReadings[gap],
    trials: trials.filter(trial => trial.gap === gap),
  }));
}

/** What the request violates if it was refused, else what the expectation violates, else the rules that decided. */
function contradiction(evidence: Evidence): Classification {
  const { refused, ofRequest, ofExpectation } = evidence;
  const forbidden = refused === undefined ? [] : ofRequest.filter(({ gap }) => gap === undefined);
  const findings = forbidden.length > 0 ? forbidden : ofExpectation.filter(({ rule }) => rule !== undefined);
  const named = findings.length > 0 ? findings.flatMap(({ rule }) => rule ?? []) : deciding(evidence);
  return { kind: 'contradicts', rules: [...new Set(named)], says: findings.map(showFinding) };
}

/** The rules behind a refusal or a difference; else those that decided, and of these the ones about the address only if there are no others. */
function deciding({ refused, rules, differing }: Evidence): readonly string[] {
  const narrow = refused === undefined ? differing : (refusalSpec(refused).rules ?? []);
  if (narrow.length > 0) return narrow;
  const others = rules.filter(rule => !isOfEveryAddress(rule));
  return others.length > 0 ? others : rules;
}
