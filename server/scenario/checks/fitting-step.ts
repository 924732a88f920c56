// The parts of a step that fit its schema, so that one error does not hide others.
import { isObject } from '../../domain/form/patch.js';
import { type Step, stepSchema } from '../format/step-format.js';
import type { Path } from '../yaml/problem.js';
import { isWithin } from './schema-problems.js';

export interface FittingStep {
  /** The step without its invalid parts: single fields of `expect`, otherwise whole parts. */
  readonly step: Step;
  /** Keys of the invalid parts. */
  readonly unfit: readonly string[];
  /** Whether it has an unknown key: a part that seems missing may be a misspelt one. */
  readonly hasUnknown: boolean;
}

/** Undefined if it is no step at all. `places`: invalid places in the file; `at`: the place of the step. */
export function fittingStep(step: unknown, places: readonly Path[], at: Path): FittingStep | undefined {
  if (!isObject(step)) return undefined;
  const inner = places.filter(place => isWithin(place, [at])).map(place => place.slice(at.length).map(String));
  const rest: Record<string, unknown> = { ...step };
  for (const [key = '', field] of inner) {
    if (key === 'expect' && field !== undefined && isObject(rest[key])) {
      const { [field]: _, ...fields } = rest[key];
      rest[key] = fields;
    } else delete rest[key];
  }
  const unfit = [...new Set(inner.flatMap(([key]) => key ?? []))];
  const known = stepSchema.properties as object; // a step has properties
  const hasUnknown = unfit.some(key => Object.hasOwn(step, key) && !Object.hasOwn(known, key));
  return { step: rest as unknown as Step, unfit, hasUnknown }; // all invalid parts are removed, except say, which nothing reads
}

/** Names that a step seems to capture, even if the capture is invalid. */
export function capturedNames(step: unknown): string[] {
  const capture = isObject(step) ? step.capture : undefined;
  if (typeof capture === 'string') return [capture];
  return isObject(capture) ? Object.keys(capture) : [];
}
