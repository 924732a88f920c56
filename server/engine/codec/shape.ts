// The shape of a JSON value that this program wrote and reads again, looked at in passing: where it has another one, where and what is told.
// A validator would cost more than all else that is done to what another replica has appended.
import { isObject } from '../../domain/form/patch.js';
import { instant as instantSchema, type JsonSchema } from '../../operations/schema.js';
import { pointerTo } from '../differing.js';
import { found } from '../request/validate.js';
import { isTextPart } from './page-texts.js';

/** What does not fit, behind a JSON pointer: `/users/2 must be text, and is null`; `undefined` where all fits. */
export type Shape = (value: unknown) => string | undefined;

/** By its name the shape of each member of a `T`, the optional ones in `maybe`. */
export type Members<T> = { readonly [K in keyof T]-?: Shape };

export function mustBe(right: string, value: unknown): string {
  return ` must be ${right}, and is ${value === undefined ? 'not there' : found(value)}`;
}

export const anything: Shape = () => undefined;
export const text: Shape = value => (typeof value === 'string' ? undefined : mustBe('text', value));
/** A text of a page, or the part in its place. */
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

/** What may not be there. */
export function maybe(shape: Shape): Shape {
  return value => (value === undefined ? undefined : shape(value));
}

/** What may be `null`, as in a merge-patch, or not be there. */
export function nullable(shape: Shape): Shape {
  return value => (value === undefined || value === null ? undefined : shape(value));
}

export function listOf(shape: Shape): Shape {
  return value => {
    if (!Array.isArray(value)) return mustBe('a list', value);
    for (let i = 0; i < value.length; i += 1) {
      const misfit = shape(value[i]);
      if (misfit !== undefined) return `/${i}${misfit}`;
    }
    return undefined;
  };
}

/** An object with any names. */
export function mapOf(shape: Shape): Shape {
  return value => {
    if (!isObject(value)) return mustBe('an object', value);
    for (const [name, one] of Object.entries(value)) {
      const misfit = shape(one);
      if (misfit !== undefined) return `${pointerTo(name)}${misfit}`;
    }
    return undefined;
  };
}

/** An object with the members of a `T`; others are passed over. */
export function objectOf<T>(members: Members<T>): Shape {
  const known = Object.entries<Shape>(members);
  return value => {
    if (!isObject(value)) return mustBe('an object', value);
    for (const [name, shape] of known) {
      const misfit = shape(value[name]);
      if (misfit !== undefined) return `/${name}${misfit}`;
    }
    return undefined;
  };
}

export const texts = listOf(text);
export const counts = listOf(count);

const byType: Readonly<Record<string, Shape>> = { string: text, integer: count, number, boolean: flag };

/**
 * The shape that a JSON Schema describes, as far as types and members go: bounds and patterns are for what people write. `own`: by their names
 * the shapes of members that no schema tells.
 */
export function shapeOf(schema: JsonSchema, own: Readonly<Record<string, Shape>> = {}): Shape {
  const { enum: values, if: condition, then: yes, else: no, anyOf, pattern } = schema;
  if (Array.isArray(values)) return oneOf(...values);
  if (pattern === instantSchema.pattern) return instant;
  if (isObject(condition) && isObject(yes) && isObject(no)) {
    const [is, fits, others] = [shapeOf(condition), shapeOf(yes), shapeOf(no)];
    return value => (is(value) === undefined ? fits(value) : others(value));
  }
  const shape = shapeOfType(schema, own);
  const others = Array.isArray(anyOf) ? anyOfShapes(anyOf.map(one => shapeOf(one as JsonSchema))) : anything; // schemas too
  return value => shape(value) ?? others(value);
}

function shapeOfType(schema: JsonSchema, own: Readonly<Record<string, Shape>>): Shape {
  const { type, items } = schema;
  if (type === 'object') return objectIn(schema, own);
  if (type === 'array') return listOf(isObject(items) ? shapeOf(items) : anything);
  return (typeof type === 'string' ? byType[type] : undefined) ?? anything;
}

function objectIn(
  { properties, required, additionalProperties }: JsonSchema,
  own: Readonly<Record<string, Shape>>,
): Shape {
  if (!isObject(properties)) return mapOf(isObject(additionalProperties) ? shapeOf(additionalProperties) : anything);
  const due: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = Object.entries(properties).map(([name, member]): [string, Shape] => {
    const shape = own[name] ?? shapeOf(member as JsonSchema); // a schema has schemas for its properties
    return [name, due.includes(name) ? shape : maybe(shape)];
  });
  return objectOf(Object.fromEntries(members));
}

/** Where none fits, what the one says that is read farthest. */
function anyOfShapes(shapes: readonly Shape[]): Shape {
  return value => {
    const misfits = shapes.map(shape => shape(value));
    if (misfits.includes(undefined)) return undefined;
    return misfits.find(misfit => misfit !== misfits[0] && !misfit?.startsWith(memberOf(misfits[0]))) ?? misfits[0];
  };
}

/** `/kind` of `/kind must be "empty"`. */
function memberOf(misfit = ''): string {
  return /^\/[^ /]+/.exec(misfit)?.[0] ?? misfit;
}
