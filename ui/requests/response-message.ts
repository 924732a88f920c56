// What a response says about what went wrong, in a line.
import type { Entry } from '../client/wire.js';
import { isJsonObject } from '../parts/changes/change.js';
import { jsonIn } from '../parts/json/json-text.js';

const MAX_CHARS = 20_000;

/** The message of an error or of a partial failure; empty: none. */
export function messageIn({ response: { status, body }, nearest, refused }: Entry): string {
  const found = body === undefined || body.length > MAX_CHARS ? '' : textIn(body);
  if (found !== '' || status < 400) return found;
  return nearest === undefined ? (refused ?? '').replaceAll('-', ' ') : `Nearest path: ${nearest}`;
}

function textIn(body: string): string {
  const value = jsonIn(body);
  const { message, errorMessages, messages } = isJsonObject(value) ? value : {};
  return [message, errorMessages, messages]
    .flat()
    .filter(each => typeof each === 'string')
    .join(' ');
}
