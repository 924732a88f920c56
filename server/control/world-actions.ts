// The actions on the world of a sandbox and on the readings chosen for it.
import { collection, collectionNames, forming } from '../domain/form.js';
import type { WorldForm } from '../domain/form-shapes.js';
import type { WorldPatch } from '../domain/patch.js';
import type { World } from '../domain/world.js';
import { inPieces } from '../engine/pieces.js';
import { checkReadings } from '../engine/request/readings.js';
import { isHistoryError } from '../engine/sandbox/history-error.js';
import { stateAt } from '../engine/sandbox/travel.js';
import { gapIds, type Readings, readingNames } from '../operations/gaps.js';
import { described, type JsonSchema } from '../operations/schema.js';
import { checkingPatch, patchProblems } from '../scenario/checks/world-patch.js';
import { pathOf } from '../scenario/yaml/problem.js';
import { ActionProblem, changed, onSandbox, orHistoryProblem, withProblems } from './action.js';
import { readingProblems } from './sandbox-actions.js';

const readingsSchema: JsonSchema = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'A reading for each gap.',
};

export const readingWorld = onSandbox({
  id: 'world.read',
  method: 'GET',
  path: '/sandboxes/{s}/world',
  summary: 'The world of a sandbox, fully written out, or one part of it',
  query: {
    at: { type: 'integer', minimum: 0, description: 'The version whose world it is; left out, the present.' },
    part: {
      type: 'string',
      pattern: '^/[^/]+(/[^/]+)?$',
      description: 'a JSON pointer to a record such as /users/alice, to /licence or to /nextPageId',
    },
  },
  replies: {
    200: {
      description: 'The world, in the form of a fixture, or the part.',
      schema: { type: ['object', 'array', 'integer'] },
    },
    404: { description: 'There is no such part.' },
    410: { description: 'The version is kept no longer.' },
  },
  run: async (sandbox, { query: { at, part } }): Promise<WorldForm | ActionProblem> => {
    const state = at === undefined ? sandbox.state : stateAt(sandbox, Number(at));
    if (isHistoryError(state)) return orHistoryProblem<never>(state);
    return part === undefined ? inPieces(forming(state.world)) : partOf(state.world, part);
  },
});

/** A record, or what is no collection. Large collections are read as part of the world. */
function partOf(world: World, pointer: string): never | ActionProblem {
  const [name = '', key] = pathOf(pointer);
  const kind = collectionNames.find(other => other === name);
  const value =
    kind !== undefined && key !== undefined
      ? collection(kind).read(world, key)
      : key === undefined && (name === 'licence' || name === 'nextPageId')
        ? world[name]
        : undefined;
  if (value !== undefined) return value as never; // of whatever shape the part has
  return new ActionProblem(
    404,
    'There is no such part',
    `The world has nothing at ${JSON.stringify(pointer.slice(0, 200))}.`,
  );
}

export const patchingWorld = onSandbox<undefined, WorldPatch>({
  id: 'world.patch',
  method: 'PATCH',
  path: '/sandboxes/{s}/world',
  summary: 'Change the world of a sandbox by a merge-patch (RFC 7396): all of it or nothing',
  body: described({ type: 'object', description: 'Any part of a world; null takes a record away.' }),
  replies: { 204: { description: 'It is changed.' }, 422: { description: 'What would come out is no world.' } },
  run: async (sandbox, { body: patch }, context) => {
    const { world } = sandbox.state;
    const checked = await inPieces(checkingPatch(world, patch));
    const outcome = await changed(sandbox, context, ({ state }) => {
      const problems = state.world === world ? checked : patchProblems(state.world, patch); // another change was faster
      return { changes: problems.length > 0 ? [] : [{ type: 'world-patched', patch }], result: problems };
    });
    if (outcome === 'gone') return 'gone';
    return outcome.result.length === 0
      ? undefined
      : withProblems(422, 'What would come out is no world', outcome.result);
  },
});

export const readingReadings = onSandbox({
  id: 'readings.read',
  method: 'GET',
  path: '/sandboxes/{s}/readings',
  summary: 'The readings that count in a sandbox, one for each gap',
  replies: { 200: { description: 'The readings.', schema: readingsSchema } },
  run: async (sandbox): Promise<Readings> => ({ ...sandbox.readings }),
});

export const choosingReadings = onSandbox<Readings, Readonly<Record<string, string>>>({
  id: 'readings.set',
  method: 'PUT',
  path: '/sandboxes/{s}/readings',
  summary:
    'Choose the readings of a sandbox, in place of those chosen for it before; for the other gaps those of scenario and server count',
  body: described({
    type: 'object',
    properties: Object.fromEntries(
      gapIds.map(gap => [gap, { type: 'string', description: `One of ${readingNames(gap).join(', ')}.` }]),
    ),
    description: 'Readings by gap.',
  }),
  replies: { 200: { description: 'The readings that count now.', schema: readingsSchema } },
  run: async (sandbox, { body }, context) => {
    const problems = readingProblems(body, '');
    const checked = checkReadings(Object.entries(body));
    if ('problem' in checked) return withProblems(400, 'Unknown reading', problems);
    const { readings } = checked;
    const outcome = await changed(sandbox, context, () => ({
      changes: [{ type: 'readings-set', readings }],
      result: undefined,
    }));
    return outcome === 'gone' ? 'gone' : { ...sandbox.readings };
  },
});
