// A run in numbers, and what of it belongs together. Knows neither how it is shown nor where.

import { gapIds, gapSpec } from '../../../server/operations/gaps/gaps.js';
import type { Contract } from '../contract/contract.js';
import { counts, type Verdict } from '../contract/verdict.js';
import type { Totals, VerificationReport } from './verification-format.js';

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

/** The gaps that interactions rest on. */
export function gapsOf(verdicts: readonly Verdict[]): VerificationReport['gaps'] {
  const reliances = verdicts.flatMap(({ classification }) =>
    classification.kind === 'rests' ? classification.on : [],
  );
  return gapIds.flatMap(gap => {
    const reliance = reliances.find(one => one.gap === gap);
    const { asks, readings } = gapSpec(gap);
    return reliance === undefined
      ? []
      : [{ gap, reading: reliance.reading, asks, readings: readings.map(([name, means]) => ({ name, means })) }];
  });
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
