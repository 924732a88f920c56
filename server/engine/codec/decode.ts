// Decodes stored text. Errors name the place but never quote the content, which may be secret.
import { parsedJson } from '../parsed-json.js';
import { StoreError } from '../store.js';
import type { Shape } from './shape.js';

/** `what`: such as "the entry". Accepts everything that this version has written. */
export function parsed<T>(text: string, shape: Shape, what: string): T {
  const value = jsonIn(text, what);
  const schemaError = shape(value);
  if (schemaError !== undefined)
    throw new StoreError(
      'format',
      `What was kept cannot be read, probably since another version of cwx-fake wrote it: ${what}${schemaError.startsWith('/') ? ', at ' : ''}${schemaError}.`,
    );
  return value as T; // its shape has just been checked
}

function jsonIn(text: string, what: string): unknown {
  const value = parsedJson(text);
  if (value !== undefined) return value;
  throw new StoreError('format', `What was kept cannot be read: ${what} is no JSON.`); // the parser's own message would quote possible secrets
}
