// The way from a text that was kept to a value of the shape it was written in; what is anything else is told, without what is in it.
// Knows no type of its own.
import { StoreError } from '../store.js';
import type { Shape } from './shape.js';

/** `what` as in "the entry". Rejects nothing that this version has written. */
export function parsed<T>(text: string, shape: Shape, what: string): T {
  const value = jsonIn(text, what);
  const schemaError = shape(value);
  if (schemaError !== undefined)
    throw new StoreError(
      'format',
      `What was kept cannot be read, probably since another version of cwx-fake wrote it: ${what}${schemaError.startsWith('/') ? ', at ' : ''}${schemaError}.`,
    );
  return value as T; // its shape has just been looked at
}

function jsonIn(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new StoreError('format', `What was kept cannot be read: ${what} is no JSON.`); // the parser's own words would quote what may be secret
  }
}
