// What faults and stubs share: which requests they match and when they fire, and the parts of a response.
import * as Type from '@sinclair/typebox';
import { exact, instant } from '../../domain/json/shape.js';
import { requestMatchSchema } from '../patterns/matcher.js';

/** @internal */
export const HOUR = 3_600_000;

/** @internal */
export const count = (description: string, minimum = 1, maximum = 1_000_000_000) =>
  Type.Integer({ minimum, maximum, description });

/** @internal */
export const seed = count('Seed of the random choice.', 0, 4_294_967_295);

const when = Type.Union(
  [
    exact({ nth: count('Only the nth matching request.') }),
    exact({ every: count('Every nth matching request.') }),
    exact({ first: count('Only the first n matching requests.') }),
    exact({
      chance: Type.Number({ minimum: 0, maximum: 1, description: 'The share of the matching requests, from 0 to 1.' }),
      seed: Type.Optional(seed),
    }),
  ],
  {
    title: 'Which of the matching requests it applies to (default: all)',
    description: 'One of nth, every, first or chance; chance may have a seed',
  },
);

/** @internal */
export const requestPath = Type.String({
  pattern: '^/',
  description: 'A path that begins with a slash; `*` matches one segment',
});

/** @internal */
export const trigger = {
  method: Type.Optional(
    Type.String({
      pattern: '^[A-Z]{1,30}$',
      description: 'A method in capitals, such as GET; GET includes HEAD. Default: all methods',
    }),
  ),
  caller: Type.Optional(
    Type.String({
      description: 'Only requests from this user, or from `anonymous`. Default: anyone.',
      'x-collection': 'users',
    }),
  ),
  match: Type.Optional(requestMatchSchema),
  when: Type.Optional(when),
  times: Type.Optional(count('Maximum number of requests that it applies to.')),
  until: Type.Optional(
    Type.Unsafe<string>({
      ...instant,
      description: "An end time on the sandbox's clock, such as 2026-01-05T10:00:00Z",
    }),
  ),
};

/** @internal */
export const delay = Type.Unsafe<number | [number, number]>({
  title: 'Time to wait before the response',
  description: 'A number of milliseconds, such as 500, or a range such as [100, 500]',
  anyOf: [
    count('Milliseconds.', 0, HOUR),
    { type: 'array', items: count('Milliseconds.', 0, HOUR), minItems: 2, maxItems: 2 },
  ],
});

/** @internal */
export const body = Type.Unknown({
  description: 'The body of the response. Text is sent unchanged, anything else as JSON.',
});
