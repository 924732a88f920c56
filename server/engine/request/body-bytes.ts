// The body that some bytes are: JSON, or what keeps them from being any. Knows neither how they came nor how they were packed.
import { isUtf8 } from 'node:buffer';
import { redactBody } from '../journal/secrets.js';
import type { Body } from './request.js';

/** The body that some bytes are. */
export function bodyFrom(bytes: Buffer): Body {
  if (!isUtf8(bytes)) return { kind: 'not-utf8' };
  const text = withoutMark(bytes.toString('utf8'));
  if (text === '') return { kind: 'empty' };
  try {
    return { kind: 'json', value: JSON.parse(text), text };
  } catch (error) {
    return notJson(text, (error as SyntaxError).message);
  }
}

/** What a parser says of a text quotes some of it, which may be secret. */
const QUOTATION = /, (?:\.\.\.)?".*$/s;

/** A text in the place of JSON, with what a parser says of it. */
function notJson(text: string, problem: string): Body {
  return { kind: 'not-json', text, problem: redactBody(text) === text ? problem : problem.replace(QUOTATION, '') };
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
