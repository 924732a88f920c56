// A fault as people write it, in a scenario or to the control API: which requests it meets, when, and what it does to the answer.
// Knows nothing of how a fault is carried out.
import { operationIds } from '../../operations/catalog.js';
import type { JsonSchema } from '../../operations/schema.js';
import { either } from './schema-variants.js';
import { instant } from './world-format.js';

const HOUR = 3_600_000;
const count = (description: string, minimum = 1, maximum = 1_000_000_000): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});
const flag = (description: string): JsonSchema => ({ enum: [true], description });
const just = (properties: Readonly<Record<string, JsonSchema>>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Which of the requests a chance takes. */
export const seed: JsonSchema = count('Which ones.', 0, 4_294_967_295);

const whenSchema: JsonSchema = {
  title: 'Which of the requests it meets; left out, all',
  description: 'One of nth, every, first and chance, the last with or without a seed',
  anyOf: [
    just({ nth: count('The nth.') }),
    just({ every: count('Every nth.') }),
    just({ first: count('The first n.') }),
    just(
      {
        chance: { type: 'number', minimum: 0, maximum: 1, description: 'The part of them.' },
        seed,
      },
      ['chance'],
    ),
  ],
};

const effectSchema: JsonSchema = {
  title: 'What happens to the answer',
  ...just(
    {
      delay: {
        title: 'Milliseconds, or from and to',
        ...either(
          { type: 'array', items: {} },
          { type: 'array', items: count('Milliseconds.', 0, HOUR), minItems: 2, maxItems: 2 },
          count('Milliseconds.', 0, HOUR),
        ),
      },
      status: count('The status of the answer.', 200, 599),
      headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Headers of the answer.' },
      body: { description: 'The body of the answer: text as it is, anything else as JSON.' },
      retryAfter: count('Seconds, in the header Retry-After.', 0),
      hangUp: flag('The connection ends without an answer.'),
      truncateAt: count('The connection ends after so many bytes of the body.', 0),
      garble: flag('The body is no JSON.'),
      dribble: just({
        bytes: count('How many bytes at a time.'),
        every: count('How many milliseconds apart.', 1, HOUR),
      }),
      partial: just({ succeed: count('Of all that was asked, so much is done, and the rest is reported.', 0) }),
    },
    [],
  ),
  minProperties: 1,
};

export const faultSchema: JsonSchema = {
  title: 'Fault',
  description: 'an operation or a path',
  type: 'object',
  properties: {
    operation: { enum: operationIds, title: 'The operation it breaks' },
    path: { type: 'string', pattern: '^/', description: 'A path from its slash on; `*` stands for any one segment' },
    caller: { type: 'string', description: 'The user whose requests it breaks, or `anonymous`; left out, anyone.' },
    when: whenSchema,
    times: count('How often at most.'),
    until: { ...instant, title: 'Until when, by the clock of the sandbox' },
    phase: {
      enum: ['before', 'after'],
      description: 'Whether the request is applied all the same: after; else before.',
    },
    effect: effectSchema,
  },
  required: ['effect'],
  anyOf: [{ required: ['operation'] }, { required: ['path'] }],
  additionalProperties: false,
};
