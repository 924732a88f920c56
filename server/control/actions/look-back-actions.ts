// The actions that explain a past response and write the journal as a scenario.

import * as Type from '@sinclair/typebox';
import type { Shape } from '../../domain/json/shape.js';
import { recordsIn } from '../../domain/world/world-size.js';
import { entryIn, explain, explanationSchema } from '../../engine/look-back/explain.js';
import { inPieces } from '../../engine/time-slicing.js';
import { MANY } from '../../operations/operation.js';
import { described, fields, integer, type JsonSchema } from '../../operations/schema.js';
import { ActionProblem, onSandbox } from './action.js';
import { isLongJournal } from './journal-actions.js';
import { readingProblems, readingsFrom } from './sandbox-actions.js';

const text: JsonSchema = { type: 'string' };

export const explainingEntry = onSandbox({
  id: 'journal.explain',
  method: 'POST',
  path: '/sandboxes/{s}/explain',
  createsNone: true,
  summary: 'Explain the response to a request, and show the response under other readings, without changing anything',
  body: {
    schema: fields(
      { entry: integer('The id of a journal entry.') },
      {
        readings: described<Readonly<Record<string, string>>>({
          type: 'object',
          additionalProperties: text,
          description:
            'Readings by gap, which override those of the request. Default: every other reading of each gap that affected the response.',
        }),
      },
    ),
  },
  replies: [
    { status: 200, when: 'The explanation.', body: explanationSchema },
    { status: 404, when: 'There is no such entry.' },
    { status: 409, when: 'Another server sent the response.' },
    { status: 410, when: 'The entry, or the version that responded to it, has been discarded.' },
  ],
  furtherErrors: async ({ readings = {} }) => readingProblems(readings, '/readings'),
  isHeavy: ({ sandbox }) => isLongJournal(sandbox),
  run: async (sandbox, { body: { entry, readings } }) => {
    const under = readings && readingsFrom(readings, '/readings');
    const { forwarded } = entryIn(sandbox, entry);
    if (forwarded === undefined) return explain(sandbox, entry, under);
    const why = `Request ${entry} was forwarded to ${forwarded.to}, so this fake did not decide the response.`;
    throw new ActionProblem(409, 'Another server sent the response', why);
  },
});

/** The title of the error for a journal without such entries. */
export const NOTHING = 'Nothing to record';

/** @internal */
export const recordingSchema = Type.Object(
  {
    text: Type.String({ description: 'The scenario in YAML.' }),
    leftOut: Type.Array(Type.Object({ entry: Type.Integer(), asked: Type.String(), why: Type.String() }), {
      description: 'The entries that no step can send, each with the reason.',
    }),
  },
  { title: 'Recording', description: 'The requests of a sandbox as a scenario.' },
);
export type Recording = Shape<typeof recordingSchema>;

export const recordingSandbox = onSandbox({
  id: 'record.read',
  method: 'GET',
  path: '/sandboxes/{s}/recording',
  summary: 'Get the requests of a sandbox as a scenario that reproduces the responses, without secrets',
  query: {
    from: { type: 'integer', minimum: 1, description: 'The first entry to record. Default: the oldest.' },
    to: { type: 'integer', minimum: 1, description: 'The last entry to record. Default: the latest.' },
  },
  replies: [
    { status: 200, when: 'The scenario.', body: recordingSchema },
    { status: 404, when: 'The journal has no such entries.' },
    { status: 422, when: 'The world is too large for a scenario.' },
  ],
  isHeavy: ({ sandbox }) => sandbox !== undefined && (recordsIn(sandbox.state.world) > MANY || isLongJournal(sandbox)),
  run: async (sandbox, { query: { from = 1, to = Number.MAX_SAFE_INTEGER } }, { version }) => {
    const [{ recording, recordingProblem }, { scenarioText }] = await Promise.all([
      import('../../scenario/recording/recorded.js'),
      import('../../scenario/recording/scenario-text.js'),
    ]);
    const problem = recordingProblem(sandbox);
    if (problem !== undefined) throw new ActionProblem(422, 'World too large', problem);
    const recorded = await inPieces(recording(sandbox, { from: Number(from), to: Number(to) }, version));
    if (recorded !== undefined) return { text: scenarioText(recorded), leftOut: recorded.leftOut } satisfies Recording;
    const entries = sandbox.journal.entries();
    const [first, last] = [entries.at(0)?.id, entries.at(-1)?.id];
    const there = first === undefined ? 'is empty' : `contains only entries ${first} to ${last}`;
    throw new ActionProblem(404, NOTHING, `The journal of the sandbox ${JSON.stringify(sandbox.name)} ${there}.`);
  },
});
