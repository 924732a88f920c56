// The runs of a scenario: one, or one for each reading of the gap that it probes.
import { type GapId, isReading, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { NamedScenario } from '../load/load-named.js';
import type { Loaded } from '../load/load-scenario.js';

/** One play of a scenario from start to end. */
export interface Run extends NamedScenario {
  /** The reading of this run, if the scenario probes a gap. */
  readonly probed?: { readonly gap: GapId; readonly reading: string };
}

/** The runs of scenarios. A target whose readings cannot be set gets one run. */
export function runsOf(meant: readonly NamedScenario[], canChoose: boolean): readonly Run[] {
  return meant.flatMap<Run>(one => {
    const { gap } = one.loaded;
    if (gap === undefined || !canChoose) return [one];
    const readings = probedReadings(gap, one.loaded);
    return readings.length === 0 ? [one] : readings.map(reading => ({ ...one, probed: { gap, reading } }));
  });
}

/** The name of a run: its scenario, and the probed reading. */
export function runName({ name, probed }: Run): string {
  return probed === undefined ? name : `${name} (${probed.gap}=${probed.reading})`;
}

/** The readings of a run, over those of its scenario. */
export function readingsOf({ probed }: Run): SomeReadings {
  return probed === undefined ? {} : { [probed.gap]: probed.reading };
}

/** Every reading of the gap, and literal readings that the probes name. */
function probedReadings(gap: GapId, { steps }: Loaded): readonly string[] {
  const named = steps.flatMap(step => Object.keys(step.for ?? {}));
  if (named.length === 0) return [];
  return [...new Set([...readingNames(gap), ...named])].filter(reading => isReading(gap, reading));
}
