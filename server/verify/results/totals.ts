// A run in numbers, and what of it belongs together. Knows neither how it is shown nor where.
import type { Contract } from '../contract.js';
import { counts, type Verdict } from '../verdict.js';

export interface Tally {
  readonly interactions: number;
  readonly held: number;
  readonly failed: number;
  readonly unverified: number;
  /** How they stand to the document. */
  readonly documented: number;
  readonly rests: number;
  readonly contradicts: number;
  /** Those that did not hold, and do not count yet. */
  readonly pending: number;
  /** Those that make the run fail. */
  readonly counting: number;
  /** The rules that decided the answer of an interaction that held. Sorted. */
  readonly witnessed: readonly string[];
}

export function tallyOf(verdicts: readonly Verdict[], isStrict: boolean): Tally {
  const count = (fits: (verdict: Verdict) => boolean) => verdicts.filter(fits).length;
  const held = verdicts.filter(({ outcome }) => outcome === 'held');
  return {
    interactions: verdicts.length,
    held: held.length,
    failed: count(({ outcome }) => outcome === 'failed'),
    unverified: count(({ outcome }) => outcome === 'unverified'),
    documented: count(({ standing }) => standing.kind === 'documented'),
    rests: count(({ standing }) => standing.kind === 'rests'),
    contradicts: count(({ standing }) => standing.kind === 'contradicts'),
    pending: count(({ outcome, isPending }) => isPending && outcome !== 'held'),
    counting: count(verdict => counts(verdict, isStrict)),
    witnessed: [...new Set(held.flatMap(({ rules }) => rules))].sort(),
  };
}

export interface OfContract {
  readonly contract: Contract;
  readonly verdicts: readonly Verdict[];
}

/** The verdicts by contracts, both in the order in which they first came. */
export function byContract(verdicts: readonly Verdict[]): readonly OfContract[] {
  const grouped = new Map<Contract, Verdict[]>();
  for (const verdict of verdicts) {
    const others = grouped.get(verdict.contract);
    if (others === undefined) grouped.set(verdict.contract, [verdict]);
    else others.push(verdict);
  }
  return [...grouped].map(([contract, members]) => ({ contract, verdicts: members }));
}
