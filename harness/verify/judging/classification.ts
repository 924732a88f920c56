// Classifies an interaction: documented, rests on a reading, or contradicts the document. Pure.
import { showFinding } from '../../../server/derive/document/document-check.js';
import type { Finding } from '../../../server/derive/document/violation.js';
import { type RefusalCode, refusalSpec } from '../../../server/domain/refusals.js';
import { isOfEveryAddress } from '../../../server/operations/address.js';
import type { GapId } from '../../../server/operations/gaps/gaps.js';
import type { Classification, Reliance, Trial } from '../contract/verdict.js';

export interface Evidence {
  /** Whether it passed on the fake, under the configured readings. */
  readonly passed: boolean;
  /** Whether it would pass if the provider were served elsewhere; then `status` is that of the response there. */
  readonly isElsewhere?: boolean;
  /** The status of the fake's response. */
  readonly status: number;
  /** Why the fake refused it. */
  readonly refused?: RefusalCode | undefined;
  readonly rules: readonly string[];
  /** The rules about the parts of the response that are not as expected. */
  readonly differing?: readonly string[];
  /** If every difference is in what the document leaves open without a gap: one sentence each. */
  readonly openDifferences?: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  /** Every other reading of each gap that the request touched, one at a time. */
  readonly trials: readonly Trial[];
  /** What it expects and the document does not show, one sentence each. No gap covers it. */
  readonly unshown?: readonly string[];
  /** Violations in the request. */
  readonly ofRequest: readonly Finding[];
  /** Violations in the expectation. */
  readonly ofExpectation: readonly Finding[];
}

/**
 * The document decides first: a request that it does not allow contradicts it, unless the contract expects the refusal. Then the trials decide: an
 * interaction that passes under one reading and fails under another rests on that gap; one that expects something that the document does not show
 * rests on no gap. One that passes under no reading contradicts the document, unless the document leaves open what decided it.
 */
export function classify(evidence: Evidence): Classification {
  const { passed, isElsewhere = false, status, trials } = evidence;
  const isAboutRefusal = (passed || isElsewhere) && status >= 400;
  const forbidden = isAboutRefusal ? [] : evidence.ofRequest.filter(({ gap }) => gap === undefined);
  if (forbidden.length > 0) return contradiction(forbidden, []);
  const foreign = evidence.ofExpectation.filter(({ part, gap }) => part === 'header' && gap === undefined);
  if ((passed || isElsewhere) && foreign.length > 0) return contradiction(foreign, []); // no real server sends this header, whatever the readings
  const on = reliances(
    evidence,
    trials.filter(({ passes }) => passes !== passed).map(({ gap }) => gap),
  );
  const { unshown = [] } = evidence;
  if (on.length > 0 || unshown.length > 0) return { kind: 'rests', on, ...(unshown.length > 0 && { unshown }) };
  if (passed) return { kind: 'documented' };
  const against = evidence.ofExpectation.filter(({ rule }) => rule !== undefined);
  if (against.length > 0) return contradiction(against, []);
  const open = reliances(evidence, openGaps(evidence));
  if (open.length > 0) return { kind: 'rests', on: open };
  const { refused, openDifferences = [] } = evidence;
  if (refused === undefined && openDifferences.length > 0)
    return { kind: 'rests', on: [], unshown: [...new Set(openDifferences)] };
  return contradiction([], deciding(evidence));
}

/** The gaps that decided it, where no rule did: the one behind the refusal, or those about what it expects. */
function openGaps({ refused, ofExpectation }: Evidence): GapId[] {
  const { rules = [], gap } = refused === undefined ? {} : refusalSpec(refused);
  if (refused !== undefined) return gap === undefined || rules.length > 0 ? [] : [gap as GapId]; // a test holds the table against the ledger
  return ofExpectation.flatMap(({ gap }) => gap ?? []);
}

/** The gaps, each with all its trials. */
function reliances({ trials, gaps }: Evidence, deciding: readonly GapId[]): Reliance[] {
  return [...new Set(deciding)].map(gap => ({
    gap,
    reading: gaps[gap] ?? '',
    trials: trials.filter(trial => trial.gap === gap),
  }));
}

function contradiction(findings: readonly Finding[], rules: readonly string[]): Classification {
  const named = findings.flatMap(({ rule }) => rule ?? []);
  return { kind: 'contradicts', rules: [...new Set([...named, ...rules])], says: findings.map(showFinding) };
}

/** The rules behind a refusal or a difference; else those that decided, and of these the ones about the address only if there are no others. */
function deciding({ refused, rules, differing = [] }: Evidence): readonly string[] {
  const narrow = refused === undefined ? differing : (refusalSpec(refused).rules ?? []);
  if (narrow.length > 0) return narrow;
  const others = rules.filter(rule => !isOfEveryAddress(rule));
  return others.length > 0 ? others : rules;
}
