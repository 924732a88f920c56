// The world of a sandbox: read it, merge-patch it; and the readings chosen for it.
import { forming } from '../../domain/form.js';
import type { WorldPatch } from '../../domain/patch.js';
import { inPieces } from '../../engine/pieces.js';
import { checkReadings } from '../../engine/request/readings.js';
import { isHindrance } from '../../engine/sandbox/history-error.js';
import { stateAt } from '../../engine/sandbox/travel.js';
import { gapIds, readingNames } from '../../operations/gaps.js';
import { checkingPatch, patchProblems } from '../../scenario/checks/world-patch.js';
import { type ControlEndpoint, problem } from './endpoint.js';
import { hinderedBy } from './hindered.js';
import { noSandbox, sandboxOf } from './named.js';

const readingsSchema = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'A reading for each gap.',
};

export const worldEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-world',
    method: 'GET',
    path: '/sandboxes/{s}/world',
    summary: 'The world of a sandbox, fully written out',
    query: {
      at: { type: 'integer', minimum: 0, description: 'The version whose world it is; left out, the present.' },
    },
    replies: {
      200: { description: 'The world, in the form of a fixture.', schema: { type: 'object' } },
      410: { description: 'The version is kept no longer.' },
    },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const { at } = call.query;
      const state = at === undefined ? sandbox.state : stateAt(sandbox, Number(at));
      return isHindrance(state) ? hinderedBy(state) : { status: 200, body: await inPieces(forming(state.world)) };
    },
  },
  {
    id: 'patch-world',
    method: 'PATCH',
    path: '/sandboxes/{s}/world',
    summary: 'Change the world of a sandbox by a merge-patch (RFC 7396): all of it or nothing',
    body: { type: 'object', description: 'Any part of a world; null takes a record away.' },
    replies: { 204: { description: 'It is changed.' }, 422: { description: 'What would come out is no world.' } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const patch = call.body as WorldPatch; // held against the fixture's form below, before it changes anything
      const { world } = sandbox.state;
      const checked = await inPieces(checkingPatch(world, patch));
      const outcome = await session.change(sandbox, ({ state }) => {
        const problems = state.world === world ? checked : patchProblems(state.world, patch); // another change was faster
        return { changes: problems.length > 0 ? [] : [{ type: 'world-patched', patch }], result: problems };
      });
      if (outcome === 'gone') return noSandbox(call, session);
      if (outcome.result.length === 0) return { status: 204 };
      return problem(
        422,
        'What would come out is no world',
        outcome.result.map(({ pointer, message }) => `${pointer} ${message}`).join('\n'),
        outcome.result,
      );
    },
  },
  {
    id: 'read-readings',
    method: 'GET',
    path: '/sandboxes/{s}/readings',
    summary: 'The readings that count in a sandbox, one for each gap',
    replies: { 200: { description: 'The readings.', schema: readingsSchema } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      return sandbox === undefined ? noSandbox(call, session) : { status: 200, body: { ...sandbox.readings } };
    },
  },
  {
    id: 'choose-readings',
    method: 'PUT',
    path: '/sandboxes/{s}/readings',
    summary:
      'Choose the readings of a sandbox, in place of those chosen for it before; for the other gaps those of scenario and server count',
    body: {
      type: 'object',
      properties: Object.fromEntries(
        gapIds.map(gap => [gap, { type: 'string', description: `One of ${readingNames(gap).join(', ')}.` }]),
      ),
      description: 'Readings by gap.',
    },
    replies: { 200: { description: 'The readings that count now.', schema: readingsSchema } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const checked = checkReadings(Object.entries(call.body as Record<string, unknown>));
      if ('problem' in checked) return problem(400, 'Unknown reading', checked.problem);
      const outcome = await session.change(sandbox, () => ({
        changes: [{ type: 'readings-set', readings: checked.readings }],
        result: undefined,
      }));
      return outcome === 'gone' ? noSandbox(call, session) : { status: 200, body: { ...sandbox.readings } };
    },
  },
];
