// A body for people: compact JSON, or its text; long bodies are cut.

import { visible, visibleLines } from '../../server/derive/text/visible.js';
import { cutToWidth, widthOf } from './wrap.js';

const MAX_LINES = 12;

/** The lines of a body, at most `width` columns wide and `most` lines long. */
export function linesOfBody(body: unknown, width: number, most = MAX_LINES): string[] {
  const lines = typeof body === 'string' ? visibleLines(body) : jsonLines(body, width);
  const shown = lines.length > most ? [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines`] : lines;
  return shown.map(line => cutToWidth(line, width));
}

/** JSON with each value on one line if it fits behind its head, else each part on its own line. */
function jsonLines(value: unknown, width: number, head = ''): string[] {
  const inline = visible(`${head}${inlineJson(value)}`);
  if (typeof value !== 'object' || value === null || widthOf(inline) <= width) return [inline];
  const isList = Array.isArray(value);
  const lines = Object.entries(value).flatMap(([key, inner], i, { length }) => {
    const comma = i < length - 1 ? ',' : '';
    const part = jsonLines(inner, width - 2 - comma.length, isList ? '' : `${JSON.stringify(key)}: `);
    return part.map((line, at) => `  ${line}${at < part.length - 1 ? '' : comma}`);
  });
  return [`${visible(head)}${isList ? '[' : '{'}`, ...lines, isList ? ']' : '}'];
}

/** With spaces between values. Line breaks of the indented form are not in strings: these have them escaped. */
function inlineJson(value: unknown): string {
  const indented = JSON.stringify(value, null, 1) ?? '';
  return indented.replace(/(?<=[[{])\n *|\n *(?=[\]}])/g, '').replace(/\n */g, ' ');
}
