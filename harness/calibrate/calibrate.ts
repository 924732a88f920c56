// Finds the readings of a server. Each probe is played when the readings that it needs are known or cannot be found. Never guesses.
import { type GapId, gapIds, readingNames, type SomeReadings } from '../../server/operations/gaps/gaps.js';
import type { Mapped } from '../names/mapped-steps.js';
import { prepare, type RunContext } from '../run/run-context.js';
import { type Finding, unseen } from './finding.js';
import { inquire } from './inquiry.js';
import { inOrder } from './probes.js';

export interface Calibration {
  /** One for each gap, in the order of the ledger. */
  readonly findings: readonly Finding[];
  readonly readings: SomeReadings;
}

export interface CalibrateOptions {
  /** Called before each probe. */
  readonly onProbe?: (gap: GapId) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/** Plays probes one after another. Rejects with `Unreachable` if the server does not answer, or stops answering. */
export async function calibrate(
  probes: readonly Mapped[],
  run: RunContext,
  { onProbe = () => {}, onFinding = () => {} }: CalibrateOptions = {},
): Promise<Calibration> {
  const { state, signal } = run;
  const found = new Map<GapId, Finding>();
  for (const probe of inOrder(probes)) {
    const { gap } = probe.loaded;
    if (gap === undefined || signal.aborted) continue;
    onProbe(gap);
    const ask = async () => {
      const deviations = await prepare(probe, run);
      return inquire(probe, gap, { ...run, known: state.known, deviations });
    };
    const first = await ask();
    const second = 'isImpossible' in first && !signal.aborted ? await ask() : first;
    const finding = 'reading' in second ? second : first; // a server that fails at random responds differently the second time
    if ('reading' in finding) state.known = { ...state.known, [gap]: finding.reading };
    found.set(gap, finding);
    onFinding(finding);
  }
  const probed = new Set(probes.map(({ loaded }) => loaded.gap));
  const unseenGap = (gap: GapId) =>
    unseen(gap, readingNames(gap), signal.aborted && probed.has(gap) ? 'it was interrupted' : 'no probe reveals it');
  return { findings: gapIds.map(gap => found.get(gap) ?? unseenGap(gap)), readings: state.known };
}
