// The checks of worlds and patches in one piece: the product interrupts them.

import type { SparseWorldForm } from '../../../server/domain/form/form-shapes.js';
import { type Dangling, findingDangling } from '../../../server/domain/form/integrity.js';
import { type WorldPatch, writing } from '../../../server/domain/form/patch.js';
import { inOneGo } from '../../../server/domain/in-one-go.js';
import type { World } from '../../../server/domain/world.js';
import { checkingPatch } from '../../../server/scenario/checks/world-patch.js';
import type { ValidationError } from '../../../server/scenario/yaml/problem.js';

/** Every name in `form` that does not exist in the world with this form. */
export function danglingIn(form: SparseWorldForm, world: World): Dangling[] {
  return [...findingDangling(form, world)].filter(one => one !== undefined);
}

/** The records that a patch writes, in their new form. */
export function writtenBy(world: World, patch: WorldPatch): SparseWorldForm {
  return inOneGo(writing(world, patch));
}

/** The first errors of a patch; empty if it can be applied. */
export function patchProblems(world: World, patch: WorldPatch): ValidationError[] {
  return inOneGo(checkingPatch(world, patch));
}
