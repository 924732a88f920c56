// The matchers that can stand for a value in an expectation, and the parts of a request that faults and stubs compare. Plain data.
import * as Type from '@sinclair/typebox';
import { either, exact, type Shape, table, typed } from '../../domain/json/shape.js';
import type { JsonSchema } from '../../operations/schema.js';

/** The four matchers that can replace a value in an expectation, each a mapping with one key. */
export const matcherNames = ['$any', '$match', '$contains', '$absent'] as const;

export const matcherSchema: JsonSchema = {
  title: 'Matcher',
  description: 'Matches values.',
  type: 'object',
  properties: {
    $any: {
      enum: ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null', 'value'],
      description: 'Any value of this type; `value` matches any value at all.',
    },
    $match: { type: 'string', description: 'A text that contains a match of this regular expression.' },
    $contains: {
      type: ['array', 'object', 'string'],
      items: {},
      description:
        'A list with at least these elements, an object with at least these fields, or a text that contains this text.',
    },
    $absent: { enum: [true], description: 'There must be no value here.' },
  },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
};

const compared = typed<unknown>('unknown', either({ type: 'object' }, matcherSchema, { type: 'string' }));

/** @internal */
export const requestMatchSchema = exact(
  {
    query: Type.Optional(table(compared, 'Query parameters: texts or matchers. The request can have others.')),
    headers: Type.Optional(
      table(compared, 'Headers by name, in any letter case: texts or matchers. The request can have others.'),
    ),
    body: Type.Optional(
      Type.Unknown({
        description: 'The body: a value or matchers. For a part of an object, write `{ "$contains": { … } }`.',
      }),
    ),
  },
  { title: 'What else the request must have', minProperties: 1 },
);

/** Compared like the expectations of a step. */
export type RequestMatch = Shape<typeof requestMatchSchema>;
