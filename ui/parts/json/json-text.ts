// JSON as text: parsed, and indented for people.
import type { Json } from '../../client/wire.js';

/** JSON that somebody typed. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Error(`Not valid JSON: ${(error as Error).message}`); // with the place, in the words of the browser
  }
}

/** `undefined`: it is not JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The formatted text of a body: indented JSON with short lists and objects on one line. */
export function prettyText(text: string): string {
  const value = jsonIn(text);
  return value === undefined ? text : prettyJson(value);
}

/** Maximum characters of a line. */
const WIDTH = 66;

export function prettyJson(value: Json | undefined, indent = ''): string {
  if (value === undefined) return '';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (JSON.stringify(value).length <= WIDTH) {
    const line = JSON.stringify(value, null, 1) // no line break of it is within a string
      .replaceAll(/\[\n *|\n *(?=\])/g, bracket => bracket.trim())
      .replaceAll(/\n */g, ' ');
    if (line.length + indent.length <= WIDTH) return line;
  }
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each: Json) => inner + prettyJson(each, inner))
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${prettyJson(each as Json, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
