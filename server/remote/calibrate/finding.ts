// What there is to say of one gap after a server was asked: its reading, or why that could not be found out.
// Knows no server; a finding is a value.
import { visible } from '../../derive/text/visible.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Played } from '../../scenario/play/player.js';

/** One answer, and the readings under which a server answers so. */
export interface Observation {
  readonly say: string;
  /** Method, path and query. */
  readonly asked: string;
  readonly status: number;
  readonly fits: readonly string[];
  /** The step that was played. */
  readonly played?: Played;
}

export type Finding = {
  readonly gap: GapId;
  readonly observations: readonly Observation[];
} & (
  | { readonly reading: string }
  | {
      /** One line: why it is not known. */
      readonly undetermined: string;
      /** The readings that it can be, as far as that was found out. */
      readonly candidates: readonly string[];
      /** Whether something that the probe stands on did not hold. */
      readonly isHindered?: true;
      /** Whether all that the probe stands on held, and the answers fit no reading all the same. */
      readonly isImpossible?: true;
    }
);

/** What a probe has brought. */
export interface Yield {
  readonly gap: GapId;
  /** All that it could have been. */
  readonly readings: readonly string[];
  readonly observations: readonly Observation[];
  /** What did not hold, or could not be asked, though the probe stands on it. */
  readonly failure?: string;
  /** Readings of other gaps, `gap=reading`, under which more could have been asked. */
  readonly wanted: readonly string[];
  /** Why else something could not be asked. */
  readonly obstacles: readonly string[];
}

/** The finding that follows; where one answer only is left, and everything it stands on held, it is known. */
export function findingFrom({ gap, readings, observations, failure, wanted, obstacles }: Yield): Finding {
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
    return { ...undetermined(`it answers like none of its readings: ${told(observations)}`, []), isImpossible: true };
  if (observations.length > 0 && others.length === 0) return { gap, observations, reading: only };
  const why = [...(wanted.length > 0 ? [`it would take ${wanted.join(' or ')} to tell`] : []), ...obstacles].join('; ');
  if (observations.length === 0) return undetermined(why, candidates);
  return undetermined(
    `between ${listed(candidates)}: ${why || 'no documented operation tells them apart'}`,
    candidates,
  );
}

/** A gap that no probe asks about. */
export function unseen(gap: GapId, candidates: readonly string[]): Finding {
  return { gap, observations: [], undetermined: 'no documented operation shows it', candidates };
}

function told(observations: readonly Observation[]): string {
  return observations.map(({ asked, status }) => `${asked} answers ${status}`).join(', ');
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(part => part !== '').join(' and ');
}
