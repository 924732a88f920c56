// The parts of a step that fit its schema, so that one error does not hide others.
import { isObject } from '../../domain/form/patch.js';
import type { Path } from '../../domain/json/json-pointer.js';
import { type Step, stepSchema } from '../format/step-format.js';
import { withoutKeys } from './overlay.js';

export interface FittingStep {
  /** The step without its invalid parts: single fields of `expect`, otherwise whole parts. */
  readonly step: Step;
  /** Keys of the invalid parts. */
  readonly unfit: readonly string[];
  /** Whether it has an unknown key: a part that seems missing may be a misspelt one. */
  readonly hasUnknown: boolean;
}

/** Undefined if it is no step at all. `places`: invalid places in the step. */
export function fittingStep(step: unknown, places: readonly Path[]): FittingStep | undefined {
  if (!isObject(step)) return undefined;
  const fitting = places.reduce(
    (rest, place) => withoutKeys(rest, place.slice(0, place[0] === 'expect' ? 2 : 1)),
    step,
  );
  const unfit = [...new Set(places.map(([key = '']) => String(key)))];
  const hasUnknown = unfit.some(key => Object.hasOwn(step, key) && !Object.hasOwn(stepSchema.properties, key));
  return { step: fitting as unknown as Step, unfit, hasUnknown }; // all invalid parts are removed, except say, which nothing reads
}

/** Names that a step seems to capture, even if the capture is invalid. */
export function capturedNames(step: unknown): string[] {
  const capture = isObject(step) ? step.capture : undefined;
  if (typeof capture === 'string') return [capture];
  return isObject(capture) ? Object.keys(capture) : [];
}
