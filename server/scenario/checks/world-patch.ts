// Whether a merge-patch makes a world out of a world: its form, what is due in the records it writes, and every name in them.
// Knows no file and changes nothing.

import type { WorldPatch } from '../../domain/form/patch.js';
import { inOneGo } from '../../domain/in-one-go.js';
import type { World } from '../../domain/world.js';
import { inPieces } from '../../engine/pieces.js';
import { patchOf } from '../format/schema-variants.js';
import { worldSchema } from '../format/world-format.js';
import { layingPatch } from '../load/overlay.js';
import { MOST_PROBLEMS, pointerOf } from '../yaml/problem.js';
import { shapingByParts } from './schema-problems.js';

/** Something that keeps a patch from being applied. */
export interface PatchFlaw {
  /** JSON pointer into the patch. */
  readonly pointer: string;
  readonly message: string;
}

const patchSchema = patchOf(worldSchema);

/** The first of what keeps a patch from being applied; nothing where it may be. */
export function patchProblems(world: World, patch: WorldPatch): PatchFlaw[] {
  return inOneGo(checkingPatch(world, patch));
}

/** The same, which may be interrupted. */
export function* checkingPatch(world: World, patch: WorldPatch): Generator<unknown, PatchFlaw[]> {
  const shape = yield* shapingByParts(patchSchema, patch, MOST_MISFITS);
  const laid = yield* layingPatch(world, patch, shape.unfit);
  const flaws = [...shape.flaws, ...laid.flaws].map(({ path, message }) => ({ pointer: pointerOf(path), message }));
  return firstOf(flaws);
}

/** As many as anybody reads. */
export function firstOf<F extends { readonly message: string }>(flaws: readonly F[]): Array<F | PatchFlaw> {
  if (flaws.length < MOST_PROBLEMS) return [...flaws];
  const message = `These are the first ${MOST_PROBLEMS} problems, and there may be more.`;
  return [...flaws.slice(0, MOST_PROBLEMS), { pointer: '', message }];
}

/** What does not fit a schema may be told by several misfits. */
export const MOST_MISFITS = 4 * MOST_PROBLEMS;

/** A world that changes more often while something is checked on it keeps others waiting once. */
const MOST_TRIES = 20;

/** Checks something piece by piece on a world that others may change meanwhile; what comes of it on the world that is given then. */
export async function checkOn<T>(
  present: () => World,
  check: (world: World) => Generator<unknown, T>,
): Promise<(world: World) => T> {
  for (let tries = 1; ; tries += 1) {
    const world = present();
    const checked = await inPieces(check(world));
    if (present() === world || tries === MOST_TRIES) return now => (now === world ? checked : inOneGo(check(now)));
  }
}
