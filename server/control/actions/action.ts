// The shape of an action: one thing that the fake itself can be told. The route, the OpenAPI document, the methods of the library in this
// process and over HTTP, and the commands for a running fake follow from it.
import { nearest } from '../../engine/nearest.js';
import { BudgetExceeded } from '../../engine/patterns/budget.js';
import { HistoryError } from '../../engine/sandbox/history.js';
import type { Committed, CurrentSandbox, SandboxDecision } from '../../engine/sandbox/sandbox-decision.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/state.js';
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import type { Session } from '../../engine/session/session.js';
import type { Endpoint, EndpointBody } from '../../operations/endpoint.js';
import type { ValidationError } from '../../scenario/yaml/problem.js';
import type { ControlContext } from './control-context.js';

/** What an action is given: checked against its schemas, however it came. */
export interface ActionCall<Body = unknown> {
  /** Where the fake is reached: scheme, host and port, without a slash at the end. */
  readonly root: string;
  readonly sandbox: string;
  /** Whether that sandbox is not created if it does not exist. */
  readonly mustExist?: boolean;
  /** Whether the result is only written as JSON: it may be `JsonParts`. */
  readonly isStreamed?: boolean;
  /** What else the path names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The query as it came: names in their order, also more than once. */
  readonly pairs: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: Body;
}

/** The JSON text of a large result, made while it is read. */
export class JsonParts {
  constructor(readonly parts: Iterable<string>) {}
}

/** The JSON text of a list between two texts, each element made when it is written. */
export function* listText(before: string, elements: Iterable<unknown>, after: string): Generator<string> {
  let separator = before;
  for (const element of elements) {
    yield `${separator}${JSON.stringify(element)}`;
    separator = ',';
  }
  yield separator === before ? before + after : after;
}

/** Why an action was not done, as a problem (RFC 9457). Actions throw it. */
export class ActionProblem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly problems?: readonly ValidationError[],
    /** What else there is to say of it, as further members of the problem. */
    readonly more?: Readonly<Record<string, unknown>>,
    /** Seconds after which it may be worth while to ask again. */
    readonly retryAfter?: number,
  ) {
    super(detail);
  }
}

export interface UncheckedCall {
  /** Absent: it does not exist, or is not in this process yet. */
  readonly sandbox: CachedSandbox | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An endpoint below `/_fake/v1`, `{s}` standing for the name of a sandbox. Its query parameters are all optional. */
export interface Action<Output = unknown, Body = unknown> extends Endpoint {
  /** Whether it takes query parameters of any other name too. */
  readonly anyQuery?: true;
  /** Whether it acts in the sandbox that a request names as operations do: then it stands below `/~name` as well. */
  readonly inSandbox?: true;
  /** Whether what is refused is written to the log: who asks does not show it. */
  readonly isUnwatched?: true;
  readonly body?: EndpointBody<Body>;
  /**
   * Errors in the members of a body that fit its schema, when others do not: they are reported together. `run` finds them in a body that fits
   * as a whole.
   */
  furtherErrors?(body: Partial<Body>, sandbox: string, context: ControlContext): Promise<readonly ValidationError[]>;
  /** Whether a call concerns more than `MANY` records, so that it waits in the queue of heavy work. Absent: never. */
  isHeavy?(call: UncheckedCall, context: ControlContext): boolean;
  /** Rejects with an `ActionProblem`, or with an error that `problemOf` knows. */
  run(call: ActionCall<Body>, context: ControlContext): Promise<Output>;
}

/** An action on one sandbox; `run` gets the sandbox itself. If it was dropped meanwhile, the action runs on the next of its name. */
export interface SandboxAction<Output, Body> extends Omit<Action<Output, Body>, 'run'> {
  /** Whether it is refused if the sandbox does not exist, instead of creating it as an operation does. Default: if it is a GET. */
  readonly createsNone?: boolean;
  run(sandbox: CachedSandbox, call: ActionCall<Body>, context: ControlContext): Promise<Output>;
}

/** The sandbox of an action was dropped meanwhile. */
class SandboxGone extends Error {}

/** Commits a decision on the sandbox of an action. */
export async function change<T>(
  sandbox: CachedSandbox,
  { session }: ControlContext,
  decide: (present: CurrentSandbox) => SandboxDecision<T>,
): Promise<Committed<T>> {
  const committed = await session.change(sandbox, decide);
  if (committed === 'gone') throw new SandboxGone();
  return committed;
}

/** How often a sandbox may be dropped in a row during an action. */
const MAX_TRIES = 100;

export function onSandbox<Output, Body>(action: SandboxAction<Output, Body>): Action<Output, Body> {
  const { createsNone: readsOnly = action.method === 'GET' } = action;
  return {
    ...action,
    run: async (call, context) => {
      const { session } = context;
      const createsNone = call.mustExist === true || (readsOnly && call.sandbox !== DEFAULT_SANDBOX);
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const sandbox = await (createsNone ? session.sandboxes.latest(call.sandbox) : session.open(call.sandbox));
        if (sandbox === undefined) throw noSandbox(call.sandbox, session);
        try {
          return await action.run(sandbox, call, context);
        } catch (error) {
          if (!(error instanceof SandboxGone)) throw error;
        }
      }
      throw new Error(`sandbox ${call.sandbox} was dropped ${MAX_TRIES} times during one action`);
    },
  };
}

/** The title by which a program tells a sandbox that is not there from a path that is not there. */
export const NO_SANDBOX = 'No such sandbox';

export function noSandbox(name: string, session: Session): ActionProblem {
  const near = nearest(
    name,
    session.sandboxes.list().map(sandbox => sandbox.name),
  );
  return new ActionProblem(404, NO_SANDBOX, `Unknown sandbox ${JSON.stringify(name.slice(0, 80))}${near}.`);
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

/** A message that begins with a verb has the pointer as its subject. */
export function lineOf({ pointer = '', message }: ValidationError): string {
  if (message.startsWith(pointer) || message.startsWith(`The parameter "${pointer}" `)) return message;
  return /^(?:it )?(?:must|has|is) /.test(message)
    ? `${pointer} ${message.replace(/^it /, '')}`
    : `${pointer}: ${message}`;
}

const history: Readonly<Record<HistoryError['code'], readonly [status: number, title: string]>> = {
  taken: [409, 'Name in use'],
  full: [409, 'Too many'],
  unknown: [404, 'Not found'],
  'let-go': [410, 'Discarded'],
};

/** The problem of an error of an action. Throws any other error. */
export function problemOf(error: unknown): ActionProblem {
  if (error instanceof ActionProblem) return error;
  if (error instanceof HistoryError) return new ActionProblem(...history[error.code], error.message);
  if (error instanceof BudgetExceeded)
    return new ActionProblem(422, 'The query is too expensive', `The pattern ${error.message}.`);
  throw error;
}
