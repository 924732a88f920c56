// What an operation takes, as JSON Schemas for given readings: which fields are due, which others are let pass, which lists may be empty.
// Says beforehand what the engine decides on each request; knows no document format.
import type { Readings } from '../operations/gaps.js';
import type { BodySpec, Operation, QueryPattern } from '../operations/operation.js';
import type { Fields, JsonSchema } from '../operations/schema.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The schema of the bodies that the operation takes under the readings. */
export function bodySchema(spec: BodySpec<unknown>, readings: Readings): JsonSchema {
  const { json } = spec.schema;
  if (json.type === 'array') return { ...json, items: settled(json.items as JsonSchema, readings) }; // as the schema builder writes it
  return withEmptyLists(withAlias(settled(json, readings), spec, readings), spec, readings);
}

/** The schema of the query parameters together, each as the value that it stands for. */
export function querySchema({ query = {}, patterns = {} }: Operation, readings: Readings): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(query).map(([name, { json }]) => [name, { ...json, ...patternUnder(patterns[name], readings) }]),
  );
  return { type: 'object', properties, ...(isAllDue(readings) && { required: Object.keys(properties) }) };
}

function patternUnder(spec: QueryPattern | undefined, readings: Readings): JsonSchema {
  return spec !== undefined && readings[spec.gap] === spec.reading ? { pattern: spec.pattern.source } : {};
}

/** The schema of the path parameters together, decoded. Each is one segment of a path, so none is empty: the document says no more of them. */
export function pathSchema(params: Fields): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(params).map(([name, { json }]) => [name, { ...json, minLength: 1 }]),
  );
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Whether a request without a body is refused: by missing-field, or because the body has constraints that nothing fails. */
export function isBodyDue({ schema }: BodySpec<unknown>, readings: Readings): boolean {
  return schema.json.allOf !== undefined || isAllDue(readings);
}

/** Whether every query parameter must be there. */
export function isAllDue(readings: Readings): boolean {
  return readings['missing-field'] === '400';
}

/** The operation's own schemas of what it takes, for given readings. */
export function requestSchemas(
  operation: Operation,
  readings: Readings,
): { path?: JsonSchema; body?: JsonSchema; query?: JsonSchema } {
  const { params, body, query } = operation;
  return {
    ...(params !== undefined && { path: pathSchema(params) }),
    ...(body !== undefined && { body: bodySchema(body, readings) }),
    ...(query !== undefined && { query: querySchema(operation, readings) }),
  };
}

function settled(schema: JsonSchema, readings: Readings): JsonSchema {
  if (schema.type !== 'object') return schema;
  const { required, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(required !== undefined && isAllDue(readings) && { required }),
    ...(readings['unknown-field'] === '400' && { additionalProperties }),
  };
}

/** Where another name is taken for a field, either of the two is enough. */
function withAlias(schema: JsonSchema, { alias }: BodySpec<unknown>, readings: Readings): JsonSchema {
  if (alias === undefined || readings[alias.gap] !== alias.reading) return schema;
  const properties = schema.properties as Properties; // as the schema builder writes it
  const description = `Another name for ${alias.of}; both together are one list.`;
  const { required, ...rest } = schema;
  const others = (required as readonly string[] | undefined)?.filter(name => name !== alias.of); // likewise
  return {
    ...rest,
    properties: { ...properties, [alias.name]: { ...properties[alias.of], description, 'x-rule': alias.rule } },
    ...(others !== undefined && {
      required: others,
      anyOf: [{ required: [alias.of] }, { required: [alias.name] }],
    }),
  };
}

/** Where an empty list is none, at least one list of each group must have something in it. */
function withEmptyLists(schema: JsonSchema, { emptyLists }: BodySpec<unknown>, readings: Readings): JsonSchema {
  if (emptyLists === undefined || readings[emptyLists.gap] !== emptyLists.absent) return schema;
  const constraints = schema.allOf as readonly JsonSchema[]; // as the schema builder writes it
  return { ...schema, allOf: constraints.map(constraint => ({ ...constraint, anyOf: filled(constraint) })) };
}

function filled({ anyOf }: JsonSchema): JsonSchema[] {
  const alternatives = anyOf as ReadonlyArray<{ readonly required: readonly [string] }>; // as the schema builder writes them
  return alternatives.map(({ required }) => ({
    required,
    properties: { [required[0]]: { type: 'array', minItems: 1 } },
  }));
}
