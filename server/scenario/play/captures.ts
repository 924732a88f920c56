// Fills captured values into texts that name them, and captures values of an answer.
import { isObject } from '../../domain/form/patch.js';
import { type Path, pathOfPointer } from '../yaml/problem.js';

/** Values by name for `${name}`. */
export type Captured = ReadonlyMap<string, unknown>;

const REFERENCE = /\$\{([^}]*)\}/g;

const referring = new WeakMap<object, boolean>();

/** Whether an immutable value contains a reference. */
export function refers(value: object): boolean {
  const known = referring.get(value);
  if (known !== undefined) return known;
  const found = JSON.stringify(value).includes('${');
  referring.set(value, found);
  return found;
}

/** Each name that a value refers to, in texts and keys, with its place. */
export function references(value: unknown, at: Path = []): Array<{ readonly name: string; readonly path: Path }> {
  if (typeof value === 'string' && !value.includes('${')) return [];
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map(([, name = '']) => ({ name, path: at }));
  if (Array.isArray(value)) return value.flatMap((element, i) => references(element, [...at, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...references(key, [...at, key]),
    ...references(inner, [...at, key]),
  ]);
}

/** Replaces every `${name}` in a value: alone in a text by the value itself, within other text by its text. */
export function filled<T>(value: T, captured: Captured): T {
  return fill(value, captured, fillValue) as T; // the same value with other texts
}

/** The same for values that must be text, such as headers. */
export function filledTexts<T>(value: T, captured: Captured): T {
  return fill(value, captured, fillText) as T; // the same value with other texts
}

type Fill = (text: string, captured: Captured) => unknown;

function fill(value: unknown, captured: Captured, fillOne: Fill): unknown {
  if (typeof value === 'string') return fillOne(value, captured);
  if (Array.isArray(value)) return value.map(element => fill(element, captured, fillOne));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [fillText(key, captured), fill(inner, captured, fillOne)]),
  );
}

function fillValue(text: string, captured: Captured): unknown {
  const alone = /^\$\{([^}]*)\}$/.exec(text)?.[1];
  return alone !== undefined && captured.has(alone) ? captured.get(alone) : fillText(text, captured);
}

function fillText(text: string, captured: Captured): string {
  return text.replace(REFERENCE, (reference, name: string) =>
    captured.has(name) ? textOf(captured.get(name)) : reference,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value at a JSON pointer, or `undefined`. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pathOfPointer(pointer).reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return /^(0|[1-9]\d*)$/.test(step) ? inner[Number(step)] : undefined;
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}
