// Parses JSON that somebody typed; errors name the line and the column in every browser.
import type { Json } from '../../client/wire.js';

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    const lines = text.slice(0, problemAt(text)).split('\n');
    throw new Error(`Not valid JSON: line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`);
  }
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;

/** The index of the first character that JSON does not allow there: browsers do not agree whether to report it. */
function problemAt(text: string): number {
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const takes = (character: string) => {
    match(SPACE);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const list = (end: string, element: () => boolean) => {
    if (takes(end)) return true;
    do if (!element()) return false;
    while (takes(','));
    return takes(end);
  };
  const name = () => {
    match(SPACE);
    return text[at] === '"' && match(SCALAR) !== '';
  };
  const value = (): boolean => {
    if (takes('[')) return list(']', value);
    if (takes('{')) return list('}', () => name() && takes(':') && value());
    match(SPACE);
    return match(SCALAR) !== '';
  };
  if (value()) match(SPACE);
  return at;
}
