// The faults of a sandbox: arm them, see them, take them away. Says nothing of what they do.
import type { World } from '../../domain/world.js';
import { arm, type Fault, MOST_FAULTS, told, tooManyFaults } from '../../engine/faults/fault.js';
import type { JsonSchema } from '../../operations/schema.js';
import { faultFlaws } from '../../scenario/checks/step-checks.js';
import { faultSchema } from '../../scenario/format/fault-format.js';
import { type Flaw, MOST_PROBLEMS, pointerOf } from '../../scenario/yaml/problem.js';
import { type Call, type ControlAnswer, type ControlEndpoint, type Controlled, problem } from './endpoint.js';
import { noSandbox, sandboxOf } from './named.js';

const faultsSchema: JsonSchema = {
  type: 'array',
  items: faultSchema,
  maxItems: MOST_FAULTS,
  description: 'The faults, in order.',
};
const armed: JsonSchema = {
  type: 'object',
  properties: {
    faults: {
      type: 'array',
      items: {
        type: 'object',
        required: ['met', 'fired'],
        properties: {
          met: { type: 'integer', description: 'How many requests were those that it is about.' },
          fired: { type: 'integer', description: 'How often it was put in the place of an answer.' },
        },
      },
      description: 'The armed faults, in order, each as it was armed and with what has become of it.',
    },
  },
};
const besides: JsonSchema = {
  type: 'boolean',
  description: 'Whether they are armed besides those that are; left out, in their place.',
};

export const faultEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-faults',
    method: 'GET',
    path: '/sandboxes/{s}/faults',
    summary: 'The armed faults',
    replies: { 200: { description: 'The faults.', schema: armed } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      return sandbox === undefined
        ? noSandbox(call, session)
        : { status: 200, body: { faults: sandbox.state.faults.map(told) } };
    },
  },
  {
    id: 'arm-faults',
    method: 'PUT',
    path: '/sandboxes/{s}/faults',
    summary: 'Arm faults, in the place of those that are armed or besides them',
    body: {
      type: 'object',
      properties: { faults: faultsSchema, besides },
      required: ['faults'],
      additionalProperties: false,
    },
    replies: { 200: { description: 'They are armed.', schema: armed } },
    handle: (call, controlled) => {
      const { faults, besides: isBesides = false } = call.body as { faults: readonly Fault[]; besides?: boolean };
      return set(call, controlled, faults, isBesides);
    },
  },
  {
    id: 'clear-faults',
    method: 'DELETE',
    path: '/sandboxes/{s}/faults',
    summary: 'Take all faults away',
    replies: { 200: { description: 'There are none.', schema: armed } },
    handle: (call, controlled) => set(call, controlled, [], false),
  },
];

/** The first problems of the faults. */
function firstFlaws(faults: readonly Fault[], world: World): readonly Flaw[] {
  const flaws: Flaw[] = [];
  for (const [i, fault] of faults.entries()) {
    if (flaws.length >= MOST_PROBLEMS) break;
    flaws.push(...faultFlaws(fault, ['faults', i], world));
  }
  return flaws;
}

async function set(
  call: Call,
  { session }: Controlled,
  faults: readonly Fault[],
  isBesides: boolean,
): Promise<ControlAnswer> {
  const sandbox = await sandboxOf(call, session);
  if (sandbox === undefined) return noSandbox(call, session);
  const flaws = firstFlaws(faults, sandbox.state.world);
  if (flaws.length > 0) {
    const told = flaws.map(({ path, message }) => ({ pointer: pointerOf(path), message }));
    const detail = told.map(({ pointer, message }) => `${pointer} ${message}`).join('\n');
    return problem(422, 'These are no faults of this world', detail, told);
  }
  const outcome = await session.change(sandbox, ({ state }) => {
    const result = [...(isBesides ? state.faults : []), ...arm(faults)];
    return { changes: tooManyFaults(result) === undefined ? [{ type: 'faults-set', faults: result }] : [], result };
  });
  if (outcome === 'gone') return noSandbox(call, session);
  const tooMany = tooManyFaults(outcome.result);
  return tooMany === undefined
    ? { status: 200, body: { faults: outcome.result.map(told) } }
    : problem(422, 'These are too many faults', tooMany);
}
