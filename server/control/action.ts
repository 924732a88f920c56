// The shape of an action of the control API. The route, the OpenAPI document, the library methods in process and over HTTP, and the commands for a
// running fake are derived from it.
import { nearest } from '../engine/nearest.js';
import { type HistoryError, isHistoryError } from '../engine/sandbox/history-error.js';
import type { Sandbox } from '../engine/sandbox/sandbox.js';
import type { Session } from '../engine/sandbox/session.js';
import type { JsonSchema, Schema } from '../operations/schema.js';
import type { ValidationError } from '../scenario/yaml/problem.js';
import type { ControlContext } from './control-context.js';

/** The input of an action, checked against its schemas. */
export interface Call<Body = unknown> {
  /** Base URL of the fake: scheme, host and port, without a trailing slash. */
  readonly root: string;
  /** Name of the sandbox. */
  readonly sandbox: string;
  /** Other path parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The query parameters in their order, repeated ones included. */
  readonly pairs: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: Body;
}

/** Why an action was refused, as a problem (RFC 9457). */
export class ActionProblem {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    /** The single errors. */
    readonly problems?: readonly ValidationError[],
    /** Further members of the problem. */
    readonly more?: Readonly<Record<string, unknown>>,
    /** Retry-After in seconds. */
    readonly retryAfter?: number,
  ) {}
}

export interface Reply {
  readonly description: string;
  readonly schema?: JsonSchema;
  /** Default: `application/json`. */
  readonly contentType?: string;
}

export interface Action<Output = unknown, Body = unknown> {
  /** Family and verb, such as `clock.set`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/_fake/v1`; `{s}` is the name of a sandbox. */
  readonly path: string;
  readonly summary: string;
  /** Optional query parameters. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Whether query parameters of any name are allowed. */
  readonly anyQuery?: true;
  /** Whether it acts on the sandbox that the request names like an operation; it is then available below `/~name` as well. */
  readonly inSandbox?: true;
  /** Whether to log refusals, because the caller does not show them. */
  readonly isUnwatched?: true;
  /** Absent: it takes no body. */
  readonly body?: Schema<Body>;
  /** Whether an absent body counts as `{}`. */
  readonly bodyOptional?: true;
  /** By status; the first is the success. */
  readonly replies: Readonly<Record<number, Reply>>;
  run(call: Call<Body>, context: ControlContext): Promise<Output | ActionProblem>;
}

/** An action on one sandbox; `run` gets the sandbox itself. `gone`: it was dropped meanwhile, so the action runs on the next of its name. */
export interface SandboxAction<Output, Body> extends Omit<Action<Output, Body>, 'run'> {
  /** Whether to refuse if the sandbox does not exist. Otherwise it is created, as by an operation. */
  readonly createsNone?: true;
  run(sandbox: Sandbox, call: Call<Body>, context: ControlContext): Promise<Output | ActionProblem | 'gone'>;
}

/** How often a sandbox may be dropped in a row during an action. */
const MOST_TRIES = 100;

export function onSandbox<Output, Body>(action: SandboxAction<Output, Body>): Action<Output, Body> {
  return {
    ...action,
    run: async (call, context) => {
      const { session } = context;
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const sandbox = await (action.createsNone ? session.latest(call.sandbox) : session.open(call.sandbox));
        if (sandbox === undefined) return noSandbox(call.sandbox, session);
        const outcome = await action.run(sandbox, call, context);
        if (outcome !== 'gone') return outcome;
      }
      throw new Error(`sandbox ${call.sandbox} was dropped ${MOST_TRIES} times during one action`);
    },
  };
}

export function noSandbox(name: string, session: Session): ActionProblem {
  const near = nearest(
    name,
    session.list().map(sandbox => sandbox.name),
  );
  return new ActionProblem(404, 'No such sandbox', `There is no sandbox ${JSON.stringify(name.slice(0, 80))}${near}.`);
}

/** A problem with a list of errors; the detail has a line for each. */
export function withProblems(
  status: number,
  title: string,
  problems: readonly ValidationError[],
  more?: Readonly<Record<string, unknown>>,
): ActionProblem {
  return new ActionProblem(status, title, problems.map(lineOf).join('\n'), problems, more);
}

export function lineOf({ pointer = '', message }: ValidationError): string {
  return message.startsWith(pointer) ? message : `${pointer} ${message}`;
}

const history: Readonly<Record<HistoryError['code'], readonly [status: number, title: string]>> = {
  taken: [409, 'The name is in use'],
  full: [409, 'Too many'],
  unknown: [404, 'Not found'],
  'let-go': [410, 'Discarded'],
};

/** The result, or its history error as a problem. */
export function orHistoryProblem<T extends object>(outcome: T | HistoryError): T | ActionProblem {
  return isHistoryError(outcome) ? new ActionProblem(...history[outcome.code], outcome.message) : outcome;
}
