// The actions on the faults of a sandbox: list, arm, clear.
import type { World } from '../../domain/world/world.js';
import {
  type ArmedFault,
  arm,
  type Fault,
  faultSchema,
  holdName,
  MAX_FAULTS,
  shownFault,
  tooManyFaults,
} from '../../engine/faults/fault.js';
import { nearest } from '../../engine/nearest.js';
import { boolean, described, fields, type JsonSchema } from '../../operations/schema.js';
import { faultErrors } from '../../scenario/checks/step-checks.js';
import { located, MAX_PROBLEMS, type ValidationError } from '../../scenario/yaml/problem.js';
import { ActionProblem, onSandbox, type SandboxAction, withProblems } from './action.js';

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
          met: { type: 'integer', description: 'Number of requests that it matched.' },
          fired: { type: 'integer', description: 'Number of answers that it replaced.' },
        },
      },
      description: 'The armed faults in order, each with its counts.',
    },
  },
};

export const listingFaults = onSandbox({
  id: 'faults.list',
  method: 'GET',
  path: '/sandboxes/{s}/faults',
  summary: 'List the armed faults',
  replies: [{ status: 200, when: 'The faults.', body: armed }],
  run: async (sandbox): Promise<Faults> => ({ faults: sandbox.state.faults.map(shownFault) }),
});

export const settingFaults = onSandbox({
  id: 'faults.set',
  method: 'PUT',
  path: '/sandboxes/{s}/faults',
  summary: 'Arm faults: replace the armed ones, or append to them',
  body: {
    schema: fields(
      {
        faults: described<readonly Fault[]>({
          type: 'array',
          items: faultSchema,
          maxItems: MAX_FAULTS,
          description: 'The faults in order.',
        }),
      },
      { append: boolean('Keep the faults already armed. Default: false, they are replaced.') },
    ),
  },
  replies: [{ status: 200, when: 'Armed.', body: armed }],
  furtherErrors: ({ faults = [] }, sandbox, { session }) => firstErrors(faults, session.peek(sandbox)?.state.world),
  run: (sandbox, { body: { faults, append = false } }, context) => set(sandbox, context, faults, append),
});

export const clearingFaults = onSandbox({
  id: 'faults.clear',
  method: 'DELETE',
  path: '/sandboxes/{s}/faults',
  summary: 'Clear all faults, or one',
  query: {
    number: { type: 'integer', minimum: 1, description: 'Only the fault with this number in the list, from 1.' },
  },
  replies: [
    { status: 200, when: 'Cleared. The faults that are still armed.', body: armed },
    { status: 404, when: 'There is no fault with this number.' },
  ],
  run: async (sandbox, { query: { number } }, context) => {
    const outcome = await context.session.change(sandbox, ({ state: { faults } }) => {
      const isThere = number === undefined || Number(number) <= faults.length;
      const result = number === undefined ? [] : faults.filter((_, i) => i + 1 !== Number(number));
      return { changes: isThere ? [{ type: 'faults-set', faults: result }] : [], result: isThere && result };
    });
    if (outcome === 'gone') return outcome;
    return outcome.result === false
      ? new ActionProblem(404, 'No such fault', `There is no fault with the number ${number}.`)
      : { faults: outcome.result.map(shownFault) };
  },
});

export const releasingHold = onSandbox({
  id: 'faults.release',
  method: 'POST',
  path: '/sandboxes/{s}/faults/release',
  summary: 'Release the responses that a fault holds',
  body: { schema: fields({ hold: described<string>({ ...holdName }) }, {}) },
  replies: [
    {
      status: 200,
      when: 'Released; later ones are held again.',
      body: {
        title: 'Released',
        type: 'object',
        required: ['released'],
        properties: { released: { type: 'integer', description: 'Number of responses that waited on this server.' } },
      },
    },
    { status: 404, when: 'No armed fault has this hold, and no response waits for it.' },
  ],
  run: async ({ name, state: { faults } }, { body: { hold } }, { holds }) => {
    const known = [...faults.flatMap(({ fault }) => fault.effect.hold ?? []), ...holds.names(name)];
    return known.includes(hold)
      ? { released: holds.release(name, hold) }
      : new ActionProblem(404, 'No such hold', `There is no hold ${JSON.stringify(hold)}${nearest(hold, known)}.`);
  },
});

type RunOn = Parameters<SandboxAction<Faults, unknown>['run']>;

async function set(sandbox: RunOn[0], context: RunOn[2], faults: readonly Fault[], isAppended: boolean) {
  const errors = firstErrors(faults, sandbox.state.world);
  if (errors.length > 0) return withProblems(422, 'Invalid faults', errors);
  const outcome = await context.session.change(sandbox, ({ state }) => {
    const result = [...(isAppended ? state.faults : []), ...arm(faults)];
    return { changes: tooManyFaults(result) === undefined ? [{ type: 'faults-set', faults: result }] : [], result };
  });
  if (outcome === 'gone') return outcome;
  const tooMany = tooManyFaults(outcome.result);
  return tooMany === undefined
    ? { faults: outcome.result.map(shownFault) }
    : withProblems(422, 'Too many faults', [{ message: tooMany }]);
}

/** The first errors of the faults. Without a world any caller may be in it. */
function firstErrors(faults: readonly Fault[], world: World | undefined): readonly ValidationError[] {
  const errors: ValidationError[] = [];
  for (const [i, fault] of faults.entries()) {
    if (errors.length >= MAX_PROBLEMS) break;
    errors.push(...faultErrors(fault, ['faults', i], world).map(located));
  }
  return errors;
}
