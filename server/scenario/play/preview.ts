// The requests of a scenario before it is played.
import type { HttpRequest } from '../../derive/sending/call.js';
import { redactBody, redactUrl } from '../../engine/secrets.js';
import { chosenReadings, type ReadingChoice } from '../../operations/gaps/profiles.js';
import type { As } from '../format/step-format.js';
import type { Loaded } from '../load/story.js';
import { requestOfStep } from './asking.js';

export interface PreviewStep {
  /** From 1. */
  readonly step: number;
  readonly line: number;
  readonly say: string;
  /** The caller: a user or `anonymous`; absent if only a token is given. */
  readonly as?: string;
  readonly operation?: string;
  /** Absent: no request. Values that earlier steps capture appear as `${name}`. */
  readonly request?: { readonly method: string; readonly path: string; readonly body?: string };
  /** Expected status. */
  readonly status?: unknown;
  readonly proves?: readonly string[];
}

export interface Preview {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly steps: readonly PreviewStep[];
}

/** `only`: this step, from 1. Default: all. */
export function previewOf(loaded: Loaded, only: number | undefined, server: ReadingChoice): Preview {
  const { origin, title, about } = loaded;
  const steps = [...loaded.steps.keys()].filter(index => only === undefined || index === only - 1);
  return { name: origin.scenario, title, about, steps: steps.map(index => stepAt(index, loaded, server)) };
}

function stepAt(index: number, { steps, origin, lineOf }: Loaded, server: ReadingChoice): PreviewStep {
  const step = steps[index];
  if (step === undefined) throw new RangeError(`the scenario has no step ${index}`);
  const sent = requestOfStep(step, {
    world: origin.world,
    passwords: new Map(),
    context: '',
    readings: chosenReadings(server, origin),
    asksReadings: true,
  });
  const { call, expect, proves } = step;
  const as = callerOf(step.as);
  return {
    step: index + 1,
    line: lineOf(['steps', index]),
    say: step.say,
    ...(as !== undefined && { as }),
    ...(call !== undefined && { operation: call }),
    ...(sent !== undefined && { request: shownRequest(sent) }),
    ...(expect?.status !== undefined && { status: expect.status }),
    ...(proves !== undefined && { proves }),
  };
}

function callerOf(as: As | undefined): string | undefined {
  if (as === undefined) return 'anonymous';
  if (typeof as === 'string') return as;
  return 'user' in as ? as.user : undefined;
}

function shownRequest({ method, path, body }: HttpRequest): NonNullable<PreviewStep['request']> {
  const text = typeof body === 'string' ? body : body && `${body.length} bytes`;
  return { method, path: redactUrl(path), ...(text !== undefined && { body: redactBody(text) }) };
}
