// Fills captured values into texts that name them, and captures values of a response.
import { isObject } from '../../domain/form/patch.js';
import type { Path } from '../../domain/json/json-pointer.js';
import { keptFor } from '../../domain/kept-for.js';

/** Values by name for `${name}`. */
export type Captured = ReadonlyMap<string, unknown>;

export const CAPTURE_NAME = '[A-Za-z_][A-Za-z0-9_-]*';

/** Names that are predefined for `${name}`: an id of the run (letters and digits, different each time), and the target's context path. */
export const GIVEN_NAMES = ['run', 'context'] as const;

/** `${name}`; of `${a${name}`, the inner one. */
export const REFERENCE = /\$\{([^}$]*(?:\$(?!\{)[^}$]*)*)\}/g;

/** Whether an immutable value contains a reference. */
export const refers = keptFor((value: object) => JSON.stringify(value).includes('${'));

/** A name that a value refers to, in a text or a key, with its place. */
export interface CaptureReference {
  readonly name: string;
  readonly path: Path;
  readonly of: 'key' | 'value';
}

export function references(value: unknown, at: Path = []): CaptureReference[] {
  if (typeof value === 'string') return namesIn(value, at, 'value');
  if (Array.isArray(value)) return value.flatMap((element, i) => references(element, [...at, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...namesIn(key, [...at, key], 'key'),
    ...references(inner, [...at, key]),
  ]);
}

function namesIn(text: string, path: Path, of: CaptureReference['of']): CaptureReference[] {
  return [...text.matchAll(REFERENCE)].map(([, name = '']) => ({ name, path, of }));
}

/** Replaces every `${name}` in a value: alone in a text by the value itself, within other text by its text. */
export function filled<T>(value: T, captured: Captured): T {
  return fill(value, captured, fillValue) as T; // the same value with other texts
}

/** Replaces by texts only: for what must be a string, such as headers. */
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
