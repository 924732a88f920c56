// Whether a merge-patch makes a world out of a world: its form, what is due in the records it writes, and every name in them.
// Knows no file and changes nothing.

import { inOneGo } from '../../domain/in-one-go.js';
import type { WorldPatch } from '../../domain/patch.js';
import type { World } from '../../domain/world.js';
import { patchOf } from '../format/schema-variants.js';
import { worldSchema } from '../format/world-format.js';
import { layingPatch } from '../load/overlay.js';
import { pointerOf } from '../yaml/problem.js';
import { shapeByParts } from './schema-problems.js';

/** Something that keeps a patch from being applied. */
export interface PatchFlaw {
  /** JSON pointer into the patch. */
  readonly pointer: string;
  readonly message: string;
}

const patchSchema = patchOf(worldSchema);

/** Everything that keeps a patch from being applied; nothing where it may be. */
export function patchProblems(world: World, patch: WorldPatch): PatchFlaw[] {
  return inOneGo(checkingPatch(world, patch));
}

/** The same, which may be interrupted. */
export function* checkingPatch(world: World, patch: WorldPatch): Generator<unknown, PatchFlaw[]> {
  const shape = shapeByParts(patchSchema, patch);
  yield;
  const laid = yield* layingPatch(world, patch, shape.unfit);
  return [...shape.flaws, ...laid.flaws].map(({ path, message }) => ({ pointer: pointerOf(path), message }));
}
