// The format of a fault in scenarios and in the control API: the requests it meets, when it fires, and what it does to the answer.
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

/** Random seed for `chance`. */
export const seed: JsonSchema = count('Which ones.', 0, 4_294_967_295);

const whenSchema: JsonSchema = {
  title: 'Which of the matching requests it meets. Default: all',
  description: 'One of nth, every, first and chance; chance may have a seed',
  anyOf: [
    formOf<{ nth: number }>({ nth: count('The nth.') }, ['nth']),
    formOf<{ every: number }>({ every: count('Every nth.') }, ['every']),
    formOf<{ first: number }>({ first: count('The first n.') }, ['first']),
    formOf<{ chance: number; seed?: number }>(
      {
        chance: { type: 'number', minimum: 0, maximum: 1, description: 'The share of requests.' },
        seed,
      },
      ['chance'],
    ),
  ],
};

const effectSchema: JsonSchema = {
  title: 'Effect on the answer',
  ...formOf<Effect>({
    delay: {
      title: 'Milliseconds, or a range from–to',
      ...either(
        { type: 'array', items: {} },
        { type: 'array', items: count('Milliseconds.', 0, HOUR), minItems: 2, maxItems: 2 },
        count('Milliseconds.', 0, HOUR),
      ),
    },
    status: count('The status of the answer.', 200, 599),
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Headers of the answer.' },
    body: { description: 'The body of the answer: text is sent unchanged, anything else as JSON.' },
    retryAfter: count('Seconds for the header Retry-After.', 0),
    hangUp: flag('End the connection without an answer.'),
    truncateAt: count('End the connection after this many bytes of the body.', 0),
    garble: flag('Send a body that is not JSON.'),
    dribble: formOf<NonNullable<Effect['dribble']>>(
      {
        bytes: count('Bytes sent at a time.'),
        every: count('Milliseconds between them.', 1, HOUR),
      },
      ['bytes', 'every'],
    ),
    partial: formOf<NonNullable<Effect['partial']>>(
      { succeed: count('Apply only this many items, the first ones, and report the rest as failed.', 0) },
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
      operation: { enum: operationIds, title: 'The operation it applies to' },
      path: { type: 'string', pattern: '^/', description: 'A path with its leading slash; `*` stands for one segment' },
      caller: {
        type: 'string',
        description: 'The user whose requests it applies to, or `anonymous`. Default: anyone.',
      },
      when: whenSchema,
      times: count('Maximum number of times it fires.'),
      until: { ...instant, title: 'End instant, by the clock of the sandbox' },
      phase: {
        enum: ['before', 'after'],
        description:
          'after: the request is applied and only its answer is replaced. Default: before, nothing is applied.',
      },
      effect: effectSchema,
    },
    ['effect'],
  ),
  anyOf: [{ required: ['operation'] }, { required: ['path'] }],
};
