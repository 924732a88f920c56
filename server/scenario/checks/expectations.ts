// Matchers and captured values wherever they stand in a step: whether each is one.
// Matches nothing: that is for who plays the step.
import { isObject } from '../../domain/form/patch.js';
import { nearest } from '../../engine/nearest.js';
import { patternFlaw } from '../format/pattern.js';
import { matcherSchema } from '../format/schema-variants.js';
import { CAPTURE_NAME, GIVEN_NAMES, type Step } from '../format/step-format.js';
import type { Flaw, Path } from '../yaml/problem.js';
import { unknownMatcher } from './likely-mistakes.js';
import { shapeOf } from './schema-problems.js';

/** What is wrong with the matchers in a value that may hold anything else: keys with a dollar are for them alone. */
export function matcherFlaws(value: unknown, at: Path): Flaw[] {
  const flaws: Flaw[] = [];
  eachObject(value, [...at], (object, here) => {
    const keys = Object.keys(object);
    const marked = keys.filter(isMarked);
    if (marked.length === 0) return true;
    const found = wrongMatcher(object, keys, marked, [...here]);
    flaws.push(...found);
    return found.length === 0;
  });
  return flaws;
}

const isMarked = (key: string) => key.startsWith('$') && !key.startsWith('${');

function wrongMatcher(value: object, keys: readonly string[], marked: readonly string[], at: Path): readonly Flaw[] {
  const unknown = marked.flatMap((key): Flaw[] => {
    const message = unknownMatcher(key);
    return message === undefined ? [] : [{ path: [...at, key], of: 'key', message }];
  });
  if (unknown.length > 0) return unknown;
  if (keys.length > 1) return [{ path: at, message: `A matcher stands alone, and this one has ${keys.length} keys.` }];
  return shapeOf(matcherSchema, value, at).flaws;
}

/** Visits each object in a value with its place, from the outside in; `visit` says whether to go on inside of it. The place changes after the visit. */
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

/** How many matchers there are in a value, and how many of them are patterns. */
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

/** The patterns of `$match` in a value that are none. */
export function patternFlaws(value: unknown, at: Path): Flaw[] {
  const flaws: Flaw[] = [];
  eachObject(value, [...at], ({ $match: pattern }, here) => {
    const message = typeof pattern === 'string' ? patternFlaw(pattern) : undefined;
    if (message !== undefined) flaws.push({ path: [...here, '$match'], message });
    return true;
  });
  return flaws;
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
