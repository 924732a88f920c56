// What of a step fits its schema, so that one mistake in it does not hide the others. Judges nothing itself.
import { isObject } from '../../domain/form/patch.js';
import { type Step, stepSchema } from '../format/step-format.js';
import type { Path } from '../yaml/problem.js';
import { isWithin } from './schema-problems.js';

export interface FittingStep {
  /** The step without its parts that do not fit: of `expect` its fields one by one, of all else the whole. */
  readonly step: Step;
  /** The keys of the parts that do not fit. */
  readonly unfit: readonly string[];
  /** Whether it has a key that no step has: what seems to be missing may be what that key meant. */
  readonly hasUnknown: boolean;
}

/** Nothing where it is no step at all; `places` are those of the file that do not fit, and `at` is the place of the step. */
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
  return { step: rest as unknown as Step, unfit, hasUnknown }; // all that does not fit is taken out, but for say, which nothing reads
}

/** The names that a step seems to capture, whether or not it does so rightly. */
export function capturedNames(step: unknown): string[] {
  const capture = isObject(step) ? step.capture : undefined;
  if (typeof capture === 'string') return [capture];
  return isObject(capture) ? Object.keys(capture) : [];
}
