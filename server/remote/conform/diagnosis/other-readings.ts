// Readings that would explain failures: the server may follow them although its probes showed others, because a broken rule can distort a probe. Uses
// only our own server.
import { isObject } from '../../../domain/form/patch.js';
import { type GapId, isGapId, readingNames, type SomeReadings } from '../../../operations/gaps/gaps.js';
import { ownFile } from '../../../scenario/load/story.js';
import { bodyOf } from '../../../scenario/play/judging.js';
import type { Played } from '../../../scenario/play/player.js';
import type { Planned } from '../../changes/plan.js';
import type { Comparison } from './comparison.js';
import type { OwnServer, PlayConditions } from './own-server.js';

/** A reading of one gap that would explain failures. */
export interface OtherReading {
  readonly assumed: SomeReadings;
  /** It explains all those steps that are not played under it, and no others: then it takes a broken rule that has distorted the probe of the gap. */
  readonly isOfDistortion: boolean;
}

interface Candidate extends OtherReading {
  /** Number of failed steps that it explains. */
  readonly count: number;
}

/** Maximum tried on the server. */
const MOST = 2;

/** Single other readings, the most explanatory first. */
export async function readingsFitting(
  planned: readonly Planned[],
  failed: readonly Comparison[],
  { known, shown }: PlayConditions,
  server: OwnServer,
): Promise<readonly OtherReading[]> {
  const candidates: Candidate[] = [];
  for (const gap of new Set(failed.flatMap(({ gaps }) => gaps)))
    for (const reading of isGapId(gap) && known[gap] !== undefined ? readingNames(gap) : []) {
      if (!isGapId(gap) || reading === known[gap]) continue;
      const assumed = { [gap]: reading } as SomeReadings; // a reading of that gap
      const other = { ...known, ...assumed };
      const count = await explained(planned, failed, { known: other, shown }, server, gap);
      if (count > 0) candidates.push({ assumed, count, isOfDistortion: false });
      const followed = { known, followed: other, shown };
      const unplayed = failed.filter(({ played }) => played.step.readings?.[gap] !== undefined);
      const distorted = count > 0 ? 0 : await explained(planned, unplayed, followed, server, gap);
      if (distorted > 0 && distorted === unplayed.length)
        candidates.push({ assumed, count: distorted, isOfDistortion: true });
    }
  return candidates.sort((a, b) => b.count - a.count).slice(0, MOST);
}

async function explained(
  planned: readonly Planned[],
  failed: readonly Comparison[],
  performance: PlayConditions,
  server: OwnServer,
  gap: GapId,
): Promise<number> {
  const touching = failed.filter(({ gaps }) => gaps.includes(gap));
  let count = 0;
  for (const one of planned) {
    const own = touching.filter(({ file }) => file === ownFile(one.written));
    if (own.length === 0) continue;
    const played = new Map((await server.play(one, performance)).map(step => [step.index, step]));
    count += own.filter(step => areAlike(step.played, played.get(step.played.index))).length;
  }
  return count;
}

/** The same status, success flag and visible state. */
export function areAlike({ received: first, seen }: Played, other: Played | undefined): boolean {
  const second = other?.received;
  if (first === undefined || second === undefined || first.status !== second.status) return false;
  const [a, b] = [bodyOf(first), bodyOf(second)];
  const isSameSuccess = !isObject(a) || !isObject(b) || a.success === b.success;
  return isSameSuccess && JSON.stringify([...(seen ?? [])]) === JSON.stringify([...(other?.seen ?? [])]);
}
