// The port between a program and a fake: in this process, or elsewhere over HTTP. Both take the same actions and fail with the same errors.
import type { Action } from '../../control/action.js';
import type { Health } from '../../control/health.js';
import type { HttpRequest } from '../../derive/sending/call.js';
import type { SandboxEvent } from '../../engine/events/event.js';
import type { Origin } from '../../engine/sandbox/state.js';
import type { Answered } from '../../scenario/play/target.js';

/** What an action is given by a program. */
export interface Input<Body> {
  /** The sandbox that it is about; left out, the fake itself. */
  readonly sandbox?: string;
  /** What else its path names. */
  readonly params?: Readonly<Record<string, string>>;
  /** What is `undefined` is left out. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Body;
}

export interface ControlPort {
  /** Where the fake is, without a slash at the end. */
  readonly url: string;
  /** Whether sandboxes are made explicitly only. */
  readonly isExplicit: boolean;
  /** Rejects with a `FakeError` that tells everything that is wrong. */
  invoke<Output, Body>(action: Action<Output, Body>, input?: Input<Body>): Promise<Output>;
  /** Begins a sandbox anew with what a scenario that is loaded here starts from. */
  renew(sandbox: string, origin: Origin): Promise<void>;
  /** Whether a sandbox is there, as far as that can be told without asking a server. */
  has(sandbox: string): Promise<boolean>;
  health(): Promise<Health>;
  /** What happens in a sandbox from now on, until the signal. */
  listen(sandbox: string, signal?: AbortSignal): AsyncIterableIterator<SandboxEvent>;
  /** Asks the server as any client does. Rejects with `BrokenOff` where the answer does not come whole. */
  ask(request: HttpRequest, signal?: AbortSignal): Promise<Answered>;
  /** The provider states that have a name, the empty one among them. */
  stateNames(): readonly string[];
  /** Fails once the fake has been stopped. */
  check(): void;
}
