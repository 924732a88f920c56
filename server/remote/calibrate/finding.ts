// The finding about one gap: its reading, or why it is unknown. Plain values.
import { visible } from '../../derive/text/visible.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Played } from '../../scenario/play/player.js';

/** One answer, with the readings that explain it. */
export interface Observation {
  readonly say: string;
  /** Method, path and query. */
  readonly asked: string;
  readonly status: number;
  readonly fits: readonly string[];
  /** The played step. */
  readonly played?: Played;
}

export type Finding = {
  readonly gap: GapId;
  readonly observations: readonly Observation[];
} & (
  | { readonly reading: string }
  | {
      /** Why it is unknown, in one line. */
      readonly undetermined: string;
      /** The remaining candidates. */
      readonly candidates: readonly string[];
      /** Whether something that the probe stands on did not hold. */
      readonly isHindered?: true;
      /** All prerequisites of the probe passed, but its answers fit no reading. */
      readonly isImpossible?: true;
      /** Then all steps that were asked. */
      readonly played?: readonly Played[];
    }
);

/** The result of a probe. */
export interface Yield {
  readonly gap: GapId;
  /** All candidates before the probe. */
  readonly readings: readonly string[];
  readonly observations: readonly Observation[];
  /** Prerequisites that failed or could not be requested. */
  readonly failure?: string;
  /** Readings of other gaps, `gap=reading`, that the probe would need. */
  readonly wanted: readonly string[];
  /** Other reasons why something could not be requested. */
  readonly obstacles: readonly string[];
  /** All steps that were asked. */
  readonly played?: readonly Played[];
}

/** The resulting finding: known if one candidate is left and all prerequisites passed. */
export function findingFrom({ gap, readings, observations, failure, wanted, obstacles, played = [] }: Yield): Finding {
  const candidates = readings.filter(reading => observations.every(({ fits }) => fits.includes(reading)));
  const undetermined = (why: string, left: readonly string[]) => ({
    gap,
    observations,
    undetermined: visible(why),
    candidates: left,
  });
  if (failure !== undefined) return { ...undetermined(failure, candidates), isHindered: true };
  const [only, ...others] = candidates;
  if (only === undefined)
    return {
      ...undetermined(`it answers like none of its readings: ${observationsText(observations)}`, []),
      isImpossible: true,
      played,
    };
  if (observations.length > 0 && others.length === 0) return { gap, observations, reading: only };
  const why = [...(wanted.length > 0 ? [`it would take ${wanted.join(' or ')} to tell`] : []), ...obstacles].join('; ');
  if (observations.length === 0) return undetermined(why, candidates);
  return undetermined(
    `between ${listed(candidates)}: ${why || 'no documented operation tells them apart'}`,
    candidates,
  );
}

/** A gap without a probe. */
export function unseen(gap: GapId, candidates: readonly string[]): Finding {
  return { gap, observations: [], undetermined: 'no documented operation shows it', candidates };
}

function observationsText(observations: readonly Observation[]): string {
  return observations.map(({ asked, status }) => `${asked} answers ${status}`).join(', ');
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(part => part !== '').join(' and ');
}
