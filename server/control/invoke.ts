// Checks what an action is given against its schemas, and runs it. Every face of the fake comes through here, so that what is refused over
// HTTP is refused in a program, in the same words.
import { nearest } from '../engine/nearest.js';
import { type Misfit, misfits } from '../engine/request/validate.js';
import { StoreError } from '../engine/store.js';
import { sandboxNameFlaw } from '../operations/address.js';
import { valueAt } from '../scenario/play/captures.js';
import { type Action, ActionProblem, type Call, type ValidationError, withProblems } from './action.js';
import type { ControlContext } from './control-context.js';

/** What is given to an action before it has been checked. */
export interface Given {
  readonly root: string;
  readonly sandbox: string;
  readonly mustExist?: boolean;
  readonly params?: Readonly<Record<string, string>>;
  readonly pairs?: ReadonlyArray<readonly [name: string, value: string]>;
  /** `undefined`: there is none. */
  readonly body?: unknown;
  /** How long the text of the body is, in characters. */
  readonly length?: number;
}

/** What came out of an action, or why it was not done. */
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

/** What is wrong with the name of the sandbox that an action is about, if it is about one. */
export function nameProblem({ path, inSandbox }: Action, name: string): ActionProblem | undefined {
  const flaw = path.includes('{s}') || inSandbox === true ? sandboxNameFlaw(name) : undefined;
  if (flaw === undefined) return undefined;
  return new ActionProblem(400, 'No name of a sandbox', `${JSON.stringify(name.slice(0, 80))} is none: ${flaw}.`);
}

function checkedQuery(action: Action, pairs: NonNullable<Given['pairs']>): Call['query'] | ActionProblem {
  const known = Object.keys(action.query ?? {});
  const names = pairs.map(([name]) => name);
  const unknown = action.anyQuery ? [] : [...new Set(names)].filter(name => !known.includes(name));
  const problems = [...unknown.map(name => unknownParameter(name, known)), ...misfitsIn(action, pairs, names)];
  if (problems.length === 0) return Object.fromEntries(pairs);
  return withProblems(400, unknown.length > 0 ? 'Unknown query parameter' : 'The query does not fit', problems);
}

function unknownParameter(name: string, known: readonly string[]): ValidationError {
  const there = known.length === 0 ? 'are none here' : `are ${known.join(', ')}`;
  return { message: `There is no query parameter ${JSON.stringify(name)}${nearest(name, known)}; there ${there}.` };
}

/** The parameters whose values do not fit, or that come more than once. */
function misfitsIn(
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
      return isFirst ? [{ pointer: name, message: `${name} comes ${times} times in the query: give it once.` }] : [];
    const [wrong] = misfits(schema, schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value);
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
  if (schema === undefined) return { value: value as Body }; // it takes none, and nothing reads it
  const wrong = misfits(schema.json, value, { length });
  return wrong.length === 0
    ? { value: value as Body } // as its schema says
    : withProblems(400, 'The body does not fit', problemsOf(wrong, value));
}

/** Each misfit with what was found there, and the nearest name where one is probably misspelt. */
export function problemsOf(wrong: readonly Misfit[], body: unknown): ValidationError[] {
  return wrong.map(misfit => {
    const { pointer, problem, found, property, allowed } = misfit;
    const named = property ?? valueAt(body, pointer);
    const hint = typeof named === 'string' ? nearest(named, allowed) : '';
    const place = pointer === '' ? 'The body' : pointer;
    return { ...misfit, message: `${place} ${problem}${hint}${property === undefined ? `, and it is ${found}` : ''}.` };
  });
}
