// Decodes the bytes of a body: JSON, or why it is not JSON.
import { isUtf8 } from 'node:buffer';
import { redactBody } from '../secrets.js';
import type { Body } from './request.js';

/** The body of some bytes. */
export function bodyFrom(bytes: Buffer): Body {
  if (!isUtf8(bytes)) return { kind: 'not-utf8' };
  const text = withoutMark(bytes.toString('utf8'));
  if (text === '') return { kind: 'absent' };
  try {
    return { kind: 'json', value: JSON.parse(text), text };
  } catch (error) {
    return notJson(text, (error as SyntaxError).message);
  }
}

/** A parser's message quotes the text, which may be secret. */
const QUOTATION = /, (?:\.\.\.)?".*$/s;

/** Newer versions of Node add it, and a response must not depend on the version. */
const PLACE = / \(line \d+ column \d+\)$/;

/** A text that is not JSON, with the parser's message. */
function notJson(text: string, message: string): Body {
  const problem = message.replace(PLACE, '');
  return { kind: 'not-json', text, problem: redactBody(text) === text ? problem : problem.replace(QUOTATION, '') };
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** What is wrong with a body that is too large. */
export function excessOf({ limit, of }: Extract<Body, { readonly kind: 'too-large' }>): string {
  return of === 'values' ? `has more than ${limit} values` : `is larger than ${limit} bytes`;
}
