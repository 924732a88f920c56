// How often a scenario is played, and under which readings: once, or, where it probes a gap, once for each reading of that.
// Sends nothing.
import { type GapId, isReading, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { Meant } from '../load/several.js';
import type { Loaded } from '../load/story.js';

/** One play of a scenario from its beginning to its end. */
export interface Run extends Meant {
  /** The reading under which it is played, where it probes a gap. */
  readonly probed?: { readonly gap: GapId; readonly reading: string };
}

/** The runs of scenarios. Only a target whose readings can be chosen is probed under each. */
export function runsOf(meant: readonly Meant[], canChoose: boolean): readonly Run[] {
  return meant.flatMap<Run>(one => {
    const { gap } = one.loaded;
    if (gap === undefined || !canChoose) return [one];
    const readings = probedReadings(gap, one.loaded);
    return readings.length === 0 ? [one] : readings.map(reading => ({ ...one, probed: { gap, reading } }));
  });
}

/** What a run is called: its scenario, and the reading under which it is played. */
export function runName({ name, probed }: Run): string {
  return probed === undefined ? name : `${name} (${probed.gap}=${probed.reading})`;
}

/** The readings of a run over those of its scenario. */
export function readingsOf({ probed }: Run): SomeReadings {
  return probed === undefined ? {} : { [probed.gap]: probed.reading };
}

/** Every reading of the gap, and those of an open one that the probes name. */
function probedReadings(gap: GapId, { steps }: Loaded): readonly string[] {
  const named = steps.flatMap(step => Object.keys(step.for ?? {}));
  if (named.length === 0) return [];
  return [...new Set([...readingNames(gap), ...named])].filter(reading => isReading(gap, reading));
}
