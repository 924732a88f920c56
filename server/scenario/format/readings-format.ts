// Readings by gap as a JSON Schema, shared by scenarios, steps and files of readings.
import { type GapId, gapIds, gapSpec, readingNames } from '../../operations/gaps/gaps.js';
import type { JsonSchema } from '../../operations/schema.js';

/** The readings of one gap. Numbers need no quotes. */
function readingSchema(id: GapId): JsonSchema {
  const { asks, readings, open } = gapSpec(id);
  const names = readingNames(id);
  const numbers = names.filter(name => /^\d+$/.test(name)).map(Number);
  const choice: JsonSchema = { enum: [...names, ...numbers] };
  return {
    title: asks,
    description: [
      ...readings.map(([name, means]) => `${name}: ${means}.`),
      ...(open === undefined ? [] : [`Or ${open.form}: only that path.`]),
    ].join(' '),
    ...(open === undefined ? choice : { anyOf: [choice, { type: 'string', pattern: open.pattern.source }] }),
  };
}

/** Readings by gap, as in scenarios and in files of readings. */
export const readingsSchema: JsonSchema = {
  title: 'Readings by gap; other gaps keep their default',
  type: 'object',
  properties: Object.fromEntries(gapIds.map(id => [id, readingSchema(id)])),
  additionalProperties: false,
};
