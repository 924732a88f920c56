// The requests of a scenario before it is played.
import * as Type from '@sinclair/typebox';
import type { HttpRequest } from '../../derive/sending/call.js';
import type { Shape } from '../../domain/json/shape.js';
import { redactBody, redactUrl } from '../../engine/secrets.js';
import { chosenReadings, type ReadingChoice } from '../../operations/gaps/profiles.js';
import type { As } from '../format/step-format.js';
import type { Loaded } from '../load/load-scenario.js';
import { requestOfStep } from './step-request.js';

const text = Type.String();

/** @internal */
export const previewStepSchema = Type.Object({
  step: Type.Integer({ description: 'From 1.' }),
  line: Type.Integer({ description: 'Line in its file.' }),
  say: text,
  as: Type.Optional(Type.String({ description: 'The caller: a user or anonymous. Absent if only a token is given.' })),
  operation: Type.Optional(text),
  request: Type.Optional(
    Type.Object(
      { method: text, path: text, body: Type.Optional(text) },
      {
        description: 'The request, except for values that earlier steps capture. Absent: the step sends no request.',
      },
    ),
  ),
  status: Type.Optional(Type.Unknown({ description: 'Expected status.' })),
  proves: Type.Optional(Type.Array(text)),
});
export type PreviewStep = Shape<typeof previewStepSchema>;

/** @internal */
export const previewSchema = Type.Object(
  { name: text, title: text, about: text, steps: Type.Array(previewStepSchema) },
  { title: 'Preview' },
);
export type Preview = Shape<typeof previewSchema>;

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
