// Parses JSON that somebody typed.
import type { Json } from '../../client/wire.js';

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Error(`Not valid JSON: ${(error as Error).message}`); // with the place, in the words of the browser
  }
}
