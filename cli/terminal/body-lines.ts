// A body for people: compact JSON, or its text; long bodies are cut.

import { visible, visibleLines } from '../../server/derive/text/visible.js';
import { isObject } from '../../server/domain/form/patch.js';
import { fitted, widthOf } from './wrap.js';

const MAX_LINES = 12;

/** The lines of a body, at most `width` columns wide and `most` lines long. */
export function linesOfBody(body: unknown, width: number, most = MAX_LINES): string[] {
  const lines = typeof body === 'string' ? visibleLines(body) : jsonLines(body, width);
  const shown = lines.length > most ? [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines`] : lines;
  return shown.map(line => fitted(line, width));
}

/** JSON with each value on one line if it fits, else each part on its own line. `used`: columns taken on the first line. */
function jsonLines(value: unknown, width: number, used = 0): string[] {
  const inline = visible(inlineJson(value));
  if (widthOf(inline) <= width - used) return [inline];
  if (Array.isArray(value))
    return within(
      ['[', ']'],
      value.map(element => ['', element] as const),
      width,
    );
  if (!isObject(value)) return [inline];
  return within(
    ['{', '}'],
    Object.entries(value).map(([key, inner]) => [`${JSON.stringify(key)}: `, inner] as const),
    width,
  );
}

function within(
  [open, close]: readonly [string, string],
  parts: ReadonlyArray<readonly [head: string, value: unknown]>,
  width: number,
): string[] {
  const lines = parts.flatMap(([key, value], i) => {
    const head = visible(key);
    const comma = i < parts.length - 1 ? ',' : '';
    const [first = '', ...rest] = jsonLines(value, width - 2 - comma.length, widthOf(head));
    const all = [`  ${head}${first}`, ...rest.map(line => `  ${line}`)];
    return [...all.slice(0, -1), `${all.at(-1) ?? ''}${comma}`];
  });
  return [open, ...lines, close];
}

function inlineJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineJson).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? '';
  const pairs = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${inlineJson(inner)}`);
  return `{${pairs.join(', ')}}`;
}
