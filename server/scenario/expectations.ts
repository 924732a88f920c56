// Matchers and captured values wherever they stand in a step: whether each is one.
// Matches nothing: that is for who plays the step.
import { isObject } from '../domain/patch.js';
import { nearest } from '../engine/nearest.js';
import { unknownMatcher } from './likely-mistakes.js';
import { patternFlaw } from './pattern.js';
import type { Flaw, Path } from './problem.js';
import { matcherSchema } from './schema-variants.js';
import { shapeOf } from './shape.js';
import { CAPTURE_NAME, GIVEN_NAMES, type Step } from './step-format.js';

/** What is wrong with the matchers in a value that may hold anything else: keys with a dollar are for them alone. */
export function matcherFlaws(value: unknown, at: Path): Flaw[] {
  if (Array.isArray(value)) return value.flatMap((element, i) => matcherFlaws(element, [...at, i]));
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  const marked = keys.filter(key => key.startsWith('$') && !key.startsWith('${'));
  if (marked.length === 0) return keys.flatMap(key => matcherFlaws(value[key], [...at, key]));
  const unknown = marked.flatMap((key): Flaw[] => {
    const message = unknownMatcher(key);
    return message === undefined ? [] : [{ path: [...at, key], of: 'key', message }];
  });
  if (unknown.length > 0) return unknown;
  if (keys.length > 1) return [{ path: at, message: `A matcher stands alone, and this one has ${keys.length} keys.` }];
  const { flaws } = shapeOf(matcherSchema, value, at);
  return flaws.length > 0 ? [...flaws] : matcherFlaws(value.$contains, [...at, '$contains']);
}

/** Of an answer that did not come whole there is nothing else to expect, to keep, or to prove by. */
export function connectionFlaws(step: Step, at: Path): Flaw[] {
  const probes = Object.entries(step.for ?? {}).map(([reading, probe]) => [probe, [...at, 'for', reading]] as const);
  const broken = [[step, at] as const, ...probes].filter(([{ expect }]) => expect?.connection !== undefined);
  const message = 'Where the connection breaks there is no whole answer for this to be about.';
  const besides = broken.flatMap(([{ expect = {} }, path]) =>
    Object.keys(expect).flatMap(key => (key === 'connection' ? [] : [[...path, 'expect', key]])),
  );
  const ofAnswer = (['capture', 'proves'] as const).filter(key => broken.length > 0 && Object.hasOwn(step, key));
  return [...besides, ...ofAnswer.map(key => [...at, key])].map(path => ({ path, of: 'key' as const, message }));
}

/** How many patterns of `$match` there are in a value. */
export function patternCount(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + patternCount(element), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => sum + (key === '$match' && typeof inner === 'string' ? 1 : patternCount(inner)),
    0,
  );
}

/** The patterns of `$match` in a value that are none. */
export function patternFlaws(value: unknown, at: Path): Flaw[] {
  if (Array.isArray(value)) return value.flatMap((element, i) => patternFlaws(element, [...at, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key !== '$match' || typeof inner !== 'string') return patternFlaws(inner, [...at, key]);
    const message = patternFlaw(inner);
    return message === undefined ? [] : [{ path: [...at, key], message }];
  });
}

const REFERENCE = /\$\{([^}]*)\}/g;
const isCaptureName = new RegExp(`^${CAPTURE_NAME}$`);

/** Each `${name}` in a step that is neither given nor kept by a step before it. What is said to people is left alone. */
export function captureFlaws({ say: _, ...step }: Step, at: Path, captured: readonly string[]): Flaw[] {
  const known = [...GIVEN_NAMES, ...captured];
  return texts(step, at).flatMap(([path, text, of]) =>
    [...text.matchAll(REFERENCE)].flatMap(([reference, name = '']) => {
      if (known.includes(name)) return [];
      const why = isCaptureName.test(name)
        ? `No step before this one captures ${JSON.stringify(name)}`
        : `${reference} is no name that a step can capture`;
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
