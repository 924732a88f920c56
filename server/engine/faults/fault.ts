// A fault: the requests it matches, when it fires, and its effect on the response. Plain data.
import * as Type from '@sinclair/typebox';
import { exact, oneOf, type Shape, table, typed } from '../../domain/json/shape.js';
import { type AnyOperationId, operationIds } from '../../operations/catalog/catalog.js';
import { body, count, delay, HOUR, requestPath, trigger } from './trigger.js';

/** @internal */
export const holdName = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'The name of a hold: 1 to 64 characters of `A-Z a-z 0-9 . _ -`.',
});

type Trait = 'responds' | 'replaces' | 'breaks' | 'of body';

/**
 * One action of a fault. The sample is its example in the schema and the command line, and what the tests of all actions send. Traits say what it
 * contradicts. `responds`: it changes something in a response; `replaces`: status or body are no longer the operation's; `breaks`: the response does not
 * arrive whole; `of body`: it needs a body.
 */
function action<S extends Type.TSchema>(sample: Type.Static<S>, traits: readonly Trait[], schema: S) {
  return { traits, schema: Type.Optional({ ...schema, examples: [sample] }) };
}

const flag = (description: string) => oneOf([true], { description });

/** By name; `inject` and `http/breakage.ts` do what they say. */
const actions = {
  delay: action(1, [], { ...delay, title: `${delay.title}. The request is applied on arrival` }),
  hold: action(
    'spinner',
    [],
    Type.String({
      pattern: holdName.pattern ?? '',
      description:
        'Hold the response until the hold of this name is released, or the sandbox is reset or deleted. The request is applied on arrival.',
    }),
  ),
  rateLimit: action(
    { limit: 10, window: 60 },
    ['responds', 'replaces'],
    exact(
      {
        limit: count('Maximum requests of each caller in a window.'),
        window: count("Seconds from the first request, on the sandbox's clock.", 1, 31_536_000),
      },
      {
        description:
          "After `limit` requests from one caller within `window` seconds, refuse further ones with status 429 (or the given status) and the header Retry-After. All these responses have Jira's X-RateLimit headers.",
      },
    ),
  ),
  status: action(503, ['responds', 'replaces'], count('The status of the response.', 200, 599)),
  headers: action(
    { 'X-Mine': '1' },
    ['responds'],
    table(Type.String(), 'Headers of the response. They replace headers of the same name; others are kept.'),
  ),
  body: action({ a: 1 }, ['responds', 'replaces', 'of body'], body),
  retryAfter: action(
    30,
    ['responds', 'replaces'],
    count('Seconds for the header Retry-After. Without `status`, the response is 503.', 0),
  ),
  hangUp: action(true, ['breaks'], flag('End the connection without a response.')),
  truncateAt: action(
    20,
    ['responds', 'breaks', 'of body'],
    count('End the connection after this many bytes of the body.', 0),
  ),
  garble: action(true, ['responds', 'replaces', 'of body'], flag('Send half of the body, followed by invalid JSON.')),
  dribble: action(
    { bytes: 10, every: 5 },
    ['responds', 'of body'],
    exact(
      { bytes: count('Bytes sent at a time.'), every: count('Milliseconds between them.', 1, HOUR) },
      { description: 'Send the body in pieces.' },
    ),
  ),
  partial: action(
    { succeed: 1 },
    [],
    exact(
      { succeed: count('Number of items to apply, the first ones. The rest are reported as failed.', 0) },
      { description: 'Apply only the first items of a push or pull. Filters come before dashboards.' },
    ),
  ),
};

type Actions = typeof actions;

/** @internal */
export const effectSchema = exact(
  Object.fromEntries(Object.entries(actions).map(([name, { schema }]) => [name, schema])) as {
    [Name in keyof Actions]: Actions[Name]['schema'];
  }, // each under its own name
  { title: 'Effect on the response', minProperties: 1 },
);

/** @internal */
export const faultSchema = exact(
  {
    operation: Type.Optional(
      typed<AnyOperationId>('AnyOperationId', {
        enum: operationIds,
        title: 'The operation that the fault applies to. Without an operation and a path: every operation',
      }),
    ),
    path: Type.Optional(requestPath),
    ...trigger,
    phase: Type.Optional(
      oneOf(['before', 'after'], {
        description:
          'before: the request is not applied if its response is replaced or cut off; after: it is applied anyway. Default: before.',
      }),
    ),
    effect: effectSchema,
  },
  { title: 'Fault', description: 'A change of the responses to certain requests' },
);

/** The effect on the response. Contradictions are refused when the fault is armed. */
export type Effect = Shape<typeof effectSchema>;

/** The parts with one of these traits. */
export function partsThat(...traits: readonly Trait[]): Array<keyof Effect> {
  const parts = Object.keys(actions) as Array<keyof Effect>; // those of the record
  return parts.filter(part => actions[part].traits.some(trait => traits.includes(trait)));
}

/** Matches requests to an operation, at a path, or both; with neither, to every operation. */
export type Fault = Shape<typeof faultSchema>;

/** Its number among the armed faults, from 1, and its effect: `2 status retryAfter`. For journal and header. */
export function faultName(index: number, { effect }: Fault): string {
  return [String(index + 1), ...Object.keys(effect)].join(' ');
}
