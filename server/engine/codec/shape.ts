// The shape of a JSON value that this program wrote and reads again, looked at in passing: where it has another one, where and what is told.
// Knows no schema: a validator would cost more than all else that is done to what another replica has appended.
import { isObject } from '../../domain/form/patch.js';
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
