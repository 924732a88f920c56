// Builders of the schemas of what hosts answer: objects of which some members may be left out, lists, and query parameters.
import type { Described, Fields, Schema } from '../schema.js';

/** Where the server of the examples is. */
export const EXAMPLE_BASE = 'http://127.0.0.1:8080';

type Whole<F extends Fields> = { readonly [K in keyof F]: Described<F[K]> };
type Some<F extends Fields> = { readonly [K in keyof F]?: Described<F[K]> | undefined };

/** An object with the first fields, and any of the others. */
export function entity<F extends Fields, O extends Fields = Record<never, never>>(
  description: string,
  due: F,
  others?: O,
): Schema<Whole<F> & Some<O>> {
  const properties = Object.entries({ ...due, ...others }).map(([name, { json }]) => [name, json] as const);
  return {
    json: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: Object.keys(due),
      additionalProperties: false,
      description,
    },
  };
}

export function literal<const T extends string>(value: T, description: string): Schema<T> {
  return { json: { type: 'string', const: value, description } };
}

export function count(description: string): Schema<number> {
  return { json: { type: 'integer', minimum: 0, description } };
}

/** By names that are not known before. */
export function texts(description: string): Schema<Readonly<Record<string, string>>> {
  return { json: { type: 'object', additionalProperties: { type: 'string' }, description } };
}

/** A query parameter that may be left out. */
export function optional<T>({ json }: Schema<T>): Schema<T | undefined> {
  return { json };
}

/** A query parameter that is a whole number from 0. */
export function numberFrom0(description: string, fallback: number): Schema<number> {
  return { json: { type: 'integer', minimum: 0, default: fallback, description } };
}

/** A query parameter that may come several times. */
export function several(description: string): Schema<readonly string[]> {
  return { json: { type: 'array', items: { type: 'string' }, description } };
}
