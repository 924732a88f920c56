// How a client depends on readings, gap by gap: the trials of its interactions combined.
import { type GapId, gapIds, readingNames } from '../../../server/operations/gaps/gaps.js';
import type { Contract } from '../contract/contract.js';
import type { Difference, PairTrial, Verdict } from '../contract/verdict.js';
import { type AddressBreak, addressBreaks } from '../judging/address-reliance.js';
import { byContract, type ContractVerdicts } from './totals.js';

/** An interaction that fails under a reading. */
export interface Break {
  readonly verdict: Verdict;
  readonly difference?: Difference;
}

export interface Row {
  readonly gap: GapId;
  readonly reading: string;
  /** Whether it is the configured reading, not one tried instead. */
  readonly isChosen: boolean;
  /** How many interactions were tried under it. */
  readonly tried: number;
  readonly breaks: readonly Break[];
}

export interface PairNews {
  readonly verdict: Verdict;
  readonly pair: PairTrial;
}

/** One client of one provider, by one contract. */
export interface Sensitivity {
  readonly contract: Contract;
  /** The gaps that it touches, in the order of the ledger, each with every reading that was tried, the configured one included. */
  readonly gaps: ReadonlyArray<{ readonly gap: GapId; readonly rows: readonly Row[] }>;
  /** The readings of where the provider is served under which it fails: not in the rows. */
  readonly addresses: readonly AddressBreak[];
  /** How many trials had one other reading. */
  readonly trials: number;
  /** How many had two, and which of them show more than each reading alone. */
  readonly pairs: number;
  readonly news: readonly PairNews[];
  /** Interactions that pass under no reading, so readings are not the reason. Not in the rows. */
  readonly hopeless: readonly Verdict[];
  /** Whether every interaction passes under every reading that was tried. */
  readonly isRobust: boolean;
}

export function sensitivities(verdicts: readonly Verdict[]): readonly Sensitivity[] {
  return byContract(verdicts).map(sensitivityOf);
}

function sensitivityOf({ contract, verdicts }: ContractVerdicts): Sensitivity {
  const hopeless = verdicts.filter(isHopeless);
  const others = verdicts.filter(verdict => !hopeless.includes(verdict));
  const touched = new Set(others.flatMap(({ trials }) => trials.map(({ gap }) => gap)));
  const gaps = gapIds
    .filter(gap => touched.has(gap))
    .map(gap => ({
      gap,
      rows: rowsOf(
        gap,
        others.filter(verdict => isDecidedBy(gap, verdict)),
      ),
    }))
    .filter(({ rows }) => rows.length > 0);
  const addresses = addressBreaks(verdicts);
  const pairs = verdicts.flatMap(verdict => (verdict.pairs ?? []).map(pair => ({ verdict, pair })));
  return {
    contract,
    gaps,
    addresses,
    trials: verdicts.reduce((sum, { trials, addresses: others }) => sum + trials.length + others.length, 0),
    pairs: pairs.length,
    news: pairs.filter(({ pair }) => pair.isNews),
    hopeless,
    isRobust:
      hopeless.length === 0 &&
      addresses.length === 0 &&
      gaps.every(({ rows }) => rows.every(({ breaks }) => breaks.length === 0)) &&
      pairs.every(({ pair }) => pair.passes) &&
      verdicts.every(({ outcome }) => outcome === 'passed'),
  };
}

function isHopeless({ outcome, trials, pairs = [] }: Verdict): boolean {
  return outcome !== 'passed' && ![...trials, ...pairs].some(({ passes }) => passes);
}

/** A gap has nothing to do with a failure under all its readings. */
function isDecidedBy(gap: GapId, { outcome, trials }: Verdict): boolean {
  return outcome === 'passed' || trials.some(trial => trial.gap === gap && trial.passes);
}

function rowsOf(gap: GapId, verdicts: readonly Verdict[]): readonly Row[] {
  const rows = new Map<string, { isChosen: boolean; tried: number; breaks: Break[] }>();
  const add = (reading: string, isChosen: boolean, passes: boolean, found: Break) => {
    const row = rows.get(reading) ?? { isChosen: false, tried: 0, breaks: [] };
    rows.set(reading, { isChosen: row.isChosen || isChosen, tried: row.tried + 1, breaks: row.breaks });
    if (!passes) row.breaks.push(found);
  };
  for (const verdict of verdicts) {
    const chosen = verdict.gaps[gap];
    const [difference] = verdict.differences;
    if (chosen !== undefined) add(chosen, true, verdict.outcome === 'passed', broken(verdict, difference));
    for (const trial of verdict.trials)
      if (trial.gap === gap) add(trial.reading, false, trial.passes, broken(verdict, trial.difference));
  }
  const order = readingNames(gap);
  const place = (reading: string) => (order.includes(reading) ? order.indexOf(reading) : order.length);
  return [...rows]
    .map(([reading, row]) => ({ gap, reading, ...row }))
    .sort((a, b) => place(a.reading) - place(b.reading));
}

function broken(verdict: Verdict, difference: Difference | undefined): Break {
  return { verdict, ...(difference !== undefined && { difference }) };
}
