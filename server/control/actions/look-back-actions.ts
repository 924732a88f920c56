// The actions that look back at what was answered: why, and all of it in one file that can be played again.
import { type Explanation, entryIn, explain } from '../../engine/journal/explain.js';
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

const statements = list(text, 'The numbers of its statements, as docs/document.md has them.');

const told = {
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
        'What it would be under the other readings; absent where readings were asked about.',
      ),
    }),
    'The gaps that decided.',
  ),
  facts: list({ type: 'object' }, 'What happened.'),
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
    ...told,
    under: {
      ...object({
        readings: { type: 'object', additionalProperties: text },
        ...told,
        differs: list(differing, 'Each place at which it differs.'),
        patch: {
          type: 'object',
          description: 'The merge-patch that would make the world afterwards out of the one on which it was decided.',
        },
      }),
      description: 'What it would be under the readings that were asked about.',
    },
  },
};

export const explainingEntry = onSandbox({
  id: 'journal.explain',
  method: 'POST',
  path: '/sandboxes/{s}/explain',
  summary: 'Why a request was answered as it was, and what the answer would be under other readings; touches nothing',
  body: fields(
    { entry: described<number>({ type: 'integer', description: 'The id of an entry of the journal.' }) },
    {
      readings: described<Readonly<Record<string, string>>>({
        type: 'object',
        additionalProperties: text,
        description: 'Readings by gap, over those that counted; left out, each other reading of each gap that decided.',
      }),
    },
  ),
  replies: {
    200: { description: 'The explanation.', schema: explanation },
    404: { description: 'There has been no such entry.' },
    409: { description: 'Another server answered.' },
    410: { description: 'The entry, or the version on which it was decided, is kept no longer.' },
  },
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
  const why = `Request ${entry} was passed on to ${to}, and nothing here decided its answer.`;
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
  summary: 'What the sandbox was, was asked and answered, without secrets: `cwx-fake play` performs it again',
  query: {
    as: {
      enum: ['capsule', 'scenario'],
      description:
        'As which file it is given: as it is, or as the YAML of a scenario that asks the same. Default: capsule.',
    },
    from: { type: 'integer', minimum: 1, description: 'Of a scenario: the first entry that becomes a step.' },
    to: { type: 'integer', minimum: 1, description: 'Of a scenario: the last entry that becomes a step.' },
  },
  replies: {
    200: {
      description: 'The capsule; as a scenario, the text of its file.',
      schema: { anyOf: [{ title: 'Capsule', ...capsuleSchema }, scenarioTextSchema] },
    },
    404: { description: 'Of a scenario: its journal has no such entries.' },
  },
  run: async (sandbox, { query }, { session, version }): Promise<Capsule | ActionProblem> => {
    const capsule = await seal(sandbox, version, session.settings.machineTime());
    const { as, from = 1, to = Number.MAX_SAFE_INTEGER } = query;
    return as === 'scenario' ? asScenario(capsule, { from: Number(from), to: Number(to) }) : capsule;
  },
});

/** What records is loaded when it is asked for. */
async function asScenario(capsule: Capsule, range: Range): Promise<never | ActionProblem> {
  const [{ recording }, { scenarioText }] = await Promise.all([
    import('../../scenario/recording/recorded.js'),
    import('../../scenario/recording/scenario-text.js'),
  ]);
  const world = worldOf(capsule);
  const recorded = world && (await inPieces(recording(capsule, world, range)));
  if (recorded !== undefined) return { text: scenarioText(recorded) } as never; // not the capsule, but a file
  return new ActionProblem(404, 'There is nothing to record', `The journal of ${capsule.sandbox} has no such entries.`);
}
