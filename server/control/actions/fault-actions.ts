// The actions on the faults of a sandbox: arm them, see them, take them away.
import type { World } from '../../domain/world.js';
import { type ArmedFault, arm, type Fault, MOST_FAULTS, shownFault, tooManyFaults } from '../../engine/faults/fault.js';
import { faultSchema } from '../../engine/faults/fault-schema.js';
import { boolean, described, fields, type JsonSchema } from '../../operations/schema.js';
import { faultFlaws } from '../../scenario/checks/step-checks.js';
import { type Flaw, MOST_PROBLEMS, pointerOf } from '../../scenario/yaml/problem.js';
import { onSandbox, type SandboxAction, withProblems } from '../action.js';

interface Faults {
  readonly faults: readonly ArmedFault[];
}

const armed: JsonSchema = {
  title: 'ArmedFaults',
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

export const listingFaults = onSandbox({
  id: 'faults.list',
  method: 'GET',
  path: '/sandboxes/{s}/faults',
  summary: 'The armed faults',
  replies: { 200: { description: 'The faults.', schema: armed } },
  run: async (sandbox): Promise<Faults> => ({ faults: sandbox.state.faults.map(shownFault) }),
});

export const settingFaults = onSandbox({
  id: 'faults.set',
  method: 'PUT',
  path: '/sandboxes/{s}/faults',
  summary: 'Arm faults, in the place of those that are armed or after them',
  body: fields(
    {
      faults: described<readonly Fault[]>({
        type: 'array',
        items: faultSchema,
        maxItems: MOST_FAULTS,
        description: 'The faults, in order.',
      }),
    },
    { append: boolean('Whether they are armed after those that are; left out, in their place.') },
  ),
  replies: { 200: { description: 'They are armed.', schema: armed } },
  run: (sandbox, { body: { faults, append = false } }, context) => set(sandbox, context, faults, append),
});

export const clearingFaults = onSandbox({
  id: 'faults.clear',
  method: 'DELETE',
  path: '/sandboxes/{s}/faults',
  summary: 'Take all faults away',
  replies: { 200: { description: 'There are none.', schema: armed } },
  run: (sandbox, _, context) => set(sandbox, context, [], false),
});

type RunOn = Parameters<SandboxAction<Faults, unknown>['run']>;

async function set(sandbox: RunOn[0], context: RunOn[2], faults: readonly Fault[], isAppended: boolean) {
  const flaws = firstFlaws(faults, sandbox.state.world);
  if (flaws.length > 0) {
    const problems = flaws.map(({ path, message }) => ({ pointer: pointerOf(path), message }));
    return withProblems(422, 'These are no faults of this world', problems);
  }
  const outcome = await context.session.change(sandbox, ({ state }) => {
    const result = [...(isAppended ? state.faults : []), ...arm(faults)];
    return { changes: tooManyFaults(result) === undefined ? [{ type: 'faults-set', faults: result }] : [], result };
  });
  if (outcome === 'gone') return outcome;
  const tooMany = tooManyFaults(outcome.result);
  return tooMany === undefined
    ? { faults: outcome.result.map(shownFault) }
    : withProblems(422, 'These are too many faults', [{ message: tooMany }]);
}

/** The first problems of the faults. */
function firstFlaws(faults: readonly Fault[], world: World): readonly Flaw[] {
  const flaws: Flaw[] = [];
  for (const [i, fault] of faults.entries()) {
    if (flaws.length >= MOST_PROBLEMS) break;
    flaws.push(...faultFlaws(fault, ['faults', i], world));
  }
  return flaws;
}
