// Reads JSON that this program has written. It is not validated: its format has a version, and its damage is noticed by checksums.
import { parsedJson } from '../../domain/json/parsed-json.js';
import { StoreError } from '../store.js';

/** `what`: such as "a record". The error never quotes the content, which may be secret. */
export function stored<T>(text: string, what: string): T {
  const value = parsedJson(text);
  if (value === undefined) throw new StoreError('lost', `The stored data cannot be read: ${what} is not JSON.`);
  return value as T;
}
