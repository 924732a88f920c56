// JSON Schemas of an operation's responses under given readings.
import type { Readings } from '../../operations/gaps/gaps.js';
import type { Family, Operation } from '../../operations/operation.js';
import { array, integer, type JsonSchema, object, string } from '../../operations/schema.js';
import { repliesUnder } from '../reach.js';

const messages = object(
  { messages: array(string('What went wrong.'), 'What went wrong.') },
  undefined,
  'What went wrong, in the format of another product of the vendor.',
);

/** The error bodies by the readings of wiki-error-body and ppf-error-body; `empty` has none. */
const errorBodies: Readonly<Record<string, JsonSchema>> = {
  confluence: object(
    {
      statusCode: integer('The status of the response.'),
      message: string('What was wrong, where, and what was expected.'),
      reason: string('The reason phrase of the status.'),
    },
    undefined,
    'A refusal in the format of Confluence.',
  ),
  jira: {
    type: 'object',
    properties: {
      errorMessages: array(string('What was wrong, where, and what was expected.'), 'What was wrong.'),
      errors: { type: 'object', additionalProperties: false, description: 'Always empty.' },
    },
    required: ['errorMessages', 'errors'],
    additionalProperties: false,
    description: 'A refusal in the format of Jira.',
  },
  messages,
};

/** The schema of a family's error body under the readings; `undefined` without a body. */
export function errorSchema(family: Family, readings: Readings): JsonSchema | undefined {
  return errorBodies[readings[family === 'wiki' ? 'wiki-error-body' : 'ppf-error-body']];
}

/** The schema of the operation's reply bodies under the readings; `undefined` without a body. */
export function replySchema(operation: Operation, readings: Readings): JsonSchema | undefined {
  return oneOfThese(repliesUnder(operation, readings).flatMap(({ body }) => (body === undefined ? [] : [body])));
}

/** One schema for several, each once. */
export function oneOfThese(schemas: readonly JsonSchema[]): JsonSchema | undefined {
  const [first, ...others] = new Set(schemas);
  return first === undefined || others.length === 0 ? first : { anyOf: [first, ...others] };
}
