// Builders of schemas for the responses of Confluence and Jira: objects with optional members, lists, query parameters.
import { type Described, type Fields, fields, type Schema, string } from '../schema.js';

/** The server of the examples. */
export const EXAMPLE_BASE = 'http://127.0.0.1:8080';

type Whole<F extends Fields> = { readonly [K in keyof F]: Described<F[K]> };
type Some<F extends Fields> = { readonly [K in keyof F]?: Described<F[K]> | undefined };

/** An object with required and optional fields. */
export function entity<F extends Fields, O extends Fields = Record<never, never>>(
  description: string,
  due: F,
  others?: O,
): Schema<Whole<F> & Some<O>> {
  return { ...fields(due, others ?? {}), description };
}

export function literal<const T extends string>(value: T, description: string): Schema<T> {
  return { type: 'string', const: value, description };
}

export function count(description: string): Schema<number> {
  return { type: 'integer', minimum: 0, description };
}

/** A map with arbitrary keys. */
export function texts(description: string): Schema<Readonly<Record<string, string>>> {
  return { type: 'object', additionalProperties: { type: 'string' }, description };
}

/** An optional query parameter. */
export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return schema;
}

/** The query parameters that name a user. */
export const whichUser = {
  username: optional(string('The name of a user.')),
  key: optional(string('The key of a user, which is the name here.')),
};

/** A query parameter: a whole number from 0. */
export function numberFrom0(description: string, fallback: number): Schema<number> {
  return { type: 'integer', minimum: 0, default: fallback, description };
}

/** A repeatable query parameter. */
export function several(description: string): Schema<readonly string[]> {
  return { type: 'array', items: { type: 'string' }, description };
}

/** Confluence's 404 for examples. */
export function notFound(message: string) {
  const data = { authorized: false, valid: true, allowedInReadOnlyMode: true, errors: [], successful: false };
  return { status: 404, body: { statusCode: 404, data, message, reason: 'Not Found' } };
}
