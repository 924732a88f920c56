// The actions that explain a past response and write the journal as a scenario.

import { factSchema } from '../../domain/facts.js';
import { recordsIn } from '../../domain/world/world-size.js';
import { type Explanation, entryIn, explain } from '../../engine/look-back/explain.js';
import { checkReadings } from '../../engine/request/readings.js';
import { isHistoryError } from '../../engine/sandbox/history.js';
import { inPieces } from '../../engine/time-slicing.js';
import { MANY } from '../../operations/operation.js';
import { described, fields, type JsonSchema } from '../../operations/schema.js';
import { ActionProblem, onSandbox, orHistoryProblem, withProblems } from './action.js';
import { isLongJournal } from './journal-actions.js';
import { readingProblems } from './sandbox-actions.js';

const text: JsonSchema = { type: 'string' };
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: 'object', properties });

const statements = list(text, 'The numbers of its statements in docs/document.md.');

const explained = {
  operation: text,
  caller: text,
  response: object({ status: { type: 'integer' }, body: {} }),
  refused: text,
  rules: list(object({ rule: text, says: text, source: text, statements }), 'The rules that applied, in their order.'),
  gaps: list(
    object({
      gap: text,
      asks: text,
      source: text,
      statements,
      reading: text,
      means: text,
      others: list(
        object({ reading: text, means: text, status: { type: 'integer' }, same: { type: 'boolean' }, says: text }),
        'The response under the other readings. Absent if the request chose readings.',
      ),
    }),
    'The deciding gaps.',
  ),
  facts: list(factSchema, 'What happened.'),
  fault: text,
  stub: text,
};
const differing = object({
  at: { type: 'string', description: 'JSON pointer that begins with /status, /body or /facts.' },
  was: {},
  wouldBe: {},
});
const explanation: JsonSchema = {
  title: 'Explanation',
  type: 'object',
  required: ['entry', 'method', 'url', 'response', 'rules', 'gaps', 'facts'],
  properties: {
    entry: { type: 'integer' },
    method: text,
    url: text,
    ...explained,
    under: {
      ...object({
        readings: { type: 'object', additionalProperties: text },
        ...explained,
        differences: list(differing, 'Each difference.'),
        patch: {
          type: 'object',
          description: 'The merge-patch from the world before the request to the world after it.',
        },
      }),
      description: 'The response under the given readings.',
    },
  },
};

export const explainingEntry = onSandbox({
  id: 'journal.explain',
  method: 'POST',
  path: '/sandboxes/{s}/explain',
  createsNone: true,
  summary: 'Explain the response to a request, and show the response under other readings, without changing anything',
  body: {
    schema: fields(
      { entry: described<number>({ type: 'integer', description: 'The id of a journal entry.' }) },
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
    { status: 200, when: 'The explanation.', body: explanation },
    { status: 404, when: 'There is no such entry.' },
    { status: 409, when: 'Another server sent the response.' },
    { status: 410, when: 'The entry, or the version that responded to it, has been discarded.' },
  ],
  furtherErrors: async ({ readings = {} }) => readingProblems(readings, '/readings'),
  isHeavy: ({ sandbox }) => isLongJournal(sandbox),
  run: async (sandbox, { body: { entry, readings } }) => {
    const checked = checkReadings(Object.entries(readings ?? {}));
    if ('problem' in checked)
      return withProblems(400, 'Invalid readings', readingProblems(readings ?? {}, '/readings'));
    const asked = entryIn(sandbox, entry);
    if (!isHistoryError(asked) && asked.forwarded !== undefined) return answeredElsewhere(entry, asked.forwarded.to);
    const found = await explain(sandbox, entry, readings === undefined ? undefined : checked.readings);
    return orHistoryProblem<Explanation>(found);
  },
});

function answeredElsewhere(entry: number, to: string): ActionProblem {
  const why = `Request ${entry} was forwarded to ${to}, so this fake did not decide the response.`;
  return new ActionProblem(409, 'Another server sent the response', why);
}

/** The title of the error for a journal without such entries. */
export const NOTHING = 'Nothing to record';

/** The requests of a sandbox as a scenario. */
export interface Recording {
  /** YAML. */
  readonly text: string;
  /** The entries that no step can send, each with the reason. */
  readonly leftOut: ReadonlyArray<{ readonly entry: number; readonly asked: string; readonly why: string }>;
}

const recordingSchema: JsonSchema = {
  title: 'Recording',
  type: 'object',
  required: ['text', 'leftOut'],
  properties: {
    text: { type: 'string', description: 'The scenario in YAML.' },
    leftOut: list(
      object({ entry: { type: 'integer' }, asked: text, why: text }),
      'The entries that no step can send, each with the reason.',
    ),
  },
};

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
    if (problem !== undefined) return new ActionProblem(422, 'World too large', problem);
    const recorded = await inPieces(recording(sandbox, { from: Number(from), to: Number(to) }, version));
    if (recorded !== undefined) return { text: scenarioText(recorded), leftOut: recorded.leftOut } satisfies Recording;
    const entries = sandbox.journal.entries();
    const [first, last] = [entries.at(0)?.id, entries.at(-1)?.id];
    const there = first === undefined ? 'is empty' : `contains only entries ${first} to ${last}`;
    return new ActionProblem(404, NOTHING, `The journal of the sandbox ${JSON.stringify(sandbox.name)} ${there}.`);
  },
});
