// Checks the input of an action against its schemas and runs it. HTTP, the library and the commands all call this, so errors are the same everywhere.
import { nearest } from '../engine/nearest.js';
import { type SchemaError, schemaErrors } from '../engine/request/validate.js';
import { StoreError } from '../engine/store.js';
import { sandboxNameError } from '../operations/address.js';
import { valueAt } from '../scenario/play/captures.js';
import type { ValidationError } from '../scenario/yaml/problem.js';
import { type Action, ActionProblem, type Call, withProblems } from './action.js';
import type { ControlContext } from './control-context.js';

/** The unchecked input of an action. */
export interface Given {
  readonly root: string;
  readonly sandbox: string;
  readonly mustExist?: boolean;
  readonly params?: Readonly<Record<string, string>>;
  readonly pairs?: ReadonlyArray<readonly [name: string, value: string]>;
  /** `undefined`: no body. */
  readonly body?: unknown;
  /** Length of the body's text in characters. */
  readonly length?: number;
}

/** The result of an action, or why it was refused. */
export async function invoke<Output, Body>(
  action: Action<Output, Body>,
  given: Given,
  context: ControlContext,
): Promise<Output | ActionProblem> {
  const call = checkedCall(action, given);
  if (call instanceof ActionProblem) return call;
  try {
    return await action.run(call, context);
  } catch (error) {
    if (error instanceof StoreError) return storeProblem(error);
    throw error;
  }
}

function storeProblem({ message, isOverLimit, retryAfter }: StoreError): ActionProblem {
  const [status, title] = isOverLimit ? [507, 'Insufficient Storage'] : [503, 'Service Unavailable'];
  return new ActionProblem(status, title, `${message}.`, undefined, undefined, retryAfter);
}

function checkedCall<Body>(action: Action<unknown, Body>, given: Given): Call<Body> | ActionProblem {
  const { root, sandbox, mustExist = false, params = {}, pairs = [], length } = given;
  const misnamed = nameProblem(action, sandbox);
  if (misnamed !== undefined) return misnamed;
  const query = checkedQuery(action, pairs);
  if (query instanceof ActionProblem) return query;
  const body = checkedBody(action, given.body, length);
  return body instanceof ActionProblem ? body : { root, sandbox, mustExist, params, query, pairs, body: body.value };
}

/** The error in the name of the sandbox, if any. */
export function nameProblem({ path, inSandbox }: Action, name: string): ActionProblem | undefined {
  const error = path.includes('{s}') || inSandbox === true ? sandboxNameError(name) : undefined;
  if (error === undefined) return undefined;
  return new ActionProblem(
    400,
    'Invalid sandbox name',
    `${JSON.stringify(name.slice(0, 80))} is not a sandbox name: ${error}.`,
  );
}

function checkedQuery(action: Action, pairs: NonNullable<Given['pairs']>): Call['query'] | ActionProblem {
  const known = Object.keys(action.query ?? {});
  const names = pairs.map(([name]) => name);
  const unknown = action.anyQuery ? [] : [...new Set(names)].filter(name => !known.includes(name));
  const problems = [...unknown.map(name => unknownParameter(name, known)), ...schemaErrorsIn(action, pairs, names)];
  if (problems.length === 0) return Object.fromEntries(pairs);
  return withProblems(400, unknown.length > 0 ? 'Unknown query parameter' : 'Invalid query', problems);
}

function unknownParameter(name: string, known: readonly string[]): ValidationError {
  const allowed = known.length === 0 ? 'none is allowed' : `allowed: ${known.join(', ')}`;
  return { message: `There is no query parameter ${JSON.stringify(name)}${nearest(name, known)}; ${allowed}.` };
}

/** Parameters with invalid values, and repeated ones. */
function schemaErrorsIn(
  { query = {}, anyQuery }: Action,
  pairs: NonNullable<Given['pairs']>,
  names: readonly string[],
): ValidationError[] {
  return pairs.flatMap(([name, value], i) => {
    const schema = Object.hasOwn(query, name) ? query[name] : undefined;
    if (schema === undefined) return [];
    const times = names.filter(other => other === name).length;
    const isFirst = names.indexOf(name) === i;
    if (times > 1 && !anyQuery)
      return isFirst ? [{ pointer: name, message: `${name} is given ${times} times: give it once.` }] : [];
    const [wrong] = schemaErrors(schema, schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value);
    if (wrong === undefined) return [];
    const what = `${wrong.problem}${nearest(value, wrong.allowed)}, and it is ${wrong.found}.`;
    return [{ pointer: name, message: `${name} ${what}` }];
  });
}

function checkedBody<Body>(
  { body: schema, bodyOptional }: Action<unknown, Body>,
  given: unknown,
  length = 0,
): { readonly value: Body } | ActionProblem {
  const value = given === undefined && (bodyOptional || schema === undefined) ? {} : given;
  if (schema === undefined) return { value: value as Body }; // it takes no body
  const wrong = schemaErrors(schema.json, value, { length });
  return wrong.length === 0
    ? { value: value as Body } // its schema has been checked
    : withProblems(400, 'Invalid body', problemsOf(wrong, value));
}

/** Each error with the value found, and the nearest name for a probable typo. */
export function problemsOf(wrong: readonly SchemaError[], body: unknown): ValidationError[] {
  return wrong.map(schemaError => {
    const { pointer, problem, found, property, allowed } = schemaError;
    const named = property ?? valueAt(body, pointer);
    const hint = typeof named === 'string' ? nearest(named, allowed) : '';
    const place = pointer === '' ? 'The body' : pointer;
    return {
      ...schemaError,
      message: `${place} ${problem}${hint}${property === undefined ? `, and it is ${found}` : ''}.`,
    };
  });
}
