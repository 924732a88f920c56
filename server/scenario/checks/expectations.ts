// Checks the matchers and captured values anywhere in a step. The player does the matching.
import { isObject } from '../../domain/form/patch.js';
import { nearest } from '../../engine/nearest.js';
import { patternError } from '../format/pattern.js';
import { matcherSchema } from '../format/schema-variants.js';
import { CAPTURE_NAME, GIVEN_NAMES, type Step } from '../format/step-format.js';
import type { Path, ValueError } from '../yaml/problem.js';
import { shapeOf } from './schema-problems.js';
import { unknownMatcher } from './typo-hints.js';

/** Errors in the matchers of a value: keys with a dollar are reserved for them. */
export function matcherErrors(value: unknown, at: Path): ValueError[] {
  const errors: ValueError[] = [];
  eachObject(value, [...at], (object, here) => {
    const keys = Object.keys(object);
    const marked = keys.filter(isMarked);
    if (marked.length === 0) return true;
    const found = wrongMatcher(object, keys, marked, [...here]);
    errors.push(...found);
    return found.length === 0;
  });
  return errors;
}

const isMarked = (key: string) => key.startsWith('$') && !key.startsWith('${');

function wrongMatcher(
  value: object,
  keys: readonly string[],
  marked: readonly string[],
  at: Path,
): readonly ValueError[] {
  const unknown = marked.flatMap((key): ValueError[] => {
    const message = unknownMatcher(key);
    return message === undefined ? [] : [{ path: [...at, key], of: 'key', message }];
  });
  if (unknown.length > 0) return unknown;
  if (keys.length > 1)
    return [{ path: at, message: `A matcher must be the only key, but there are ${keys.length} keys.` }];
  return shapeOf(matcherSchema, value, at).errors;
}

/** Visits each object in a value with its place, outside in; `visit` returns whether to continue inside. The place object changes after the visit. */
function eachObject(
  value: unknown,
  at: (string | number)[],
  visit: (object: Readonly<Record<string, unknown>>, at: Path) => boolean,
): void {
  const go = (step: string | number, inner: unknown) => {
    if (typeof inner !== 'object') return;
    at.push(step);
    eachObject(inner, at, visit);
    at.pop();
  };
  if (Array.isArray(value)) for (const [i, inner] of value.entries()) go(i, inner);
  else if (isObject(value) && visit(value, at)) for (const key of Object.keys(value)) go(key, value[key]);
}

/** An answer that is cut off has nothing else to expect, capture or prove. */
export function connectionErrors(step: Step, at: Path): ValueError[] {
  const probes = Object.entries(step.for ?? {}).map(([reading, probe]) => [probe, [...at, 'for', reading]] as const);
  const broken = [[step, at] as const, ...probes].filter(([{ expect }]) => expect?.connection !== undefined);
  const message = 'A broken connection has no complete answer, so this cannot be checked.';
  const besides = broken.flatMap(([{ expect = {} }, path]) =>
    Object.keys(expect).flatMap(key => (key === 'connection' ? [] : [[...path, 'expect', key]])),
  );
  const ofAnswer = (['capture', 'proves'] as const).filter(key => broken.length > 0 && Object.hasOwn(step, key));
  return [...besides, ...ofAnswer.map(key => [...at, key])].map(path => ({ path, of: 'key' as const, message }));
}

/** Number of matchers in a value, and how many of them are patterns. */
export function matcherCounts(value: unknown): { readonly matchers: number; readonly patterns: number } {
  let matchers = 0;
  let patterns = 0;
  eachObject(value, [], object => {
    if (Object.keys(object).some(isMarked)) matchers += 1;
    if (typeof object.$match === 'string') patterns += 1;
    return true;
  });
  return { matchers, patterns };
}

/** Invalid `$match` patterns in a value. */
export function patternErrors(value: unknown, at: Path): ValueError[] {
  const errors: ValueError[] = [];
  eachObject(value, [...at], ({ $match: pattern }, here) => {
    const message = typeof pattern === 'string' ? patternError(pattern) : undefined;
    if (message !== undefined) errors.push({ path: [...here, '$match'], message });
    return true;
  });
  return errors;
}

const REFERENCE = /\$\{([^}]*)\}/g;
const isCaptureName = new RegExp(`^${CAPTURE_NAME}$`);

/** Each `${name}` in a step that is neither predefined nor captured by an earlier step. Texts for people are not checked. */
export function captureErrors({ say: _, ...step }: Step, at: Path, captured: readonly string[]): ValueError[] {
  const known = [...GIVEN_NAMES, ...captured];
  return texts(step, at).flatMap(([path, text, of]) =>
    [...text.matchAll(REFERENCE)].flatMap(([reference, name = '']) => {
      if (known.includes(name)) return [];
      const why = isCaptureName.test(name)
        ? `No earlier step captures ${JSON.stringify(name)}`
        : `${reference} is not a valid name of a captured value`;
      return [{ path, of, message: `${why}${nearest(name, known)}.` }];
    }),
  );
}

type Text = readonly [path: Path, text: string, of: 'key' | 'value'];

function texts(value: unknown, at: Path): Text[] {
  if (typeof value === 'string') return [[at, value, 'value']];
  if (Array.isArray(value)) return value.flatMap((element, i) => texts(element, [...at, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [[...at, key], key, 'key'] as const,
    ...texts(inner, [...at, key]),
  ]);
}
