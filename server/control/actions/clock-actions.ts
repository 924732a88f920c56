// The actions on the clock of a sandbox.

import * as Type from '@sinclair/typebox';
import type { Shape } from '../../domain/json/shape.js';
import { type ClockOrder, isClockRunning, timeOn } from '../../engine/sandbox/clock.js';
import { turning } from '../../engine/sandbox/versions.js';
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import { described } from '../../operations/schema.js';
import { clockErrors, clockOrderSchema, partialClockErrors } from '../../scenario/checks/clock-format.js';
import { located } from '../../scenario/yaml/problem.js';
import { change, onSandbox, withProblems } from './action.js';
import type { ControlContext } from './control-context.js';

/** @internal */
export const clockSchema = Type.Object(
  {
    now: Type.String({ description: "The sandbox's time, an ISO 8601 instant." }),
    running: Type.Boolean({ description: 'true: the clock runs; false: it is frozen.' }),
  },
  { title: 'Clock' },
);
export type ShownClock = Shape<typeof clockSchema>;

export const readingClock = onSandbox({
  id: 'clock.read',
  method: 'GET',
  path: '/sandboxes/{s}/clock',
  summary: 'Get the clock of a sandbox',
  replies: [{ status: 200, when: 'The clock.', body: clockSchema }],
  run: async (sandbox, _, context) => shown(sandbox, context),
});

export const settingClock = onSandbox<ShownClock, ClockOrder>({
  id: 'clock.set',
  method: 'PUT',
  path: '/sandboxes/{s}/clock',
  summary: 'Set, advance, freeze or start the clock of a sandbox',
  body: { schema: described(clockOrderSchema) },
  replies: [
    { status: 200, when: 'The clock afterwards.', body: clockSchema },
    { status: 422, when: 'Invalid time.' },
  ],
  furtherErrors: async order => partialClockErrors(order).map(located),
  run: async (sandbox, { body: order }, context) => {
    const errors = clockErrors(order).map(located);
    if (errors.length > 0) throw withProblems(422, 'Invalid time', errors);
    const { result } = await change(sandbox, context, turning(order, context.session.settings.machineTime));
    if (result !== undefined) throw withProblems(422, 'Invalid time', [{ message: result.problem }]);
    return shown(sandbox, context);
  },
});

function shown({ state }: CachedSandbox, { session }: ControlContext): ShownClock {
  return { now: timeOn(state.clock, session.settings.machineTime()), running: isClockRunning(state.clock) };
}
