// A world out of a capsule, checked as far as it has to be: requests may have grown it under readings that let through what no fixture may hold.
// Knows no capsule.
import { emptyWorld } from '../../domain/world.js';
import type { JsonSchema } from '../../operations/schema.js';
import { shapeByParts } from '../checks/schema-problems.js';
import { named, worldSchema } from '../format/world-format.js';
import { type Laid, layRecords } from '../load/overlay.js';

/** `unknown-group=create` and `space-key-format=any` take a blank name. */
const grownSchema: JsonSchema = {
  ...worldSchema,
  properties: Object.fromEntries(
    Object.entries(worldSchema.properties ?? {}).map(([name, part]) => [
      name,
      part.propertyNames === named ? anyNamed(part) : part,
    ]),
  ),
};

/** The world of a whole form, and all that is wrong with it. `replace-title-clash=allow` lets pages share a title. */
export function grownWorld(form: unknown): Laid {
  const { flaws, unfit } = shapeByParts(grownSchema, form);
  const laid = layRecords(emptyWorld, form, unfit, ['other title']);
  return { world: laid.world, flaws: [...flaws, ...laid.flaws] };
}

function anyNamed({ propertyNames: _, ...rest }: JsonSchema): JsonSchema {
  return rest;
}
