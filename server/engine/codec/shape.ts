// Checks the shape of JSON values that this program wrote and reads again, and says where one has another shape. A JSON Schema validator would cost
// more than everything else that happens to a change of another replica.
import { isObject } from '../../domain/form/patch.js';
import { instant as instantSchema, type JsonSchema } from '../../operations/schema.js';
import { pointerTo } from '../differing.js';
import { found } from '../request/validate.js';
import { isTextPart } from './page-texts.js';

/** The error after a JSON pointer: `/users/2 must be text, and is null`; `undefined` if there is none. */
export type Shape = (value: unknown) => string | undefined;

/** The shape of each member of a `T`; optional ones in `maybe`. */
export type Members<T> = { readonly [K in keyof T]-?: Shape };

export function mustBe(right: string, value: unknown): string {
  return ` must be ${right}, and is ${value === undefined ? 'not there' : found(value)}`;
}

export const anything: Shape = () => undefined;
export const text: Shape = value => (typeof value === 'string' ? undefined : mustBe('text', value));
/** The text of a page, or its placeholder. */
export const pageText: Shape = value => (isTextPart(value) ? undefined : text(value));
export const flag: Shape = value => (typeof value === 'boolean' ? undefined : mustBe('true or false', value));
export const number: Shape = value => (typeof value === 'number' ? undefined : mustBe('a number', value));
/** A whole number from 0. */
export const count: Shape = value =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : mustBe('a whole number from 0', value);
export const instant: Shape = value =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? undefined : mustBe('an instant', value);

export function oneOf(...right: readonly unknown[]): Shape {
  return value =>
    right.includes(value) ? undefined : mustBe(right.map(one => JSON.stringify(one)).join(' or '), value);
}

/** An optional value. */
export function maybe(shape: Shape): Shape {
  return value => (value === undefined ? undefined : shape(value));
}

/** A value that may be absent or `null`, as in a merge-patch. */
export function nullable(shape: Shape): Shape {
  return value => (value === undefined || value === null ? undefined : shape(value));
}

export function listOf(shape: Shape): Shape {
  return value => {
    if (!Array.isArray(value)) return mustBe('a list', value);
    for (let i = 0; i < value.length; i += 1) {
      const schemaError = shape(value[i]);
      if (schemaError !== undefined) return `/${i}${schemaError}`;
    }
    return undefined;
  };
}

/** An object with any keys. */
export function mapOf(shape: Shape): Shape {
  return value => {
    if (!isObject(value)) return mustBe('an object', value);
    for (const [name, one] of Object.entries(value)) {
      const schemaError = shape(one);
      if (schemaError !== undefined) return `${pointerTo(name)}${schemaError}`;
    }
    return undefined;
  };
}

/** An object with the members of a `T`; others are ignored. */
export function objectOf<T>(members: Members<T>): Shape {
  const known = Object.entries<Shape>(members);
  return value => {
    if (!isObject(value)) return mustBe('an object', value);
    for (const [name, shape] of known) {
      const schemaError = shape(value[name]);
      if (schemaError !== undefined) return `/${name}${schemaError}`;
    }
    return undefined;
  };
}

export const texts = listOf(text);
export const counts = listOf(count);

const byType: Readonly<Record<string, Shape>> = { string: text, integer: count, number, boolean: flag };

/** How a schema is taken as a shape. */
export interface Taking {
  /** The shapes of schemas that say less than is kept, by the schema. */
  readonly own?: ReadonlyMap<unknown, Shape>;
  /** As a merge-patch of what it describes: every member of an object may be absent or `null`. */
  readonly isPatch?: boolean;
}

/** The shape that a JSON Schema describes, as far as types and members go: bounds and patterns are for what people write. */
export function shapeOf(schema: JsonSchema, taking: Taking = {}): Shape {
  const { enum: values, if: condition, then: yes, else: no, anyOf, pattern } = schema;
  const own = taking.own?.get(schema);
  if (own !== undefined) return own;
  if (Array.isArray(values)) return oneOf(...values);
  if (pattern === instantSchema.pattern) return instant;
  if (isObject(condition) && isObject(yes) && isObject(no)) {
    const [is, fits, others] = [shapeOf(condition), shapeOf(yes, taking), shapeOf(no, taking)];
    return value => (is(value) === undefined ? fits(value) : others(value));
  }
  const shape = shapeOfType(schema, taking);
  const others = Array.isArray(anyOf) ? anyOfShapes(anyOf.map(one => shapeOf(one as JsonSchema, taking))) : anything; // schemas too
  return value => shape(value) ?? others(value);
}

function shapeOfType(schema: JsonSchema, taking: Taking): Shape {
  const { type, items } = schema;
  if (type === 'object') return objectIn(schema, taking);
  if (type === 'array') return listOf(isObject(items) ? shapeOf(items, { ...taking, isPatch: false }) : anything);
  return (typeof type === 'string' ? byType[type] : undefined) ?? anything;
}

function objectIn({ properties, required, additionalProperties }: JsonSchema, taking: Taking): Shape {
  const absent = taking.isPatch ? nullable : maybe;
  if (!isObject(properties)) {
    const each = isObject(additionalProperties) ? shapeOf(additionalProperties, taking) : anything;
    return mapOf(taking.isPatch ? nullable(each) : each);
  }
  const due: readonly unknown[] = Array.isArray(required) && !taking.isPatch ? required : [];
  const members = Object.entries(properties).map(([name, member]): [string, Shape] => {
    const shape = shapeOf(member as JsonSchema, taking); // a schema has schemas for its properties
    return [name, due.includes(name) ? shape : absent(shape)];
  });
  return objectOf(Object.fromEntries(members));
}

/** Where none fits, what the one says that is read farthest. */
function anyOfShapes(shapes: readonly Shape[]): Shape {
  return value => {
    const schemaErrors = shapes.map(shape => shape(value));
    if (schemaErrors.includes(undefined)) return undefined;
    return (
      schemaErrors.find(
        schemaError => schemaError !== schemaErrors[0] && !schemaError?.startsWith(memberOf(schemaErrors[0])),
      ) ?? schemaErrors[0]
    );
  };
}

/** `/kind` of `/kind must be "empty"`. */
function memberOf(schemaError = ''): string {
  return /^\/[^ /]+/.exec(schemaError)?.[0] ?? schemaError;
}
