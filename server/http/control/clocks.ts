// The clock of a sandbox: read it, set it, let it go on, stop it and let it run.
import { type ClockOrder, isRunning } from '../../engine/sandbox/clock.js';
import type { Sandbox } from '../../engine/sandbox/sandbox.js';
import type { Session } from '../../engine/sandbox/session.js';
import { timeIn } from '../../engine/sandbox/state.js';
import { turning } from '../../engine/sandbox/travel.js';
import type { JsonSchema } from '../../operations/schema.js';
import { clockFlaws, clockOrderSchema } from '../../scenario/format/clock-format.js';
import { pointerOf } from '../../scenario/yaml/problem.js';
import { type ControlAnswer, type ControlEndpoint, problem } from './endpoint.js';
import { noSandbox, sandboxOf } from './named.js';

const clockSchema: JsonSchema = {
  type: 'object',
  required: ['now', 'running'],
  properties: {
    now: { type: 'string', description: "The sandbox's time." },
    running: { type: 'boolean', description: 'Whether it runs; else it stands there.' },
  },
};

export const clockEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-clock',
    method: 'GET',
    path: '/sandboxes/{s}/clock',
    summary: 'What time it is in a sandbox',
    replies: { 200: { description: 'The clock.', schema: clockSchema } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      return sandbox === undefined ? noSandbox(call, session) : shown(sandbox, session);
    },
  },
  {
    id: 'turn-clock',
    method: 'PUT',
    path: '/sandboxes/{s}/clock',
    summary: 'Set the clock of a sandbox, let it go on by a time, stop it, or let it run',
    body: clockOrderSchema,
    replies: {
      200: { description: 'The clock as it is now.', schema: clockSchema },
      422: { description: 'No clock can be turned like that.' },
    },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const [flaw] = clockFlaws(call.body as object); // as its schema says
      if (flaw !== undefined) return unturnable(`${pointerOf(flaw.path)} ${flaw.message}`.trim());
      const order = call.body as ClockOrder; // it fits its schema, and has no flaw
      const changed = await session.change(sandbox, turning(order, session.settings.machineTime));
      if (changed === 'gone') return noSandbox(call, session);
      return changed.result === undefined ? shown(sandbox, session) : unturnable(changed.result.problem);
    },
  },
];

function shown({ state }: Sandbox, session: Session): ControlAnswer {
  return {
    status: 200,
    body: { now: timeIn(state, session.settings.machineTime()), running: isRunning(state.clock) },
  };
}

function unturnable(detail: string): ControlAnswer {
  return problem(422, 'No clock can be turned like that', detail);
}
