// The pattern of expected requests: its format, and the errors in one.
import * as Type from '@sinclair/typebox';
import { pointerOf } from '../../domain/json/json-pointer.js';
import { exact, type Shape, table } from '../../domain/json/shape.js';
import { nearest } from '../../engine/nearest.js';
import { Budget } from '../../engine/patterns/budget.js';
import { contrast, schemaErrors } from '../../engine/request/validate.js';
import { operationIds } from '../../operations/catalog/catalog.js';
import { matcherCounts, matcherErrors, patternErrors } from '../checks/expectations.js';
import { located, type ValidationError } from '../yaml/problem.js';

const fields = {
  operation: Type.Optional(Type.String({ description: 'The id of an operation, such as ppf.push.' })),
  method: Type.Optional(Type.String({ description: 'The method, such as POST.' })),
  path: Type.Optional(
    Type.String({
      pattern: '^/[^?#]*$',
      description: 'A path that begins with a slash, without the query; `*` matches one segment',
    }),
  ),
  query: Type.Optional(table(Type.Unknown(), 'Query parameters; the request can have others.')),
  caller: Type.Optional(Type.String({ description: 'A user name, or anonymous.' })),
  status: Type.Optional(
    Type.Unsafe<number | string>({
      type: ['integer', 'string'],
      minimum: 100,
      maximum: 599,
      pattern: '^[1-5]XX$',
      description: 'A status, or a class such as 4XX',
    }),
  ),
  body: Type.Optional(Type.Unknown({ description: 'The request body: a value or matchers.' })),
};
/** @internal */
export const patternSchema = exact(fields);

/** A request, as far as it is described: absent members may be anything. */
export type RequestDescription = Shape<typeof patternSchema>;

const count = Type.Optional(Type.Integer({ minimum: 0 }));
/** @internal */
export const timesSchema = exact({ exactly: count, atLeast: count, atMost: count });

/** Either `exactly`, or one or both of the others. */
export type Times = Shape<typeof timesSchema>;

const times = Type.Optional(
  Type.Unsafe<Times | number>({
    ...timesSchema,
    type: ['object', 'integer'],
    minimum: 0,
    description: 'A number, or an object such as { "atLeast": 1, "atMost": 3 }. Default: at least one.',
  }),
);
/** @internal */
export const countedSchema = exact({ ...fields, times });
export type CountedRequest = Shape<typeof countedSchema>;

const inOrder = Type.Array(patternSchema, {
  minItems: 1,
  maxItems: 100,
  description: 'Requests in this order, possibly with others between them. Cannot be combined with other fields.',
});

/** @internal */
export const requestPatternSchema = exact({ ...fields, times, inOrder: Type.Optional(inOrder) });
export type RequestPattern = CountedRequest | { readonly inOrder: readonly RequestDescription[] };

/** The names that a pattern can use as the caller. */
export interface Callers {
  has(name: string): boolean;
  names(): Iterable<string>;
}

/** The patterns are compiled and kept for the whole query. */
const MAX_PATTERNS = 50;
const MAX_MATCHERS = 1000;

/** All errors in a pattern. `callers`: the known callers. Throws `BudgetExceeded` if its regular expressions are too expensive. */
export function requestPatternProblems(given: unknown, callers: Callers): ValidationError[] {
  return new Budget().piece(() => errorsOf(given, callers));
}

function errorsOf(given: unknown, callers: Callers): ValidationError[] {
  const wrong = schemaErrors(requestPatternSchema, given);
  if (wrong.length > 0)
    return wrong.map(({ pointer, problem, found, property, allowed }) => ({
      pointer,
      message:
        property === undefined ? `${problem}${contrast(problem, found)}` : `${problem}${nearest(property, allowed)}`,
    }));
  const { matchers, patterns } = matcherCounts(given);
  if (patterns > MAX_PATTERNS)
    return [{ pointer: '', message: `has ${patterns} $match patterns, but at most ${MAX_PATTERNS} are allowed` }];
  if (matchers > MAX_MATCHERS)
    return [{ pointer: '', message: `has ${matchers} matchers, but at most ${MAX_MATCHERS} are allowed` }];
  const pattern = given as RequestPattern; // its schema has been checked
  if ('inOrder' in pattern && pattern.inOrder !== undefined) {
    const others = Object.keys(pattern).filter(key => key !== 'inOrder');
    const alone = others.map(key => ({ pointer: `/${key}`, message: 'cannot be combined with inOrder' }));
    return [...alone, ...pattern.inOrder.flatMap((one, i) => requestErrors(one, ['inOrder', i], callers))];
  }
  return [...timesErrors(pattern as CountedRequest), ...requestErrors(pattern as CountedRequest, [], callers)]; // no order
}

function timesErrors({ times }: CountedRequest): ValidationError[] {
  if (times === undefined || typeof times === 'number') return [];
  const { exactly, atLeast, atMost } = times;
  const error = (message: string) => [{ pointer: '/times', message }];
  if (exactly !== undefined && (atLeast !== undefined || atMost !== undefined))
    return error('must have either "exactly", or one or both of "atLeast" and "atMost"');
  if (exactly === undefined && atLeast === undefined && atMost === undefined)
    return error('is empty: add "exactly", "atLeast" or "atMost"');
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost)
    return error(`is impossible: atLeast ${atLeast} is more than atMost ${atMost}`);
  return [];
}

function requestErrors(
  { operation, caller, body, query }: RequestDescription,
  at: readonly (string | number)[],
  callers: Callers,
): ValidationError[] {
  const unknown = (kind: string, name: string, names: Iterable<string>) => [
    {
      pointer: pointerOf([...at, kind]),
      message: `Unknown ${kind} ${JSON.stringify(name)}${nearest(name, names)}.`,
    },
  ];
  const matched = [...matcherErrors({ body, query }, at), ...patternErrors({ body, query }, at)];
  return [
    ...(operation === undefined || operationIds.includes(operation)
      ? []
      : unknown('operation', operation, operationIds)),
    ...(caller === undefined || callers.has(caller) ? [] : unknown('caller', caller, callers.names())),
    ...matched.map(located),
  ];
}
