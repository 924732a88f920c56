// Steps that do not exist.
import type { Loaded } from '../load/story.js';

/** Why there is nothing to play, or no step of this number (from 1); otherwise `undefined`. */
export function absentStep({ origin, steps }: Loaded, step: number | undefined): string | undefined {
  const name = JSON.stringify(origin.scenario);
  if (steps.length === 0) return `${name} has no steps: it only defines the start of a sandbox.`;
  if (step === undefined || step <= steps.length) return undefined;
  return `${name} has ${steps.length === 1 ? '1 step' : `${steps.length} steps`}, but step is ${step}.`;
}
