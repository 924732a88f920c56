// The body that some bytes are: JSON, or what keeps them from being any. Knows neither how they came nor how they were packed.
import { isUtf8 } from 'node:buffer';
import type { Body } from './request/request.js';

/** The body that some bytes are. */
export function bodyFrom(bytes: Buffer): Body {
  if (!isUtf8(bytes)) return { kind: 'not-utf8' };
  const text = withoutMark(bytes.toString('utf8'));
  if (text === '') return { kind: 'empty' };
  try {
    return { kind: 'json', value: JSON.parse(text), text };
  } catch (error) {
    return { kind: 'not-json', text, problem: (error as SyntaxError).message };
  }
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
