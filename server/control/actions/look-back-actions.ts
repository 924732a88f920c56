// The actions that explain a past answer and export the journal as a capsule or a scenario.
import { type Explanation, entryIn, explain } from '../../engine/journal/explain.js';
import { factSchema } from '../../engine/journal/fact-schema.js';
import { inPieces } from '../../engine/pieces.js';
import { checkReadings } from '../../engine/request/readings.js';
import { isHistoryError } from '../../engine/sandbox/history.js';
import { described, fields, type JsonSchema } from '../../operations/schema.js';
import { type Capsule, capsuleSchema } from '../../scenario/recording/capsule-format.js';
import type { Range } from '../../scenario/recording/recorded.js';
import { worldOf } from '../../scenario/recording/replay.js';
import { seal } from '../../scenario/recording/seal.js';
import { ActionProblem, onSandbox, orHistoryProblem, withProblems } from '../action.js';
import { readingProblems } from './sandbox-actions.js';

const text: JsonSchema = { type: 'string' };
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: 'object', properties });

const statements = list(text, 'The numbers of its statements in docs/document.md.');

const explained = {
  operation: text,
  caller: text,
  answer: object({ status: { type: 'integer' }, body: {} }),
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
        'The answer under the other readings; absent if the request gave readings.',
      ),
    }),
    'The deciding gaps.',
  ),
  facts: list(factSchema, 'What happened.'),
  fault: text,
};
const differing = object({
  at: { type: 'string', description: 'JSON pointer that begins with /status, /body or /facts.' },
  was: {},
  would: {},
});
const explanation: JsonSchema = {
  title: 'Explanation',
  type: 'object',
  required: ['entry', 'method', 'url', 'answer', 'rules', 'gaps', 'facts'],
  properties: {
    entry: { type: 'integer' },
    method: text,
    url: text,
    ...explained,
    under: {
      ...object({
        readings: { type: 'object', additionalProperties: text },
        ...explained,
        differs: list(differing, 'Each difference.'),
        patch: {
          type: 'object',
          description: 'The merge-patch from the world before the request to the world after it.',
        },
      }),
      description: 'The answer under the given readings.',
    },
  },
};

export const explainingEntry = onSandbox({
  id: 'journal.explain',
  method: 'POST',
  path: '/sandboxes/{s}/explain',
  summary: 'Explain the answer to a request, and show the answer under other readings; changes nothing',
  body: fields(
    { entry: described<number>({ type: 'integer', description: 'The id of a journal entry.' }) },
    {
      readings: described<Readonly<Record<string, string>>>({
        type: 'object',
        additionalProperties: text,
        description: 'Readings by gap, over those of the request. Default: each other reading of each deciding gap.',
      }),
    },
  ),
  replies: {
    200: { description: 'The explanation.', schema: explanation },
    404: { description: 'There is no such entry.' },
    409: { description: 'Another server answered.' },
    410: { description: 'The entry, or the version it was answered on, has been discarded.' },
  },
  furtherErrors: ({ readings = {} }) => readingProblems(readings, '/readings'),
  run: async (sandbox, { body: { entry, readings } }) => {
    const checked = checkReadings(Object.entries(readings ?? {}));
    if ('problem' in checked) return withProblems(400, 'Unknown reading', readingProblems(readings ?? {}, '/readings'));
    const asked = entryIn(sandbox, entry);
    if (!isHistoryError(asked) && asked.forwarded !== undefined) return answeredElsewhere(entry, asked.forwarded.to);
    const found = await explain(sandbox, entry, readings === undefined ? undefined : checked.readings);
    return orHistoryProblem<Explanation>(found);
  },
});

function answeredElsewhere(entry: number, to: string): ActionProblem {
  const why = `Request ${entry} was forwarded to ${to}, so nothing here decided its answer.`;
  return new ActionProblem(409, 'Another server answered', why);
}

const scenarioTextSchema: JsonSchema = {
  title: 'ScenarioText',
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', description: 'YAML.' } },
};

export const readingCapsule = onSandbox({
  id: 'capsule.read',
  method: 'GET',
  path: '/sandboxes/{s}/capsule',
  summary: 'Export the sandbox and its journal, without secrets; `cwx-fake play` replays it',
  query: {
    as: {
      enum: ['capsule', 'scenario'],
      description: 'Format: the capsule, or a YAML scenario with the same requests. Default: capsule.',
    },
    from: { type: 'integer', minimum: 1, description: 'For a scenario: the first entry to record.' },
    to: { type: 'integer', minimum: 1, description: 'For a scenario: the last entry to record.' },
  },
  replies: {
    200: {
      description: 'The capsule, or the text of the scenario.',
      schema: { anyOf: [{ title: 'Capsule', ...capsuleSchema }, scenarioTextSchema] },
    },
    404: { description: 'For a scenario: the journal has no such entries.' },
  },
  run: async (sandbox, { query }, { session, version }): Promise<Capsule | ActionProblem> => {
    const capsule = await seal(sandbox, version, session.settings.machineTime());
    const { as, from = 1, to = Number.MAX_SAFE_INTEGER } = query;
    return as === 'scenario' ? asScenario(capsule, { from: Number(from), to: Number(to) }) : capsule;
  },
});

/** The recorder is loaded on demand. */
async function asScenario(capsule: Capsule, range: Range): Promise<never | ActionProblem> {
  const [{ recording }, { scenarioText }] = await Promise.all([
    import('../../scenario/recording/recorded.js'),
    import('../../scenario/recording/scenario-text.js'),
  ]);
  const world = worldOf(capsule);
  const recorded = world && (await inPieces(recording(capsule, world, range)));
  if (recorded !== undefined) return { text: scenarioText(recorded) } as never; // not the capsule, but a file
  return new ActionProblem(404, 'Nothing to record', `The journal of ${capsule.sandbox} has no such entries.`);
}
