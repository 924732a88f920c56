// Variants of a JSON Schema, so that a world is described once: the schema of a patch, and of an expectation.

import { isObject } from '../../domain/form/patch.js';
import { either } from '../../domain/json/shape.js';
import { matcherNames, matcherSchema } from '../../engine/patterns/matcher.js';
import type { JsonSchema } from '../../operations/schema.js';

/** A reference to a captured value. */
const captured: JsonSchema = { type: 'string', pattern: '^\\$\\{[^}]+\\}$' };

/** What can replace a value in an expectation, for `$defs`: compiled once, though used in hundreds of places. */
export const standInDefinitions: Readonly<Record<string, JsonSchema>> = {
  matcher: matcherSchema,
  isMatcher: { type: 'object', anyOf: matcherNames.map(name => ({ required: [name] })) },
  standIn: either({ type: 'object' }, { $ref: '#/$defs/matcher' }, captured),
  isStandIn: { anyOf: [{ $ref: '#/$defs/isMatcher' }, captured] },
};

type Change = (schema: JsonSchema) => JsonSchema;

/** A merge-patch (RFC 7396) of a world: its records need no fields, and null removes a record or a field. */
export function patchOf(world: JsonSchema): JsonSchema {
  const properties = Object.entries(world.properties as Readonly<Record<string, JsonSchema>>); // a world has properties
  const patched = properties.map(([name, part]) => [
    name,
    isObject(part.additionalProperties) ? varied(part, orNull, element => element) : part,
  ]);
  return { ...world, properties: Object.fromEntries(patched) };
}

/** An expectation of a described value: no field is required, and matchers and captured values are allowed anywhere. */
export function expectationOf(schema: JsonSchema): JsonSchema {
  const change: Change = part => either({ $ref: '#/$defs/isStandIn' }, { $ref: '#/$defs/standIn' }, part);
  return varied(schema, change, change);
}

/** The same schema without `required`, its fields and its list elements changed. */
function varied(schema: JsonSchema, field: Change, element: Change): JsonSchema {
  const again: Change = part => varied(part, field, element);
  const { required: _, properties, additionalProperties, items, propertyNames, then, else: other, ...rest } = schema;
  return {
    ...rest,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, field(again(part as JsonSchema))]),
      ),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isObject(additionalProperties) ? field(again(additionalProperties)) : additionalProperties,
    }),
    ...(isObject(items) && { items: element(again(items)) }),
    ...(isObject(propertyNames) && { propertyNames: field === orNull ? propertyNames : orCaptured(propertyNames) }),
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    ...(isObject(then) && { then: again(then) }),
    ...(isObject(other) && { else: again(other) }),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  if (schema.type !== undefined) return { ...schema, type: [schema.type, 'null'].flat() };
  return { if: { type: 'null' }, else: schema };
}

function orCaptured(names: JsonSchema): JsonSchema {
  return { ...names, pattern: `(?:${String(names.pattern)})|${String(captured.pattern)}` };
}
