// Whether a merge-patch gives a valid world: its size, its format, the required fields of its records, and every name in them.

import { worldSchema } from '../../domain/form/form-shapes.js';
import { isObject, type WorldPatch } from '../../domain/form/patch.js';
import { pointerTo } from '../../domain/json/json-pointer.js';
import type { World } from '../../domain/world/world.js';
import { patchOf } from '../format/schema-variants.js';
import { located, MAX_PROBLEMS, MORE_PROBLEMS, type ValidationError } from '../yaml/problem.js';
import { layPatch } from './overlay.js';
import { shapeByParts } from './schema-problems.js';

const patchSchema = patchOf(worldSchema);

/** Records of a collection, and elements of a list: a patch is checked and applied while others wait. */
const MAX_ENTRIES = 5_000;

/** The first errors of a patch; empty if it can be applied. */
export function patchErrors(world: World, patch: WorldPatch): ValidationError[] {
  const large = largeParts(patch);
  if (large.length > 0) return firstOf(large);
  const shape = shapeByParts(patchSchema, patch);
  const laid = layPatch(world, patch, shape.unfit);
  return firstOf([...shape.errors, ...laid.errors].map(located));
}

function largeParts(value: unknown, pointer = ''): ValidationError[] {
  if (typeof value !== 'object' || value === null) return [];
  const [entries, what] = Array.isArray(value) ? [value, 'elements'] : [Object.keys(value), 'records'];
  if (entries.length > MAX_ENTRIES)
    return [
      {
        pointer,
        message: `${pointer} has ${entries.length} ${what}, but this fake accepts at most ${MAX_ENTRIES}. Send fewer at a time.`,
      },
    ];
  return isObject(value)
    ? Object.entries(value).flatMap(([key, part]) => largeParts(part, pointerTo(key, pointer)))
    : [];
}

/** At most `MAX_PROBLEMS`. */
export function firstOf<F extends { readonly message: string }>(errors: readonly F[]): Array<F | ValidationError> {
  if (errors.length < MAX_PROBLEMS) return [...errors];
  return [...errors.slice(0, MAX_PROBLEMS), { pointer: '', message: MORE_PROBLEMS }];
}
