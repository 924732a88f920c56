// How an interaction stands to the document, from what was tried and what was found. Pure: asks nobody.
import { type Finding, showFinding } from '../../derive/document/document-check.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Difference, Reliance, Standing, Trial } from '../verdict.js';

export interface Evidence {
  /** Whether it held on the fake, under the readings that count. */
  readonly held: boolean;
  /** Whether it would hold if the provider were served elsewhere: then `status` is that of the answer there. */
  readonly isElsewhere?: boolean;
  readonly differences: readonly Difference[];
  /** The status of the fake's answer. */
  readonly status: number;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  /** Every other reading of every gap it touched, alone. */
  readonly trials: readonly Trial[];
  /** What it expects and the document does not show, one sentence each: no gap asks for it. */
  readonly unshown?: readonly string[];
  /** What the request has that the document has not. */
  readonly ofRequest: readonly Finding[];
  /** What the expectation has that the document has not. */
  readonly ofExpectation: readonly Finding[];
}

/**
 * The document's word counts first: a request that it does not allow is one whatever comes of it, unless being refused is what the contract is
 * about. Then what was tried: what holds under one reading and not under another rests on the gap, and what holds only for an answer that the
 * document does not show rests on nothing. What holds under none contradicts.
 */
export function standingOf(evidence: Evidence): Standing {
  const { held, isElsewhere = false, status, trials } = evidence;
  const isAboutRefusal = (held || isElsewhere) && status >= 400;
  const forbidden = isAboutRefusal ? [] : evidence.ofRequest.filter(({ gap }) => gap === undefined);
  if (forbidden.length > 0) return contradiction(forbidden, []);
  const foreign = evidence.ofExpectation.filter(({ part, gap }) => part === 'header' && gap === undefined);
  if ((held || isElsewhere) && foreign.length > 0) return contradiction(foreign, []); // no real server sends it, whatever the readings
  const on = reliances(
    evidence,
    trials.filter(({ holds }) => holds !== held),
  );
  const { unshown = [] } = evidence;
  if (on.length > 0 || unshown.length > 0) return { kind: 'rests', on, ...(unshown.length > 0 && { unshown }) };
  if (held) return { kind: 'documented' };
  const against = evidence.ofExpectation.filter(({ rule }) => rule !== undefined);
  return contradiction(against, against.length > 0 ? [] : deciding(evidence.rules));
}

/** The gaps of which a reading tells, each with all that was tried of it. */
function reliances({ trials, gaps }: Evidence, telling: readonly Trial[]): Reliance[] {
  return [...new Set(telling.map(({ gap }) => gap))].map(gap => ({
    gap,
    reading: gaps[gap] ?? '',
    trials: trials.filter(trial => trial.gap === gap),
  }));
}

function contradiction(findings: readonly Finding[], rules: readonly string[]): Standing {
  const named = findings.flatMap(({ rule }) => rule ?? []);
  return { kind: 'contradicts', rules: [...new Set([...named, ...rules])], says: findings.map(showFinding) };
}

/** Where an operation answered, that the address was right is not what decided. */
function deciding(rules: readonly string[]): readonly string[] {
  const others = rules.filter(rule => !rule.startsWith('address.'));
  return others.length > 0 ? others : rules;
}
