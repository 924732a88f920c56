// The runs of a suite that passed: every other reading of each gap that it met. Pure.

import { type VariationName, variationNames } from '../../server/derive/document/variations.js';
import type { Coverage } from '../../server/engine/journal/coverage.js';
import { type GapId, isGapId, readingNames, type SomeReadings } from '../../server/operations/gaps/gaps.js';

/** A reading to try instead of the one that decided. */
export interface PlannedReading {
  readonly gap: GapId;
  readonly reading: string;
}

export interface SuitePlan {
  readonly runs: readonly PlannedReading[];
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
export function hasTried({ gaps }: Coverage, { gap, reading }: PlannedReading): boolean {
  return readAs({ gaps }, gap).includes(reading);
}

/** The variations that can change a response the suite met. */
export function variationsFor({ operations }: Coverage): readonly VariationName[] {
  const isProcessed = Object.entries(operations).some(
    ([id, { statuses }]) => id.startsWith('ppf.') && statuses[200] !== undefined,
  );
  return variationNames.filter(name => isProcessed || !name.includes('message'));
}

/** Readings of several gaps at once, so that each pair of these readings is together in one run at least. */
export function pairRows(readings: readonly PlannedReading[]): readonly SomeReadings[] {
  const gaps = [...new Set(readings.map(({ gap }) => gap))];
  const open = new Set(
    readings.flatMap((one, i) =>
      readings.slice(i + 1).flatMap(other => (other.gap === one.gap ? [] : pairKey(one, other))),
    ),
  );
  const rows: SomeReadings[] = [];
  while (open.size > 0) {
    const row: PlannedReading[] = [];
    for (const gap of gaps) {
      const news = (one: PlannedReading) => row.filter(other => open.has(pairKey(other, one))).length;
      const left = (one: PlannedReading) => [...open].filter(key => key.split(' ').includes(nameOf(one))).length;
      const [best] = readings.filter(one => one.gap === gap).sort((a, b) => news(b) - news(a) || left(b) - left(a));
      if (best !== undefined) row.push(best);
    }
    for (const [i, one] of row.entries()) for (const other of row.slice(i + 1)) open.delete(pairKey(one, other));
    rows.push(Object.fromEntries(row.map(({ gap, reading }) => [gap, reading])) as SomeReadings); // readings of their gaps
  }
  return rows;
}

function pairKey(one: PlannedReading, other: PlannedReading): string {
  return `${nameOf(one)} ${nameOf(other)}`;
}

function nameOf({ gap, reading }: PlannedReading): string {
  return `${gap}=${reading}`;
}
