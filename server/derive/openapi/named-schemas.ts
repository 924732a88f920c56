// Converts schemas with a CamelCase title to named components, so that client generators create named types.
import { isObject } from '../../domain/form/patch.js';
import type { JsonSchema } from '../../operations/schema.js';

/** Any part of an OpenAPI document. */
export type DocumentPart = Readonly<Record<string, unknown>>;

const NAME = /^[A-Z][A-Za-z0-9]*$/;

/** Keywords whose value holds schemas: one, a list of them, or some by names. */
const ONE = ['items', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['properties', 'patternProperties', '$defs'];

/** The body or the reply of an operation under a name of its own, such as `ClockSetBody`, unless it has one. */
export function withName(schema: JsonSchema, id: string, what: 'Body' | 'Reply'): JsonSchema {
  const { title } = schema;
  if (typeof title === 'string' && NAME.test(title)) return schema;
  const words = id.split(/[.-]/).map(word => word.charAt(0).toUpperCase() + word.slice(1));
  return { ...schema, title: `${words.join('')}${what}` };
}

/** The document with references to named schemas. Two different schemas of one name are a bug. */
export function withNamedSchemas<D extends DocumentPart>(document: D): D {
  const named = new Map<string, JsonSchema>();
  const paths = eachSchema(document.paths, schema => referenced(schema, named));
  const { schemas, ...others } = (document.components ?? {}) as DocumentPart; // as OpenAPI has it
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...document,
    paths,
    components: { schemas: { ...(schemas as DocumentPart), ...Object.fromEntries(sorted) }, ...others },
  };
}

/** As built by `anyOfFields`, and by `bodySchema` if an empty list counts as absent. */
interface Alternative {
  readonly required: readonly [string];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** A body whose alternatives of required fields are named, complete schemas. Validators agree; generators create a type for each. */
export function withNamedAlternatives(body: JsonSchema): JsonSchema {
  const each = ({ anyOf, ...rest }: JsonSchema): JsonSchema =>
    Array.isArray(anyOf) ? { ...rest, anyOf: anyOf.map((one: Alternative) => namedAlternative(body, one)) } : rest;
  const { allOf } = body;
  return { ...each(body), ...(Array.isArray(allOf) && { allOf: allOf.map(each) }) };
}

function namedAlternative({ title, properties }: JsonSchema, { required, properties: own }: Alternative): JsonSchema {
  const [name] = required;
  const field = (properties as Required<Alternative>['properties'])[name]; // as the schema builder writes it
  return {
    title: `${title}With${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    type: 'object',
    properties: { [name]: { ...field, ...own?.[name] } },
    required,
    unevaluatedProperties: true, // the other fields are in the body: Redocly takes them for unknown here otherwise
  };
}

/** A part of the document, outside of examples, with each of its schemas changed. */
function eachSchema(part: unknown, change: (schema: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(part)) return part.map(element => eachSchema(element, change));
  if (!isObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === 'example' || key === 'examples') return [key, value];
      return [key, key === 'schema' && isObject(value) ? change(value) : eachSchema(value, change)];
    }),
  );
}

function referenced(schema: JsonSchema, named: Map<string, JsonSchema>): JsonSchema {
  const whole = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, within(keyword, value, named)]),
  );
  const { title, ...rest } = whole;
  if (typeof title !== 'string' || !NAME.test(title)) return whole;
  const known = named.get(title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(rest))
    throw new Error(`two schemas bear the name ${title}`);
  named.set(title, rest);
  return { $ref: `#/components/schemas/${title}` };
}

function within(keyword: string, value: unknown, named: Map<string, JsonSchema>): unknown {
  const change = (schema: unknown) => (isObject(schema) ? referenced(schema, named) : schema);
  if (ONE.includes(keyword)) return change(value);
  if (LISTS.includes(keyword) && Array.isArray(value)) return value.map(change);
  if (BY_NAME.includes(keyword) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, change(schema)]));
  return value;
}
