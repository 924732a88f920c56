// Readings under which what failed would have been right: the server may follow them, although its answers to the probes said otherwise,
// since a broken rule can make a probe answer as another reading does. Asks only our own server.
import { isObject } from '../../../domain/form/patch.js';
import { type GapId, isGapId, readingNames, type SomeReadings } from '../../../operations/gaps/gaps.js';
import { bodyOf } from '../../../scenario/play/judging.js';
import type { Played } from '../../../scenario/play/player.js';
import type { Planned } from '../../changes/plan.js';
import type { Comparison } from './comparison.js';
import type { OwnServer, Performance } from './own-server.js';

interface Candidate {
  readonly gap: GapId;
  readonly reading: string;
  /** How many of the failed steps it explains. */
  readonly count: number;
}

/** No more are tried on the server. */
const MOST = 2;

/** One other reading each, those first that explain most. */
export async function readingsFitting(
  planned: readonly Planned[],
  failed: readonly Comparison[],
  { known, shown }: Performance,
  server: OwnServer,
): Promise<readonly SomeReadings[]> {
  const candidates: Candidate[] = [];
  for (const gap of new Set(failed.flatMap(({ gaps }) => gaps)))
    for (const reading of isGapId(gap) && known[gap] !== undefined ? readingNames(gap) : []) {
      if (!isGapId(gap) || reading === known[gap]) continue;
      const count = await explained(planned, failed, { known: { ...known, [gap]: reading }, shown }, server, gap);
      if (count > 0) candidates.push({ gap, reading, count });
    }
  return candidates
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST)
    .map(({ gap, reading }) => ({ [gap]: reading }) as SomeReadings); // a reading of that gap
}

async function explained(
  planned: readonly Planned[],
  failed: readonly Comparison[],
  performance: Performance,
  server: OwnServer,
  gap: GapId,
): Promise<number> {
  const touching = failed.filter(({ gaps }) => gaps.includes(gap));
  let count = 0;
  for (const one of planned) {
    const own = touching.filter(({ file }) => file === one.written.files[0]);
    if (own.length === 0) continue;
    const played = new Map((await server.play(one, performance)).map(step => [step.index, step]));
    count += own.filter(step => areAlike(step.played, played.get(step.played.index))).length;
  }
  return count;
}

/** The same status, the same success where there is one, and the same to be seen. */
export function areAlike({ received: first, seen }: Played, other: Played | undefined): boolean {
  const second = other?.received;
  if (first === undefined || second === undefined || first.status !== second.status) return false;
  const [a, b] = [bodyOf(first), bodyOf(second)];
  const isSameSuccess = !isObject(a) || !isObject(b) || a.success === b.success;
  return isSameSuccess && JSON.stringify([...(seen ?? [])]) === JSON.stringify([...(other?.seen ?? [])]);
}
