// Variants of a JSON Schema, so that a world is described once: as a patch of one, and as what is expected of one.
// Knows the keywords that the formats use, and no format.
import { isObject } from '../../domain/form/patch.js';
import { either, type JsonSchema } from '../../operations/schema.js';

/** The four matchers that stand for a value in an expectation, each a mapping of one key. */
export const matcherNames = ['$any', '$match', '$contains', '$absent'] as const;

export const matcherSchema: JsonSchema = {
  title: 'Matcher',
  description: 'Stands for every value that it matches.',
  type: 'object',
  properties: {
    $any: {
      enum: ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null', 'value'],
      description: 'Any value of that type; `value`: any value at all.',
    },
    $match: { type: 'string', description: 'A text in which this regular expression finds something.' },
    $contains: {
      type: ['array', 'object', 'string'],
      description:
        'A list with these elements, an object with these fields, or a text with this in it; and whatever else.',
    },
    $absent: { enum: [true], description: 'There is no value here.' },
  },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
};

/** A value kept by `capture`, standing for itself. */
const captured: JsonSchema = { type: 'string', pattern: '^\\$\\{[^}]+\\}$' };

/** What stands for a value in an expectation, for `$defs`: compiled once, though it may stand in some hundred places. */
export const standInDefinitions: Readonly<Record<string, JsonSchema>> = {
  matcher: matcherSchema,
  isMatcher: { type: 'object', anyOf: matcherNames.map(name => ({ required: [name] })) },
  standIn: either({ type: 'object' }, { $ref: '#/$defs/matcher' }, captured),
  isStandIn: { anyOf: [{ $ref: '#/$defs/isMatcher' }, captured] },
};

type Change = (schema: JsonSchema) => JsonSchema;

/** A merge-patch (RFC 7396) of a world: of its records nothing is due, and null takes away a record or a field of one. */
export function patchOf(world: JsonSchema): JsonSchema {
  const properties = Object.entries(world.properties as Readonly<Record<string, JsonSchema>>); // a world has fields
  const patched = properties.map(([name, part]) => [
    name,
    isObject(part.additionalProperties) ? varied(part, orNull, element => element) : part,
  ]);
  return { ...world, properties: Object.fromEntries(patched) };
}

/** What is expected of what a schema describes: nothing is due, and matchers and captured values may stand anywhere. */
export function expectationOf(schema: JsonSchema): JsonSchema {
  const change: Change = part => either({ $ref: '#/$defs/isStandIn' }, { $ref: '#/$defs/standIn' }, part);
  return varied(schema, change, change);
}

/** The same schema without `required`, its fields changed in one way and the elements of its lists in another. */
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
