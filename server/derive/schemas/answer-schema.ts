// What an operation answers, as JSON Schemas for given readings: the bodies of its replies and of its refusals.
// Knows no document format.
import type { Readings } from '../../operations/gaps/gaps.js';
import type { Family, Operation } from '../../operations/operation.js';
import { array, integer, type JsonSchema, object, string } from '../../operations/schema.js';
import { repliesUnder } from '../reach.js';

const messages = object(
  { messages: array(string('What went wrong.'), 'What went wrong.') },
  undefined,
  'What went wrong, as the makers report it in a sister product.',
).json;

/** The error bodies by the readings of wiki-error-body and ppf-error-body; `empty` has none. */
const errorBodies: Readonly<Record<string, JsonSchema>> = {
  confluence: object(
    {
      statusCode: integer('The status of the answer.'),
      message: string('What was wrong, where, and what would be right.'),
      reason: string('The phrase of the status.'),
    },
    undefined,
    'A refusal, as the host of the wiki extension gives it.',
  ).json,
  jira: {
    type: 'object',
    properties: {
      errorMessages: array(string('What was wrong, where, and what would be right.'), 'What was wrong.').json,
      errors: { type: 'object', additionalProperties: false, description: 'Always empty.' },
    },
    required: ['errorMessages', 'errors'],
    additionalProperties: false,
    description: 'A refusal, as the host of push and pull gives it.',
  },
  messages,
};

/** The schema of a family's error body under the readings; `undefined` where refusals have no body. */
export function errorSchema(family: Family, readings: Readings): JsonSchema | undefined {
  return errorBodies[readings[family === 'wiki' ? 'wiki-error-body' : 'ppf-error-body']];
}

/** The schema of the bodies that the operation replies with under the readings; `undefined` where its replies have none. */
export function replySchema(operation: Operation, readings: Readings): JsonSchema | undefined {
  return oneOfThese(repliesUnder(operation, readings).flatMap(({ body }) => (body === undefined ? [] : [body.json])));
}

/** One schema for several, each once. */
export function oneOfThese(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  const [first, ...others] = new Set(schemas);
  return first === undefined || others.length === 0 ? first : { anyOf: [first, ...others] };
}
