// The schemas of the control API, read once, and what a form needs to know about one: its kind, a first value, a label.
import type { CollectionName, Json, JsonObject } from '../../client/wire.js';
import { once } from '../../live/once.js';
import { client } from '../../live/sandbox.js';
import { isJsonObject } from '../changes/change.js';

/** As far as forms use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly then?: Schema;
  readonly else?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  /** The collection of a name or id. */
  readonly 'x-collection'?: CollectionName;
}

export type Schemas = Readonly<Record<string, Schema>>;

export const readSchemas = once(async () => inlined((await client.controlOpenapi()).components.schemas));

/** The schemas without references; none refers to itself. */
function inlined(schemas: Schemas): Schemas {
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...own } = value as Schema;
    const referred = $ref === undefined ? {} : schemas[$ref.split('/').at(-1) ?? ''];
    return Object.fromEntries(Object.entries({ ...referred, ...own }).map(([key, part]) => [key, within(part)]));
  };
  return Object.fromEntries(['World', 'Fault', 'Stub'].map(name => [name, within(schemas[name]) as Schema]));
}

export function schemaOfRecords(schemas: Schemas, collection: CollectionName): Schema {
  const { additionalProperties } = schemas.World?.properties?.[collection] ?? {};
  return typeof additionalProperties === 'object' ? additionalProperties : {};
}

/** The alternatives of a schema; empty: it has none. */
export function variantsOf({ anyOf = [], then: yes, else: no }: Schema): readonly Schema[] {
  if (yes !== undefined && no !== undefined) return [yes, no];
  return anyOf.some(({ type, enum: values }) => type !== undefined || values !== undefined) ? anyOf : [];
}

/** Whether a value is meant for an alternative. */
export function isMeantFor(value: Json | undefined, { type, enum: values, required = [] }: Schema): boolean {
  if (values !== undefined) return values.some(each => each === value);
  if (type === 'object') return isJsonObject(value) && required.every(name => name in value);
  if (type === 'array') return Array.isArray(value);
  return type === 'integer' || type === 'number' ? typeof value === 'number' : typeof value === type;
}

/** The first value of a part that is added. */
export function blankOf(schema: Schema): Json {
  const [variant] = variantsOf(schema);
  if (variant !== undefined) return blankOf(variant);
  const { enum: values, type, properties = {}, required = [], minimum, items = {}, minItems = 0 } = schema;
  if (values !== undefined) return values[0] ?? null;
  if (type === 'object') return Object.fromEntries(required.map(name => [name, blankOf(properties[name] ?? {})]));
  if (type === 'array') return Array.from({ length: minItems }, () => blankOf(items));
  if (type === 'integer' || type === 'number') return minimum ?? 0;
  return type === 'boolean' ? true : '';
}

/** `displayName` as `Display name`. */
export function labelOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** What an alternative is called: by its field, its values or its type. */
export function variantLabel({ required = [], enum: values, type, properties = {} }: Schema): string {
  if (required[0] !== undefined) return labelOf(required[0]);
  if (values !== undefined) return values.join(' or ');
  if (type === 'object') return Object.keys(properties).join(' and ');
  return type === 'array' ? 'a list' : `one ${String(type)}`;
}

/** An object with a field set, or without it: `undefined`. */
export function withField(value: Json | undefined, name: string, field: Json | undefined): JsonObject {
  const { [name]: _, ...others } = isJsonObject(value) ? value : {};
  if (field === undefined) return others;
  return isJsonObject(value) && name in value ? { ...value, [name]: field } : { ...others, [name]: field };
}
