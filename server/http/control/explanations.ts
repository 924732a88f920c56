// Why a request was answered as it was: asked of the journal of a sandbox, over HTTP.
import { explain } from '../../engine/journal/explain.js';
import { checkReadings } from '../../engine/request/readings.js';
import { isHindrance } from '../../engine/sandbox/history-error.js';
import type { JsonSchema } from '../../operations/schema.js';
import { type ControlEndpoint, problem } from './endpoint.js';
import { hinderedBy } from './hindered.js';
import { noSandbox, sandboxOf } from './named.js';

const text: JsonSchema = { type: 'string' };
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({ type: 'object', properties });

const told = {
  operation: text,
  caller: text,
  answer: object({ status: { type: 'integer' }, body: {} }),
  refused: text,
  rules: list(object({ rule: text, says: text, source: text }), 'The rules that applied, in their order.'),
  gaps: list(
    object({
      gap: text,
      asks: text,
      source: text,
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
      }),
      description: 'What it would be under the readings that were asked about.',
    },
  },
};

export const explanationEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'explain-entry',
    method: 'POST',
    path: '/sandboxes/{s}/explain',
    summary: 'Why a request was answered as it was, and what the answer would be under other readings; touches nothing',
    body: {
      type: 'object',
      properties: {
        entry: { type: 'integer', description: 'The id of an entry of the journal.' },
        readings: {
          type: 'object',
          additionalProperties: text,
          description:
            'Readings by gap, over those that counted; left out, each other reading of each gap that decided.',
        },
      },
      required: ['entry'],
      additionalProperties: false,
    },
    replies: {
      200: { description: 'The explanation.', schema: explanation },
      404: { description: 'There has been no such entry.' },
      410: { description: 'The entry, or the version on which it was decided, is kept no longer.' },
    },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const { entry, readings } = call.body as { entry: number; readings?: Readonly<Record<string, string>> }; // as its schema says
      const checked = checkReadings(Object.entries(readings ?? {}));
      if ('problem' in checked) return problem(400, 'Unknown reading', checked.problem);
      const found = await explain(sandbox, entry, readings === undefined ? undefined : checked.readings);
      return isHindrance(found) ? hinderedBy(found) : { status: 200, body: found };
    },
  },
];
