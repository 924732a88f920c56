// A world from a capsule, with the necessary checks only: requests may have changed it under readings that allow what no fixture may contain.
import { emptyWorld } from '../../domain/world.js';
import { named, worldSchema } from '../../engine/codec/world-schema.js';
import type { JsonSchema } from '../../operations/schema.js';
import { shapeByParts } from '../checks/schema-problems.js';
import { type Laid, layRecords } from '../load/overlay.js';

/** `unknown-group=create` and `space-key-format=any` allow a blank name. */
const grownSchema: JsonSchema = {
  ...worldSchema,
  properties: Object.fromEntries(
    Object.entries(worldSchema.properties ?? {}).map(([name, part]) => [
      name,
      part.propertyNames === named ? anyNamed(part) : part,
    ]),
  ),
};

/** The world of a complete form, with all errors. `replace-title-clash=allow` lets pages share a title. */
export function grownWorld(form: unknown): Laid {
  const { errors, unfit } = shapeByParts(grownSchema, form);
  const laid = layRecords(emptyWorld, form, unfit, ['other title']);
  return { world: laid.world, errors: [...errors, ...laid.errors] };
}

function anyNamed({ propertyNames: _, ...rest }: JsonSchema): JsonSchema {
  return rest;
}
