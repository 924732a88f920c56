// Quick checks of JSON that this program wrote itself. Errors name the place. A schema validator would cost more than everything else that is done
// with an entry from another replica.
import { isObject } from '../../domain/form/patch.js';
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
