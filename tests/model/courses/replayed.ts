// Replays a capsule of a fake, and lists each entry whose response differs by a byte.

import { firstDifference } from '../../../server/scenario/recording/compare.js';
import { readCapsule } from '../../../server/scenario/recording/read-capsule.js';
import { replay, Unplayable, worldOf } from '../../../server/scenario/recording/replay.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';

/** What is wrong with it, in lines; empty if it replays to the same bytes. */
export function replayed(text: string): readonly string[] {
  const read = readCapsule(text);
  if ('errors' in read) return read.errors;
  const world = worldOf(read.capsule);
  if (world === undefined || isProblems(world)) return ['it has no world'];
  try {
    return [...replay(read.capsule, world)].flatMap(again => {
      const difference = firstDifference(again);
      return difference === undefined ? [] : [`entry ${again.entry.id}: ${difference.join('; ')}`];
    });
  } catch (error) {
    if (error instanceof Unplayable) return [error.message];
    throw error;
  }
}
