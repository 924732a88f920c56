// Checks the input of an action against its schemas and runs it. HTTP, the library and the commands all call this, so errors are the same everywhere.
import { malformedText, pointerOf } from '../domain/json/json-pointer.js';
import { expectedOf, nearest } from '../engine/nearest.js';
import { queryNames } from '../engine/request/query-names.js';
import { storeRefusal } from '../engine/request/store-refusal.js';
import { contrast, schemaErrors } from '../engine/request/validate.js';
import type { StoreError } from '../engine/store.js';
import { sandboxNameError } from '../operations/address.js';
import type { ValidationError } from '../scenario/yaml/problem.js';
import { type Action, type ActionCall, ActionProblem, problemOf, withProblems } from './actions/action.js';
import type { ControlContext } from './actions/control-context.js';
import { type BodyErrors, bodyErrors } from './body-errors.js';

export interface ActionInput {
  readonly root: string;
  readonly sandbox: string;
  readonly mustExist?: boolean;
  readonly isStreamed?: boolean;
  readonly params?: Readonly<Record<string, string>>;
  readonly pairs?: ReadonlyArray<readonly [name: string, value: string]>;
  /** `undefined`: no body. A problem: why it cannot be read. */
  readonly body?: unknown;
  /** Length of the body's text in characters. */
  readonly length?: number;
}

/** The result of an action, or why it was refused. Rejects with a `StoreError`. */
export function invoke<Output, Body>(
  action: Action<Output, Body>,
  given: ActionInput,
  context: ControlContext,
): Promise<Output | ActionProblem> {
  return checkedThenRun(action, given, context).catch(problemOf);
}

async function checkedThenRun<Output, Body>(
  action: Action<Output, Body>,
  given: ActionInput,
  context: ControlContext,
): Promise<Output> {
  const { root, sandbox, mustExist = false, isStreamed = false, params = {}, pairs = [], length } = given;
  requireName(action, sandbox);
  requireWorld(action, context);
  if (given.body instanceof ActionProblem) throw given.body;
  const query = checkedQuery(action, pairs);
  const { errors, fitting } = checkedBody(action, given.body, length);
  if (query instanceof ActionProblem || errors.length > 0) {
    const further = (await action.furtherErrors?.(fitting as Partial<Body>, sandbox, context)) ?? []; // each member fits
    throw inputProblem(query, errors, further);
  }
  const body = fitting as Body; // all of it fits its schema
  return action.run({ root, sandbox, mustExist, isStreamed, params, query, pairs, body }, context);
}

/** The sandboxes of a proxy decide nothing. */
function requireWorld({ id, method }: Pick<Action, 'id' | 'method'>, { health }: ControlContext): void {
  if (method === 'GET' || id.startsWith('journal.')) return;
  const { forwardsTo } = health();
  if (forwardsTo === undefined) return;
  throw new ActionProblem(
    409,
    'Not possible on a proxy',
    `A proxy has no world: it forwards all requests to ${forwardsTo}. Only its journal can be read, checked and cleared.`,
  );
}

export function storeProblem(error: StoreError): ActionProblem {
  const { status, title, message, retryAfter } = storeRefusal(error);
  return new ActionProblem(status, title, message, undefined, undefined, retryAfter);
}

/** Everything that is wrong with an input, as one problem. */
function inputProblem(
  query: ActionProblem | ActionCall['query'],
  inBody: readonly ValidationError[],
  further: readonly ValidationError[],
): ActionProblem {
  const { title, problems = [] } = query instanceof ActionProblem ? query : { title: 'Invalid body' };
  const isBoth = problems.length > 0 && inBody.length + further.length > 0;
  return withProblems(400, isBoth ? 'Invalid request' : title, [...problems, ...inBody, ...further]);
}

function requireName({ path, inSandbox }: Action, name: string): void {
  const error = path.includes('{s}') || inSandbox === true ? sandboxNameError(name) : undefined;
  if (error === undefined) return;
  const detail = `${JSON.stringify(name.slice(0, 80))} is not a valid sandbox name: ${error}.`;
  throw new ActionProblem(400, 'Invalid sandbox name', detail);
}

function checkedQuery(action: Action, pairs: NonNullable<ActionInput['pairs']>): ActionCall['query'] | ActionProblem {
  const { query = {}, anyQuery } = action;
  const names = queryNames(pairs, query);
  const unknown = anyQuery ? [] : names.unknown;
  const problems = [
    ...unknown.map(name => unknownParameter(name, Object.keys(query))),
    ...[...names.sent].flatMap(([name, values]) => parameterErrors(name, values, action)),
  ];
  if (problems.length === 0) return Object.fromEntries(pairs);
  return withProblems(400, unknown.length > 0 ? 'Unknown query parameter' : 'Invalid query', problems);
}

function unknownParameter(name: string, known: readonly string[]): ValidationError {
  const allowed = known.length === 0 ? 'no query parameters are allowed' : expectedOf(known);
  return { message: `Unknown query parameter ${JSON.stringify(name)}${nearest(name, known)}: ${allowed}.` };
}

function parameterErrors(name: string, values: readonly string[], { query = {}, anyQuery }: Action): ValidationError[] {
  const schema = Object.hasOwn(query, name) ? query[name] : undefined;
  if (schema === undefined) return [];
  if (values.length > 1 && !anyQuery)
    return [
      {
        pointer: name,
        message: `The parameter ${JSON.stringify(name)} is given ${values.length} times: give it once.`,
      },
    ];
  return values.flatMap(value => {
    const [wrong] = schemaErrors(schema, schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value);
    if (wrong === undefined) return [];
    const what = `${wrong.problem}${nearest(value, wrong.allowed)}${contrast(wrong.problem, wrong.found)}.`;
    return [{ pointer: name, message: `The parameter ${JSON.stringify(name)} ${what}` }];
  });
}

function checkedBody({ body: spec }: Action, given: unknown, length?: number): BodyErrors {
  const value = given === undefined && (spec === undefined || spec.isOptional) ? {} : given;
  const malformed = malformedText(value);
  if (malformed !== undefined) {
    const message = `${pointerOf(malformed) || 'The body'} must be well-formed Unicode, but has half of a surrogate pair.`;
    return { errors: [{ pointer: pointerOf(malformed), message }], fitting: {} };
  }
  return spec === undefined ? { errors: [], fitting: value } : bodyErrors(spec.schema, value, length);
}
