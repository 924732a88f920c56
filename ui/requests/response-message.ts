// What a response says about what went wrong, in a line.
import type { Entry } from '../client/wire.js';

const MAX_CHARS = 20_000;

/** The message of an error or of a partial failure; empty: none. */
export function messageIn({ response: { status, body }, nearest, refused }: Entry): string {
  const found = body === undefined || body.length > MAX_CHARS ? '' : textIn(body);
  if (found !== '' || status < 400) return found;
  return nearest === undefined ? (refused ?? '').replaceAll('-', ' ') : `Nearest path: ${nearest}`;
}

function textIn(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return '';
  }
  const { message, errorMessages, messages } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [message, errorMessages, messages]
    .flat()
    .filter(each => typeof each === 'string')
    .join(' ');
}
