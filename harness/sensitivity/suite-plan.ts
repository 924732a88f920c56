// The runs of a suite that passed: every other reading of each gap that it met. Pure.
import type { Coverage } from '../../server/engine/journal/coverage.js';
import { type GapId, isGapId, readingNames } from '../../server/operations/gaps/gaps.js';

/** A reading to try instead of the one that decided. */
export interface OtherReading {
  readonly gap: GapId;
  readonly reading: string;
}

export interface SuitePlan {
  readonly runs: readonly OtherReading[];
  /** Gaps that were decided only by readings that the suite set itself, with those readings. */
  readonly pinned: ReadonlyArray<{ readonly gap: GapId; readonly readings: readonly string[] }>;
  /** Gaps that the suite met and `only` excludes. */
  readonly leftOut: readonly GapId[];
}

/** `only`: the gaps to vary; empty: all. */
export function suitePlan(coverage: Coverage, only: readonly GapId[]): SuitePlan {
  const met = Object.keys(coverage.gaps).filter(isGapId).sort();
  const isWanted = (gap: GapId) => only.length === 0 || only.includes(gap);
  const isPinned = (gap: GapId) => readAs(coverage, gap).length === 0;
  const varied = met.filter(gap => isWanted(gap) && !isPinned(gap));
  return {
    runs: varied.flatMap(gap =>
      readingNames(gap)
        .filter(reading => readAs(coverage, gap).join() !== reading)
        .map(reading => ({ gap, reading })),
    ),
    pinned: met
      .filter(gap => isWanted(gap) && isPinned(gap))
      .map(gap => ({ gap, readings: Object.keys(coverage.gaps[gap] ?? {}) })),
    leftOut: met.filter(gap => !isWanted(gap)),
  };
}

/** The readings that decided a gap that the suite did not set itself: several if its fakes have several profiles. */
export function readAs({ gaps }: Pick<Coverage, 'gaps'>, gap: GapId): string[] {
  return Object.entries(gaps[gap] ?? {}).flatMap(([reading, met]) => (met.requests > met.pinned ? [reading] : []));
}

/** Whether this reading decided a gap and the suite did not set it itself; otherwise a run under it has tried nothing. */
export function hasTried({ gaps }: Coverage, { gap, reading }: OtherReading): boolean {
  return readAs({ gaps }, gap).includes(reading);
}
