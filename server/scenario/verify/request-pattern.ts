// What somebody wants to have been asked of a sandbox: the shape of it, and what is wrong with one. Reads no journal.
import { nearest } from '../../engine/nearest.js';
import { misfits } from '../../engine/request/validate.js';
import { operations } from '../../operations/catalog.js';
import type { JsonSchema } from '../../operations/schema.js';
import { matcherCounts, matcherFlaws, patternFlaws } from '../checks/expectations.js';
import { Budget } from '../format/budget.js';
import { pointerOf } from '../yaml/problem.js';

/** A request, as far as it is described: what is left out may be anything. */
export interface RequestDescription {
  readonly operation?: string;
  readonly method?: string;
  /** As it was sent, or without its sandbox; `*` stands for one segment. */
  readonly path?: string;
  /** Parameters of the query: values, or matchers in their place. There may be others. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** A user name, or `anonymous`. */
  readonly caller?: string;
  /** That of the answer, or a class such as `4XX`. */
  readonly status?: number | string;
  /** Matched as the body of a scenario: exactly, matchers by what they match. */
  readonly body?: unknown;
}

/** Either `exactly`, or one or both of the others. */
export interface Times {
  readonly exactly?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface CountedRequest extends RequestDescription {
  /** Left out: at least once. */
  readonly times?: Times;
}

export interface OrderedRequests {
  /** One after the other; others may have been asked in between. */
  readonly inOrder: readonly RequestDescription[];
}

export type RequestPattern = CountedRequest | OrderedRequests;

/** Whom a wish can name as the caller. */
export interface Callers {
  has(name: string): boolean;
  names(): Iterable<string>;
}

/** Something that makes a wish impossible. */
export interface PatternProblem {
  /** JSON pointer into the wish. */
  readonly pointer: string;
  readonly message: string;
}

const count: JsonSchema = { type: 'integer', minimum: 0 };
const fields: Readonly<Record<string, JsonSchema>> = {
  operation: { type: 'string', description: 'The id of an operation, such as ppf.push.' },
  method: { type: 'string', description: 'Such as POST.' },
  path: {
    type: 'string',
    pattern: '^/[^?#]*$',
    description: 'A path from its slash on, without the query; * stands for one segment',
  },
  query: { type: 'object', description: 'Parameters of the query; there may be others.' },
  caller: { type: 'string', description: 'A user name, or anonymous.' },
  status: {
    type: ['integer', 'string'],
    minimum: 100,
    maximum: 599,
    pattern: '^[1-5]XX$',
    description: 'a status of an answer, or a class such as 4XX',
  },
  body: { description: 'The body that was sent: a value, or matchers in its place.' },
};
const request: JsonSchema = { type: 'object', properties: fields, additionalProperties: false };

export const requestPatternSchema: JsonSchema = {
  type: 'object',
  properties: {
    ...fields,
    times: {
      type: 'object',
      properties: { exactly: count, atLeast: count, atMost: count },
      additionalProperties: false,
      description: 'exactly, or atLeast and atMost; left out, at least once.',
    },
    inOrder: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: request,
      description: 'Requests that were asked one after the other, with others in between or without; it stands alone.',
    },
  },
  additionalProperties: false,
};

/** As many as are kept as programs. */
const MOST_PATTERNS = 50;
const MOST_MATCHERS = 1000;

/** Everything that is wrong with what may be a wish. `callers`: those that there are. Throws `BudgetExceeded` where its patterns take too much work. */
export function requestPatternProblems(given: unknown, callers: Callers): PatternProblem[] {
  return new Budget().piece(() => flawsOf(given, callers));
}

function flawsOf(given: unknown, callers: Callers): PatternProblem[] {
  const wrong = misfits(requestPatternSchema, given);
  if (wrong.length > 0)
    return wrong.map(({ pointer, problem, found, property, allowed }) => ({
      pointer,
      message: property === undefined ? `${problem}, and it is ${found}` : `${problem}${nearest(property, allowed)}`,
    }));
  const { matchers, patterns } = matcherCounts(given);
  if (patterns > MOST_PATTERNS)
    return [
      { pointer: '', message: `has ${patterns} patterns of $match, and at most ${MOST_PATTERNS} are tried at once` },
    ];
  if (matchers > MOST_MATCHERS)
    return [{ pointer: '', message: `has ${matchers} matchers, and at most ${MOST_MATCHERS} are tried at once` }];
  const wish = given as RequestPattern; // as its schema says
  if ('inOrder' in wish && wish.inOrder !== undefined) {
    const others = Object.keys(wish).filter(key => key !== 'inOrder');
    const alone = others.map(key => ({ pointer: `/${key}`, message: 'does not go with inOrder, which stands alone' }));
    return [...alone, ...wish.inOrder.flatMap((one, i) => requestFlaws(one, ['inOrder', i], callers))];
  }
  return [...timesFlaws(wish as CountedRequest), ...requestFlaws(wish as CountedRequest, [], callers)]; // it has no order
}

function timesFlaws({ times }: CountedRequest): PatternProblem[] {
  if (times === undefined) return [];
  const { exactly, atLeast, atMost } = times;
  const flaw = (message: string) => [{ pointer: '/times', message }];
  if (exactly !== undefined && (atLeast !== undefined || atMost !== undefined))
    return flaw('takes exactly alone, or atLeast and atMost');
  if (exactly === undefined && atLeast === undefined && atMost === undefined)
    return flaw('is empty: it takes exactly, or atLeast and atMost');
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost)
    return flaw(`cannot be: at least ${atLeast} is more than at most ${atMost}`);
  return [];
}

function requestFlaws(
  { operation, caller, body, query }: RequestDescription,
  at: readonly (string | number)[],
  callers: Callers,
): PatternProblem[] {
  const ids = operations.map(({ id }) => id);
  const unknown = (kind: string, name: string, names: Iterable<string>) => [
    {
      pointer: pointerOf([...at, kind]),
      message: `There is no ${kind} ${JSON.stringify(name)}${nearest(name, names)}.`,
    },
  ];
  const matched = [
    ...matcherFlaws(body, [...at, 'body']),
    ...patternFlaws(body, [...at, 'body']),
    ...matcherFlaws(query, [...at, 'query']),
    ...patternFlaws(query, [...at, 'query']),
  ];
  return [
    ...(operation === undefined || ids.includes(operation) ? [] : unknown('operation', operation, ids)),
    ...(caller === undefined || callers.has(caller) ? [] : unknown('caller', caller, callers.names())),
    ...matched.map(({ path, message }) => ({ pointer: pointerOf(path), message })),
  ];
}
