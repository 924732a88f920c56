// Captured values in the places that name them, and values of an answer to capture. Knows nothing of steps.
import { isObject } from '../../domain/patch.js';
import { pathOf } from '../problem.js';

/** What `${name}` stands for. */
export type Captured = ReadonlyMap<string, unknown>;

const REFERENCE = /\$\{([^}]*)\}/g;

/** A value with every `${name}` replaced: alone in a text it stands for the value as it is, among other text for its text. */
export function filled<T>(value: T, captured: Captured): T {
  return fill(value, captured) as T; // the same value with other texts in it
}

function fill(value: unknown, captured: Captured): unknown {
  if (typeof value === 'string') return fillText(value, captured);
  if (Array.isArray(value)) return value.map(element => fill(element, captured));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [String(fillText(key, captured)), fill(inner, captured)]),
  );
}

function fillText(text: string, captured: Captured): unknown {
  if (!text.includes('${')) return text;
  const alone = /^\$\{([^}]*)\}$/.exec(text)?.[1];
  if (alone !== undefined && captured.has(alone)) return captured.get(alone);
  return text.replace(REFERENCE, (reference, name: string) =>
    captured.has(name) ? textOf(captured.get(name)) : reference,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What stands at a JSON pointer; `undefined` where nothing does. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pathOf(pointer).reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return /^(0|[1-9]\d*)$/.test(step) ? inner[Number(step)] : undefined;
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}
