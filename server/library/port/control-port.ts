// The port between a program and a fake, in this process or over HTTP. Both take the same actions and fail with the same errors.
import type { Action } from '../../control/actions/action.js';
import type { Health } from '../../control/actions/health.js';
import type { HttpRequest } from '../../derive/sending/call.js';
import type { SandboxEvent } from '../../engine/events/event.js';
import type { Origin } from '../../engine/sandbox/state.js';
import type { RawResponse } from '../../scenario/play/target.js';

/** The input of an action from a program. */
export interface PortInput<Body> {
  /** Name of the sandbox; absent: the fake itself. */
  readonly sandbox?: string;
  /** Other path parameters. */
  readonly params?: Readonly<Record<string, string>>;
  /** `undefined` values are omitted. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Body;
  /** Fails if the sandbox does not exist. Default: most actions create it. */
  readonly mustExist?: boolean;
}

export interface ControlPort {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Whether sandboxes must be created explicitly. */
  readonly isExplicit: boolean;
  /** Rejects with a `FakeError` with all errors. */
  invoke<Output, Body>(action: Action<Output, Body>, input?: PortInput<Body>): Promise<Output>;
  /** Begins a sandbox anew with what a scenario that is loaded here starts from. */
  renew(sandbox: string, origin: Origin): Promise<void>;
  health(): Promise<Health>;
  /** The events of a sandbox from now on, until the signal. */
  listen(sandbox: string, signal?: AbortSignal): AsyncIterableIterator<SandboxEvent>;
  /** Sends a request to the server like any client. Rejects with `BrokenOff` if the response is cut off. */
  ask(request: HttpRequest, signal?: AbortSignal): Promise<RawResponse>;
  /** Names of the provider states, the empty one included. */
  stateNames(): readonly string[];
  /** Throws once the fake has been stopped. */
  check(): void;
}
