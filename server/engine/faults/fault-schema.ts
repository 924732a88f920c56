// A fault as people write it, in a scenario or to the control API: which requests it meets, when, and what it does to the answer.
// Knows nothing of how a fault is carried out.
import { operationIds } from '../../operations/catalog.js';
import { either, formOf, instant, type JsonSchema } from '../../operations/schema.js';
import type { Effect, Fault } from './fault.js';

const HOUR = 3_600_000;
const count = (description: string, minimum = 1, maximum = 1_000_000_000): JsonSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});
const flag = (description: string): JsonSchema => ({ enum: [true], description });

/** Which of the requests a chance takes. */
export const seed: JsonSchema = count('Which ones.', 0, 4_294_967_295);

const whenSchema: JsonSchema = {
  title: 'Which of the requests it meets; left out, all',
  description: 'One of nth, every, first and chance, the last with or without a seed',
  anyOf: [
    formOf<{ nth: number }>({ nth: count('The nth.') }, ['nth']),
    formOf<{ every: number }>({ every: count('Every nth.') }, ['every']),
    formOf<{ first: number }>({ first: count('The first n.') }, ['first']),
    formOf<{ chance: number; seed?: number }>(
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
  ...formOf<Effect>({
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
    dribble: formOf<NonNullable<Effect['dribble']>>(
      {
        bytes: count('How many bytes at a time.'),
        every: count('How many milliseconds apart.', 1, HOUR),
      },
      ['bytes', 'every'],
    ),
    partial: formOf<NonNullable<Effect['partial']>>(
      { succeed: count('Of all that was asked, so much is done, and the rest is reported.', 0) },
      ['succeed'],
    ),
  }),
  minProperties: 1,
};

export const faultSchema = {
  title: 'Fault',
  description: 'an operation or a path',
  ...formOf<Fault>(
    {
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
    ['effect'],
  ),
  anyOf: [{ required: ['operation'] }, { required: ['path'] }],
};
