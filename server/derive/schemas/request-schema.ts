// JSON Schemas of an operation's input under given readings, equivalent to the engine's decisions.

import { DIGITS } from '../../engine/request/field-types.js';
import { MAX_LIST_ELEMENTS, missingGap, unknownGap } from '../../engine/request/stages/body-fields.js';
import { missingGaps } from '../../engine/request/stages/json-body.js';
import { isParameterDue } from '../../engine/request/stages/query.js';
import type { Readings } from '../../operations/gaps/gaps.js';
import { PAGE_ID } from '../../operations/lookups.js';
import type { BodySpec, Operation, QueryPattern } from '../../operations/operation.js';
import type { Fields, JsonSchema } from '../../operations/schema.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/** The schema of the bodies that the operation takes under the readings. */
export function bodySchema(spec: BodySpec<unknown>, readings: Readings): JsonSchema {
  const json = spec.schema;
  if (json.type === 'array')
    return { ...json, items: settled(json.items as JsonSchema, spec, readings), ...longest(readings) }; // as the schema builder writes it
  return withEmptyLists(withAlias(settled(json, spec, readings), spec, readings), spec, readings);
}

/** The schema of all query parameters, as typed values. */
export function querySchema({ query = {}, patterns = {} }: Operation, readings: Readings): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(query).map(([name, json]) => [name, { ...json, ...patternUnder(patterns[name], readings) }]),
  );
  const due = dueParameters({ query }, readings);
  return {
    type: 'object',
    properties,
    ...(due.length > 0 && { required: due }),
    ...(readings['unknown-parameter'] === '400' && { additionalProperties: false }),
  };
}

function patternUnder(spec: QueryPattern | undefined, readings: Readings): JsonSchema {
  return spec !== undefined && readings[spec.gap] === spec.reading ? { pattern: spec.pattern.source } : {};
}

/** The schema of the decoded path parameters. The only one is the id of a page, which is never empty. */
export function pathSchema(params: Fields, readings: Readings): JsonSchema & { readonly properties: Properties } {
  const form = readings['page-id-format'] === 'digits' ? { pattern: PAGE_ID.source } : { minLength: 1 };
  const properties = Object.fromEntries(Object.entries(params).map(([name, json]) => [name, { ...json, ...form }]));
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Whether a request needs a body: for required fields or lists, or for constraints. */
export function isBodyDue(spec: BodySpec<unknown>, readings: Readings): boolean {
  const gaps = missingGaps(spec);
  return gaps.length === 0 || gaps.some(gap => readings[gap] === '400');
}

/** The required query parameters. */
export function dueParameters({ query = {} }: Pick<Operation, 'query'>, readings: Readings): readonly string[] {
  return Object.keys(query).filter(name => isParameterDue(name, readings['missing-parameter']));
}

/** The operation's own input schemas under given readings. */
export function requestSchemas(
  operation: Operation,
  readings: Readings,
): { path?: JsonSchema; body?: JsonSchema; query?: JsonSchema } {
  const { params, body, query } = operation;
  return {
    ...(params !== undefined && { path: pathSchema(params, readings) }),
    ...(body !== undefined && { body: bodySchema(body, readings) }),
    ...(query !== undefined && { query: querySchema(operation, readings) }),
  };
}

function settled(schema: JsonSchema, spec: BodySpec<unknown>, readings: Readings): JsonSchema {
  if (schema.type !== 'object') return schema;
  const { required, additionalProperties, ...rest } = schema;
  const properties = schema.properties as Properties; // as the schema builder writes it
  const due = (required as readonly string[] | undefined)?.filter(
    name => readings[missingGap(properties[name])] === '400',
  ); // JSON Schema lists names there
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    readings['null-field'] === 'absent' && due?.includes(name) !== true
      ? nullable(settledField(field, readings))
      : settledField(field, readings),
  ]);
  return {
    ...rest,
    properties: Object.fromEntries(fields),
    ...(due !== undefined && due.length > 0 && { required: due }),
    ...(readings[unknownGap(spec)] === '400' && { additionalProperties }),
  };
}

function settledField(field: JsonSchema, readings: Readings): JsonSchema {
  if (field.type !== 'array') return converting(field, readings);
  const items = converting(field.items as JsonSchema, readings); // as the schema builder writes it
  const { type, pattern } = items;
  return {
    ...field,
    items,
    ...(readings['field-type'] === 'all' && {
      type: ['array', type].flat(),
      ...(pattern !== undefined && { pattern }),
    }),
    ...longest(readings),
  };
}

function longest(readings: Readings): JsonSchema {
  return readings['list-limit'] === '1000' ? { maxItems: MAX_LIST_ELEMENTS } : {};
}

/** The field with the types that are converted to its own. */
function converting(field: JsonSchema, readings: Readings): JsonSchema {
  if (readings['field-type'] === '400') return field;
  return field.type === 'integer'
    ? { ...field, type: ['integer', 'string'], pattern: DIGITS.source }
    : { ...field, type: ['string', 'number', 'boolean'] };
}

function nullable(field: JsonSchema): JsonSchema {
  return { ...field, type: [field.type, 'null'].flat() };
}

/** A constraint: a list that is not null. */
function sentList(readings: Readings): JsonSchema {
  return readings['field-type'] === 'all' ? { not: { type: 'null' } } : { type: 'array' };
}

/** If a field has an alias, either name is enough. */
function withAlias(schema: JsonSchema, { alias }: BodySpec<unknown>, readings: Readings): JsonSchema {
  if (alias === undefined || readings[alias.gap] !== alias.reading) return schema;
  const properties = schema.properties as Properties; // as the schema builder writes it
  const description = `Another name for ${alias.of}; both are combined into one list.`;
  const { required, ...rest } = schema;
  const due = (required ?? []) as readonly string[]; // JSON Schema lists names there
  const isDue = due.includes(alias.of);
  const others = due.filter(name => name !== alias.of);
  const isNull = isDue && readings['null-field'] === 'absent'; // where it is not due, its schema says so
  const field = isNull ? nullable(properties[alias.of] ?? {}) : properties[alias.of];
  const sent = (name: string) => ({ required: [name], ...(isNull && { properties: { [name]: sentList(readings) } }) });
  return {
    ...rest,
    properties: { ...properties, [alias.of]: field, [alias.name]: { ...field, description, 'x-rule': alias.rule } },
    ...(isDue && {
      ...(others.length > 0 && { required: others }),
      anyOf: [sent(alias.of), sent(alias.name)],
    }),
  };
}

/** If an empty list counts as absent, at least one list of each group must be non-empty. */
function withEmptyLists(schema: JsonSchema, { emptyLists }: BodySpec<unknown>, readings: Readings): JsonSchema {
  if (emptyLists === undefined) return schema;
  const isNull = readings['null-field'] === 'absent';
  if (readings[emptyLists.gap] !== emptyLists.absent && !isNull) return schema;
  const most = { ...sentList(readings), ...(readings[emptyLists.gap] === emptyLists.absent && { minItems: 1 }) };
  const constraints = schema.allOf as readonly JsonSchema[]; // as the schema builder writes it
  return { ...schema, allOf: constraints.map(constraint => ({ ...constraint, anyOf: filled(constraint, most) })) };
}

function filled({ anyOf }: JsonSchema, most: JsonSchema): JsonSchema[] {
  const alternatives = anyOf as ReadonlyArray<{ readonly required: readonly [string] }>; // as the schema builder writes them
  return alternatives.map(({ required }) => ({
    required,
    properties: { [required[0]]: most },
  }));
}
