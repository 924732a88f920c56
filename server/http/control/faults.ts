// The faults of a sandbox: arm them, see them, take them away. Says nothing of what they do.
import type { Fault } from '../../engine/fault.js';
import type { JsonSchema } from '../../operations/schema.js';
import { faultSchema } from '../../scenario/fault-format.js';
import { pointerOf } from '../../scenario/problem.js';
import { faultFlaws } from '../../scenario/step-checks.js';
import { type Call, type ControlAnswer, type ControlEndpoint, type Controlled, problem } from './endpoint.js';
import { noSandbox, sandboxOf } from './named.js';

const faultsSchema: JsonSchema = { type: 'array', items: faultSchema, description: 'The faults, in order.' };
const armed: JsonSchema = {
  type: 'object',
  properties: { faults: { type: 'array', items: { type: 'object' }, description: 'The armed faults, in order.' } },
};

export const faultEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-faults',
    method: 'GET',
    path: '/sandboxes/{s}/faults',
    summary: 'The armed faults',
    replies: { 200: { description: 'The faults.', schema: armed } },
    handle: async (call, { session }) => {
      const sandbox = sandboxOf(call, session);
      return sandbox === undefined ? noSandbox(call, session) : { status: 200, body: { faults: sandbox.state.faults } };
    },
  },
  {
    id: 'arm-faults',
    method: 'PUT',
    path: '/sandboxes/{s}/faults',
    summary: 'Arm faults in the place of those that are armed',
    body: { type: 'object', properties: { faults: faultsSchema }, required: ['faults'], additionalProperties: false },
    replies: { 200: { description: 'They are armed.', schema: armed } },
    handle: (call, controlled) => arm(call, controlled, (call.body as { faults: readonly Fault[] }).faults),
  },
  {
    id: 'clear-faults',
    method: 'DELETE',
    path: '/sandboxes/{s}/faults',
    summary: 'Take all faults away',
    replies: { 200: { description: 'There are none.', schema: armed } },
    handle: (call, controlled) => arm(call, controlled, []),
  },
];

async function arm(call: Call, { session }: Controlled, faults: readonly Fault[]): Promise<ControlAnswer> {
  const sandbox = sandboxOf(call, session);
  if (sandbox === undefined) return noSandbox(call, session);
  const flaws = faults.flatMap((fault, i) => faultFlaws(fault, ['faults', i], sandbox.state.world));
  if (flaws.length > 0) {
    const told = flaws.map(({ path, message }) => ({ pointer: pointerOf(path), message }));
    const detail = told.map(({ pointer, message }) => `${pointer} ${message}`).join('\n');
    return problem(422, 'These are no faults of this world', detail, told);
  }
  const outcome = await session.change(sandbox, () => ({
    changes: [{ type: 'faults-set', faults }],
    result: undefined,
  }));
  return outcome === 'gone' ? noSandbox(call, session) : { status: 200, body: { faults } };
}
