// A run in numbers, and what of it belongs together. Knows neither how it is shown nor where.
import type { Contract } from '../contract.js';
import { counts, type Verdict } from '../verdict.js';

export interface Totals {
  readonly interactions: number;
  readonly passed: number;
  readonly failed: number;
  readonly unverified: number;
  readonly documented: number;
  readonly rests: number;
  readonly contradicts: number;
  /** Failed or unverified, but pending: they do not count yet. */
  readonly pending: number;
  /** They make the run fail. */
  readonly counting: number;
  /** The rules that decided the answers of passed interactions. Sorted. */
  readonly exercised: readonly string[];
}

export function totalsOf(verdicts: readonly Verdict[], isStrict: boolean): Totals {
  const count = (fits: (verdict: Verdict) => boolean) => verdicts.filter(fits).length;
  const passed = verdicts.filter(({ outcome }) => outcome === 'passed');
  return {
    interactions: verdicts.length,
    passed: passed.length,
    failed: count(({ outcome }) => outcome === 'failed'),
    unverified: count(({ outcome }) => outcome === 'unverified'),
    documented: count(({ classification }) => classification.kind === 'documented'),
    rests: count(({ classification }) => classification.kind === 'rests'),
    contradicts: count(({ classification }) => classification.kind === 'contradicts'),
    pending: count(({ outcome, isPending }) => isPending && outcome !== 'passed'),
    counting: count(verdict => counts(verdict, isStrict)),
    exercised: [...new Set(passed.flatMap(({ rules }) => rules))].sort(),
  };
}

export interface ContractVerdicts {
  readonly contract: Contract;
  readonly verdicts: readonly Verdict[];
}

/** The verdicts by contract, in the order of the first verdicts. */
export function byContract(verdicts: readonly Verdict[]): readonly ContractVerdicts[] {
  const grouped = new Map<Contract, Verdict[]>();
  for (const verdict of verdicts) {
    const others = grouped.get(verdict.contract);
    if (others === undefined) grouped.set(verdict.contract, [verdict]);
    else others.push(verdict);
  }
  return [...grouped].map(([contract, members]) => ({ contract, verdicts: members }));
}
