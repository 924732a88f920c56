// The world of a sandbox: read it, merge-patch it; and the readings chosen for it.
import { collectionNames, forming } from '../../domain/form.js';
import type { CollectionName } from '../../domain/form-shapes.js';
import type { WorldPatch } from '../../domain/patch.js';
import { type PartAsked, readingPart } from '../../domain/world-part.js';
import { isHindrance } from '../../engine/hindrance.js';
import { inPieces } from '../../engine/pieces.js';
import { checkReadings } from '../../engine/request/readings.js';
import { stateAt } from '../../engine/travel.js';
import { gapIds, readingNames } from '../../operations/gaps.js';
import type { JsonSchema } from '../../operations/schema.js';
import { checkingPatch, patchProblems } from '../../scenario/world-patch.js';
import { type ControlAnswer, type ControlEndpoint, problem } from './endpoint.js';
import { hinderedBy } from './hindered.js';
import { noSandbox, sandboxOf } from './named.js';

const readingsSchema = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'A reading for each gap.',
};

const MOST_RECORDS = 500;

/** What asks for a part of a world. */
const partQuery: Readonly<Record<string, JsonSchema>> = {
  collection: {
    enum: collectionNames,
    description: 'Only records of this collection, with the number of records of each collection.',
  },
  offset: { type: 'integer', minimum: 0, description: 'With `collection`: the first record, from 0. Default: 0.' },
  limit: {
    type: 'integer',
    minimum: 0,
    maximum: MOST_RECORDS,
    description: 'With `collection`: return at most this many records. Default: 100.',
  },
  containing: {
    type: 'string',
    description: 'With `collection`: only records whose key or name has this text, in any case.',
  },
  keys: {
    type: 'string',
    description: 'With `collection`: only the records of these keys, a JSON list of texts such as ["65601"].',
  },
  whole: {
    enum: ['true', 'false'],
    description: 'With `collection`: give long texts and lists whole. Default: false, `cut` says what was cut short.',
  },
};

export const worldEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'read-world',
    method: 'GET',
    path: '/sandboxes/{s}/world',
    summary: 'The world of a sandbox, fully written out',
    query: {
      at: { type: 'integer', minimum: 0, description: 'The version whose world it is; left out, the present.' },
      ...partQuery,
    },
    replies: {
      200: {
        description: 'The world, in the form of a fixture; with `collection`, the part of it that was asked for.',
        schema: { type: 'object' },
      },
      410: { description: 'The version is kept no longer.' },
    },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const { at } = call.query;
      const part = partIn(call.query);
      if (part !== undefined && 'status' in part) return part;
      const version = at === undefined ? sandbox.head.version : Number(at);
      const state = at === undefined ? sandbox.state : stateAt(sandbox, version);
      if (isHindrance(state)) return hinderedBy(state);
      if (part === undefined) return { status: 200, body: await inPieces(forming(state.world)) };
      return { status: 200, body: { version, ...(await inPieces(readingPart(state.world, part))) } };
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

/** Which part is asked for; `undefined`: all of it. */
function partIn(query: Readonly<Record<string, string>>): PartAsked | ControlAnswer | undefined {
  const { collection, offset = '0', limit = '100', containing, keys, whole = 'false' } = query;
  if (collection === undefined) {
    const [stray] = Object.keys(query).filter(name => Object.hasOwn(partQuery, name));
    if (stray === undefined) return undefined;
    return problem(400, 'The query does not fit', `${stray} needs collection, one of ${collectionNames.join(', ')}.`);
  }
  const listed = keys === undefined ? undefined : keysIn(keys);
  if (listed === 'none') return problem(400, 'The query does not fit', 'keys must be a JSON list of texts.');
  return {
    collection: collection as CollectionName, // one of the enum
    offset: Number(offset),
    limit: Number(limit),
    ...(containing !== undefined && { containing }),
    ...(listed !== undefined && { keys: listed }),
    isWhole: whole === 'true',
  };
}

function keysIn(text: string): readonly string[] | 'none' {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every(each => typeof each === 'string') ? value : 'none';
  } catch {
    return 'none'; // it is no JSON
  }
}
