// A fault: the requests it matches, when it fires, and its effect on the answer. Plain data.
import * as Type from '@sinclair/typebox';
import { either, exact, instant, oneOf, type Shape, table, typed } from '../../domain/json/shape.js';
import { type AnyOperationId, operationIds } from '../../operations/catalog/catalog.js';

const HOUR = 3_600_000;
const count = (description: string, minimum = 1, maximum = 1_000_000_000) =>
  Type.Integer({ minimum, maximum, description });
const flag = (description: string) => Type.Optional(oneOf([true], { description }));

/** @internal */
export const seed = count('Which ones.', 0, 4_294_967_295);

const when = Type.Union(
  [
    exact({ nth: count('The nth.') }),
    exact({ every: count('Every nth.') }),
    exact({ first: count('The first n.') }),
    exact({
      chance: Type.Number({ minimum: 0, maximum: 1, description: 'The share of requests.' }),
      seed: Type.Optional(seed),
    }),
  ],
  {
    title: 'Which of the matching requests it meets. Default: all',
    description: 'One of nth, every, first and chance; chance may have a seed',
  },
);

/** @internal */
export const holdName = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'The name of a hold: 1 to 64 of `A-Z a-z 0-9 . _ -`.',
});

/** @internal */
export const effectSchema = exact(
  {
    delay: Type.Optional(
      Type.Unsafe<number | [number, number]>({
        title: 'Milliseconds before anything is sent, or a range from–to. The request is applied on arrival',
        ...either(
          { type: 'array', items: {} },
          { type: 'array', items: count('Milliseconds.', 0, HOUR), minItems: 2, maxItems: 2 },
          count('Milliseconds.', 0, HOUR),
        ),
      }),
    ),
    hold: Type.Optional(
      Type.String({
        pattern: holdName.pattern ?? '',
        description:
          'Send nothing until the hold of this name is released, or the sandbox is reset or dropped. The request is applied on arrival.',
      }),
    ),
    rateLimit: Type.Optional(
      exact(
        {
          limit: count('Requests of each caller in a window.'),
          window: count('Seconds, by the clock of the sandbox, from the first request.', 1, 31_536_000),
        },
        {
          description:
            'Refuse further requests of a caller with 429 and Retry-After, unless a status is given. All responses have the X-RateLimit headers of Jira.',
        },
      ),
    ),
    status: Type.Optional(count('The status of the answer.', 200, 599)),
    headers: Type.Optional(
      table(Type.String(), 'Headers of the answer: they replace its own of these names; others stay.'),
    ),
    body: Type.Optional(
      Type.Unknown({ description: 'The body of the answer: text is sent unchanged, anything else as JSON.' }),
    ),
    retryAfter: Type.Optional(count('Seconds for the header Retry-After; 503 if no status is given.', 0)),
    hangUp: flag('End the connection without an answer.'),
    truncateAt: Type.Optional(count('End the connection after this many bytes of the body.', 0)),
    garble: flag('Send half of the body, followed by invalid JSON.'),
    dribble: Type.Optional(
      exact(
        { bytes: count('Bytes sent at a time.'), every: count('Milliseconds between them.', 1, HOUR) },
        { description: 'Send the body in pieces.' },
      ),
    ),
    partial: Type.Optional(
      exact(
        { succeed: count('Apply only this many items, the first ones, and report the rest as failed.', 0) },
        { description: 'Apply only the first items of a push or pull, filters before dashboards.' },
      ),
    ),
  },
  { title: 'Effect on the answer', minProperties: 1 },
);

/** @internal */
export const faultSchema = exact(
  {
    operation: Type.Optional(
      typed<AnyOperationId>('AnyOperationId', { enum: operationIds, title: 'The operation it applies to' }),
    ),
    path: Type.Optional(
      Type.String({
        pattern: '^/',
        description: 'A path with its leading slash; `*` stands for one segment',
      }),
    ),
    caller: Type.Optional(
      Type.String({ description: 'The user whose requests it applies to, or `anonymous`. Default: anyone.' }),
    ),
    when: Type.Optional(when),
    times: Type.Optional(count('Maximum number of times it fires.')),
    until: Type.Optional(Type.Unsafe<string>({ ...instant, title: 'End instant, by the clock of the sandbox' })),
    phase: Type.Optional(
      oneOf(['before', 'after'], {
        description:
          'after: the request is applied and only its answer is replaced. Default: before, nothing is applied.',
      }),
    ),
    effect: effectSchema,
  },
  {
    title: 'Fault',
    description: 'an operation or a path',
    anyOf: [{ required: ['operation'] }, { required: ['path'] }],
  },
);

/** The effect on the answer. Contradictions are refused when the fault is armed. */
export type Effect = Shape<typeof effectSchema>;
export type FaultMembers = Shape<typeof faultSchema>;

/** Matches requests to an operation, at a path, or both. */
export type Fault = FaultMembers & ({ readonly operation: AnyOperationId } | { readonly path: string });

/** What a caller has used of a window. */
export interface Allowance {
  readonly caller: string;
  /** Begin of the window. */
  readonly since: string;
  readonly used: number;
}

/** An armed fault with its counts. */
export interface Armed {
  readonly fault: Fault;
  /** Number of matching requests. */
  readonly met: number;
  /** Number of answers that it replaced. */
  readonly fired: number;
  /** For a rate limit: what each caller has used. */
  readonly callers?: readonly Allowance[];
}

export function arm(faults: readonly Fault[]): Armed[] {
  return faults.map(fault => ({ fault, met: 0, fired: 0 }));
}

/** Maximum number of armed faults of a sandbox: every request is compared with each of them. */
export const MAX_FAULTS = 1000;

/** Why there are too many faults; otherwise `undefined`. */
export function tooManyFaults({ length }: readonly Armed[]): string | undefined {
  return length <= MAX_FAULTS
    ? undefined
    : `A sandbox takes at most ${MAX_FAULTS} armed faults, and these would be ${length}.`;
}

/** A fault as armed, with its counts. */
export type ArmedFault = Fault & Pick<Armed, 'met' | 'fired'>;

export function shownFault({ fault, met, fired }: Armed): ArmedFault {
  return { ...fault, met, fired };
}

/** Its number among the armed faults, from 1, and its effect: `2 status retryAfter`. For journal and header. */
export function faultName(index: number, { effect }: Fault): string {
  return [String(index + 1), ...Object.keys(effect)].join(' ');
}
