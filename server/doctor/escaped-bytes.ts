// Bytes for people: one line, escaped, shortened, without secrets.
import type { Answer } from './answers.js';

const MOST = 160;

/** Control and non-ASCII characters are escaped; a long text shows both ends. */
export function shownBytes(text: string, secrets: readonly string[] = [], most = MOST): string {
  const named: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t', '\0': '\\0' };
  const open = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  const short = shortened(open, most);
  return short.replace(/[^ -~…]/gu, char => named[char] ?? `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

export function shownAnswer({ status, text }: Answer, secrets?: readonly string[]): string {
  return `${status} ${shownBytes(text, secrets)}`.trim();
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.floor(most / 2);
  return `${text.slice(0, kept)}…(${text.length - 2 * kept} more)…${text.slice(-kept)}`;
}
