// What of a scenario cannot be played, since it is not there. Plays nothing.
import type { Loaded } from '../load/story.js';

/** Why there is nothing to play, or no such step, from 1; `undefined` where there is. */
export function absentStep({ origin, steps }: Loaded, step: number | undefined): string | undefined {
  const name = JSON.stringify(origin.scenario);
  if (steps.length === 0) return `${name} has no steps: it only says what a sandbox starts from.`;
  if (step === undefined || step <= steps.length) return undefined;
  return `${name} has ${steps.length === 1 ? '1 step' : `${steps.length} steps`}, and step is ${step}.`;
}
