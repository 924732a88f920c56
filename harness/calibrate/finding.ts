// The finding about one gap: its reading, or why it is unknown. Plain values.
import { visible } from '../../server/derive/text/visible.js';
import { andList } from '../../server/engine/nearest.js';
import type { GapId } from '../../server/operations/gaps/gaps.js';

/** One response, with the readings that explain it. */
export interface Observation {
  readonly say: string;
  /** Method, path and query. */
  readonly asked: string;
  readonly status: number;
  readonly fits: readonly string[];
  /** The readings under which it is right for a server that refuses with another status than ours: the document gives none for the wiki. */
  readonly fitsLoosely: readonly string[];
  /** The response, to be compared with others. */
  readonly response: string;
  /** Whether the world was read after it. */
  readonly isRead: boolean;
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
      /** All prerequisites of the probe passed, but its responses fit no reading. */
      readonly isImpossible?: true;
      /** Then the reading that most of them fit, unless the document leaves more open than the readings. */
      readonly likeliest?: string;
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
}

/** The resulting finding: known if one candidate is left and all prerequisites passed. */
export function findingFrom({ gap, readings, observations, failure, wanted, obstacles }: Yield): Finding {
  const candidates = readings.filter(reading => observations.every(({ fits }) => fits.includes(reading)));
  const undetermined = (why: string, left: readonly string[]) => ({
    gap,
    observations,
    undetermined: visible(why),
    candidates: left,
  });
  if (failure !== undefined) return undetermined(failure, candidates);
  const [only, ...others] = candidates;
  if (only === undefined)
    return {
      ...undetermined(`no reading fits: ${observationsText(observations)}`, []),
      isImpossible: true,
      ...likeliestOf(gap, readings, observations),
    };
  if (observations.length > 0 && others.length === 0) return { gap, observations, reading: only };
  const least = wanted.filter(one => !wanted.some(other => one.startsWith(`${other} with `)));
  const why = [...(least.length > 0 ? [`the probe needs ${least.join(' or ')}`] : []), ...obstacles].join('; ');
  if (observations.length === 0) return undetermined(why, candidates);
  return undetermined(
    `between ${andList(candidates)}: ${why || 'no documented operation tells them apart'}`,
    candidates,
  );
}

function likeliestOf(
  gap: GapId,
  readings: readonly string[],
  observations: readonly Observation[],
): { readonly likeliest: string } | undefined {
  if (isLeftOpen(gap, observations)) return undefined;
  if (gap === 'ppf-effect') return { likeliest: 'push-adds' }; // only under it the suite shows what push and pull do instead
  const count = (reading: string) => observations.filter(one => one.fitsLoosely.includes(reading)).length;
  const [likeliest] = [...readings].sort((a, b) => count(b) - count(a));
  return likeliest === undefined ? undefined : { likeliest };
}

/** The document shows no form of the response of isUnique, and lets each address serve the method of its heading or not. */
function isLeftOpen(gap: GapId, observations: readonly Observation[]): boolean {
  if (gap === 'heading-methods') return observations.every(({ fits }) => fits.length > 0);
  return gap === 'is-unique-answer' && new Set(observations.map(({ response }) => response)).size > 1;
}

/** A gap whose probe was not played, or that has none. */
export function unseen(gap: GapId, candidates: readonly string[], undetermined: string): Finding {
  return { gap, observations: [], undetermined, candidates };
}

function observationsText(observations: readonly Observation[]): string {
  return observations.map(({ asked, status }) => `${asked} responds with ${status}`).join(', ');
}
