// Whether a merge-patch gives a valid world: its format, the required fields of its records, and every name in them.

import type { WorldPatch } from '../../domain/form/patch.js';
import { inOneGo } from '../../domain/in-one-go.js';
import type { World } from '../../domain/world.js';
import { worldSchema } from '../../engine/codec/world-schema.js';
import { inPieces } from '../../engine/pieces.js';
import { patchOf } from '../format/schema-variants.js';
import { layingPatch } from '../load/overlay.js';
import { located, MAX_PROBLEMS, type ValidationError } from '../yaml/problem.js';
import { shapingByParts } from './schema-problems.js';

const patchSchema = patchOf(worldSchema);

/** The first errors of a patch; empty if it can be applied. Interruptible. */
export function* checkingPatch(world: World, patch: WorldPatch): Generator<unknown, ValidationError[]> {
  const shape = yield* shapingByParts(patchSchema, patch, MAX_SCHEMA_ERRORS);
  const laid = yield* layingPatch(world, patch, shape.unfit);
  const errors = [...shape.errors, ...laid.errors].map(located);
  return firstOf(errors);
}

/** At most `MAX_PROBLEMS`. */
export function firstOf<F extends { readonly message: string }>(errors: readonly F[]): Array<F | ValidationError> {
  if (errors.length < MAX_PROBLEMS) return [...errors];
  const message = `Only the first ${MAX_PROBLEMS} problems are listed.`;
  return [...errors.slice(0, MAX_PROBLEMS), { pointer: '', message }];
}

/** One problem may cause several schema errors. */
export const MAX_SCHEMA_ERRORS = 4 * MAX_PROBLEMS;

/** If the world changes more often during a check, the check runs in one piece. */
const MAX_TRIES = 20;

/** Runs a check in pieces while others may change the world; returns its result for the world at hand. */
export async function checkOn<T>(
  present: () => World,
  check: (world: World) => Generator<unknown, T>,
): Promise<(world: World) => T> {
  for (let tries = 1; ; tries += 1) {
    const world = present();
    const checked = await inPieces(check(world));
    if (present() === world || tries === MAX_TRIES) return now => (now === world ? checked : inOneGo(check(now)));
  }
}
