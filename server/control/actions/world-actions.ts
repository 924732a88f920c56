// The actions on the world of a sandbox and on the readings chosen for it.

import { collection, collectionNames, formOf, mapOf, recordForms } from '../../domain/form/form.js';
import { type CollectionName, type WorldForm, worldSchema } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { type PartAsked, readPart } from '../../domain/form/world-part.js';
import { pathOfPointer } from '../../domain/json/json-pointer.js';
import { parsedJson } from '../../domain/json/parsed-json.js';
import type { World } from '../../domain/world/world.js';
import { recordsIn } from '../../domain/world/world-size.js';
import { stateAt } from '../../engine/sandbox/versions.js';
import { gapIds, namesAndForm, type Readings, readingNames } from '../../operations/gaps/gaps.js';
import { MANY } from '../../operations/operation.js';
import { described, type JsonSchema } from '../../operations/schema.js';
import { patchErrors } from '../../scenario/checks/world-patch.js';
import { ActionProblem, change, JsonParts, onSandbox, withProblems } from './action.js';
import { readingProblems, readingsFrom } from './sandbox-actions.js';

const readingsSchema: JsonSchema = {
  title: 'Readings',
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'A reading for each gap.',
};

const MAX_RECORDS = 500;

const partQuery: Readonly<Record<string, JsonSchema>> = {
  collection: {
    enum: collectionNames,
    description: 'Get only the records of this collection, with the sizes of all collections.',
  },
  offset: { type: 'integer', minimum: 0, description: 'With `collection`: the number of records to skip. Default: 0.' },
  limit: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_RECORDS,
    description: 'With `collection`: return at most this many records. Default: 100.',
  },
  containing: {
    type: 'string',
    description: 'With `collection`: only records whose key or name contains this text, ignoring case.',
  },
  keys: {
    type: 'string',
    description: 'With `collection`: only the records with these keys, a JSON list of strings such as ["65601"].',
  },
  whole: {
    enum: ['true', 'false'],
    description:
      'With `collection`: do not shorten long texts and lists. Default: false. The field `cut` lists the shortened values.',
  },
};

export const readingWorld = onSandbox({
  id: 'world.read',
  method: 'GET',
  path: '/sandboxes/{s}/world',
  summary: 'Get the world of a sandbox, or one part of it',
  query: {
    at: { type: 'integer', minimum: 0, description: 'The version. Default: the current one.' },
    part: {
      type: 'string',
      pattern: '^/[^/]+(/[^/]+)?$',
      description: 'A JSON pointer: /licence, /nextPageId, or a record such as /users/alice',
    },
    ...partQuery,
  },
  replies: [
    {
      status: 200,
      when: 'The world in the fixture format, or the part, or the records of the `collection`.',
      body: {
        anyOf: [
          { ...worldSchema, title: 'World' },
          { type: ['object', 'array', 'integer'], items: {} },
        ],
      },
    },
    { status: 404, when: 'There is no such part.' },
    { status: 410, when: 'The version has been discarded.' },
  ],
  isHeavy: ({ sandbox, query: { part, collection: name, containing } }) => {
    if (sandbox === undefined || part !== undefined) return false;
    const { world } = sandbox.state;
    const kind = collectionNames.find(other => other === name);
    if (kind !== undefined) return containing !== undefined && mapOf(world, kind).size > MANY;
    return recordsIn(world) > MANY;
  },
  run: async (sandbox, { query, isStreamed }): Promise<WorldForm> => {
    const { at, part } = query;
    const records = partIn(query);
    const state = at === undefined ? sandbox.state : stateAt(sandbox, Number(at));
    if (records !== undefined) {
      const version = at === undefined ? sandbox.version : Number(at);
      return { version, ...readPart(state.world, records) } as never; // not the world, but its records
    }
    if (part !== undefined) return partOf(state.world, part);
    return isStreamed === true ? (new JsonParts(worldText(state.world)) as never) : formOf(state.world);
  },
});

/** The form of a world as JSON; each record is made when it is written. */
function* worldText(world: World): Generator<string> {
  for (const [i, name] of collectionNames.entries()) {
    yield `${i === 0 ? '{' : '},'}${JSON.stringify(name)}:{`;
    let comma = '';
    for (const [key, record] of recordForms(world, name)) {
      yield `${comma}${JSON.stringify(key)}:${JSON.stringify(record)}`;
      comma = ',';
    }
  }
  const { licence, nextPageId } = world;
  yield `},${JSON.stringify({ licence, nextPageId }).slice(1)}`;
}

/** A record, or a part that is not a collection. Large collections are read as part of the world. */
function partOf(world: World, pointer: string): never {
  const [name = '', key] = pathOfPointer(pointer);
  const kind = collectionNames.find(other => other === name);
  const value =
    kind !== undefined && key !== undefined
      ? collection(kind).read(world, key)
      : key === undefined && (name === 'licence' || name === 'nextPageId')
        ? world[name]
        : undefined;
  if (value !== undefined) return value as never; // parts have any shape
  const says = `The world has no part ${JSON.stringify(pointer.slice(0, 200))}`;
  const hint = kind !== undefined && key === undefined ? `; to get its records, use collection=${kind}` : '';
  throw new ActionProblem(404, 'No such part', `${says}${hint}.`);
}

export const patchingWorld = onSandbox<undefined, WorldPatch>({
  id: 'world.patch',
  method: 'PATCH',
  path: '/sandboxes/{s}/world',
  summary: 'Apply a merge patch (RFC 7396) to the world of a sandbox. An invalid patch changes nothing',
  query: {
    check: { enum: ['true', 'false'], description: 'Only report errors, and change nothing. Default: false.' },
  },
  body: { schema: described({ type: 'object', description: 'Any part of a world; null removes a record.' }) },
  replies: [
    { status: 204, when: 'Changed.' },
    { status: 422, when: 'The patch would make the world invalid.' },
  ],
  run: async (sandbox, { body: patch, query: { check } }, context) => {
    const { result } = await change(sandbox, context, ({ state }) => {
      const problems = patchErrors(state.world, patch);
      if (problems.length > 0) throw withProblems(422, 'The patch would make the world invalid', problems);
      return { changes: check === 'true' ? [] : [{ type: 'world-patched', patch }], result: undefined };
    });
    return result;
  },
});

export const readingReadings = onSandbox({
  id: 'readings.read',
  method: 'GET',
  path: '/sandboxes/{s}/readings',
  summary: 'Get the readings of a sandbox, one for each gap',
  replies: [{ status: 200, when: 'The readings.', body: readingsSchema }],
  run: async (sandbox): Promise<Readings> => ({ ...sandbox.readings }),
});

export const choosingReadings = onSandbox<Readings, Readonly<Record<string, string>>>({
  id: 'readings.set',
  method: 'PUT',
  path: '/sandboxes/{s}/readings',
  summary: 'Choose readings for a sandbox, replacing earlier choices. Other gaps follow the scenario and the server',
  body: {
    schema: described({
      type: 'object',
      properties: Object.fromEntries(
        gapIds.map(gap => [
          gap,
          { type: 'string', description: `One of: ${namesAndForm(gap).join(', ')}. Default: ${readingNames(gap)[0]}.` },
        ]),
      ),
      description: 'Readings by gap.',
    }),
  },
  replies: [{ status: 200, when: 'The readings afterwards.', body: readingsSchema }],
  furtherErrors: async body => readingProblems(body, ''),
  run: async (sandbox, { body }, context) => {
    const readings = readingsFrom(body);
    await change(sandbox, context, () => ({ changes: [{ type: 'readings-set', readings }], result: undefined }));
    return { ...sandbox.readings };
  },
});

/** The requested part; `undefined`: the whole world. */
function partIn(query: Readonly<Record<string, string>>): PartAsked | undefined {
  const { collection, offset = '0', limit = '100', containing, keys, whole = 'false' } = query;
  if (collection === undefined) {
    const [stray] = Object.keys(query).filter(name => Object.hasOwn(partQuery, name));
    if (stray === undefined) return undefined;
    throw new ActionProblem(
      400,
      'Invalid query',
      `${stray} requires collection, one of ${collectionNames.join(', ')}.`,
    );
  }
  return {
    collection: collection as CollectionName, // checked by the enum
    offset: Number(offset),
    limit: Number(limit),
    ...(containing !== undefined && { containing }),
    ...(keys !== undefined && { keys: keysIn(keys) }),
    isWhole: whole === 'true',
  };
}

function keysIn(text: string): readonly string[] {
  const value = parsedJson(text);
  if (Array.isArray(value) && value.every(each => typeof each === 'string')) return value;
  throw new ActionProblem(400, 'Invalid query', 'keys must be a JSON list of strings.');
}
