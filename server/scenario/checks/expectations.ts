// Checks the matchers and captured values anywhere in a step. The player does the matching.
import { isObject } from '../../domain/form/patch.js';
import type { Path } from '../../domain/json/json-pointer.js';
import { nearest } from '../../engine/nearest.js';
import { CAPTURE_NAME, GIVEN_NAMES, references } from '../../engine/patterns/captures.js';
import { matcherSchema } from '../../engine/patterns/matcher.js';
import { patternError } from '../../engine/patterns/pattern.js';
import type { Expectation, Step } from '../format/step-format.js';
import { keyError, type ValueError } from '../yaml/problem.js';
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
    return message === undefined ? [] : [keyError([...at, key], message)];
  });
  if (unknown.length > 0) return unknown;
  if (keys.length > 1)
    return [{ path: at, message: `A matcher must be the only key of its object, but there are ${keys.length} keys.` }];
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

/** The expectations of a step, with their places: its own, and one for each reading. */
export function expectationsIn(step: Step, at: Path): Array<readonly [expect: Expectation, at: Path]> {
  const probes = Object.entries(step.for ?? {}).map(([reading, probe]) => [probe, [...at, 'for', reading]] as const);
  return [[step, at] as const, ...probes].flatMap(([{ expect }, path]) =>
    expect === undefined ? [] : [[expect, [...path, 'expect']] as const],
  );
}

/** A response that is cut off has nothing else to expect, capture or prove. */
export function connectionErrors(step: Step, at: Path): ValueError[] {
  const broken = expectationsIn(step, at).filter(([{ connection }]) => connection !== undefined);
  if (broken.length === 0) return [];
  const message = 'A broken connection has no complete response, so this cannot be checked.';
  const besides = broken.flatMap(([expect, path]) =>
    Object.keys(expect).flatMap(key => (key === 'connection' ? [] : [[...path, key]])),
  );
  const ofResponse = (['capture', 'proves'] as const).filter(key => Object.hasOwn(step, key));
  return [...besides, ...ofResponse.map(key => [...at, key])].map(path => keyError(path, message));
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

const isCaptureName = new RegExp(`^${CAPTURE_NAME}$`);

/** A step without the parts of its stubs that have placeholders of their own. */
export function withoutTemplates<S extends Pick<Step, 'stubs'>>(step: S): S {
  if (step.stubs === undefined) return step;
  return { ...step, stubs: step.stubs.map(({ headers: _, body: __, ...stub }) => stub) };
}

/** Each `${name}` in a step that is neither predefined nor captured by an earlier step. Texts for people are not checked. */
export function captureErrors({ say: _, ...step }: Step, at: Path, captured: readonly string[]): ValueError[] {
  const known = [...GIVEN_NAMES, ...captured];
  const unknown = references(withoutTemplates(step), at).filter(({ name }) => !known.includes(name));
  return unknown.map(({ name, path, of }) => {
    const why = isCaptureName.test(name)
      ? `No earlier step captures ${JSON.stringify(name)}`
      : `\${${name}} is not a valid name of a captured value`;
    return { path, of, message: `${why}${nearest(name, known)}.` };
  });
}
