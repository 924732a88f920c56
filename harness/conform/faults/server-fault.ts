// A fault: one wrong behaviour of an otherwise correct server, as a change of what it is asked, what it responds, or what becomes of its world.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import type { World } from '../../../server/domain/world/world.js';
import type { Received } from '../../../server/scenario/play/target.js';

export interface ServerFault {
  /** Completes the sentence "It behaves like a server that …". */
  readonly says: string;
  /** The rules of the document that it breaks: usually one. */
  readonly rules: readonly string[];
  readonly change: Change;
}

/** Each function is called once for each request and changes nothing itself; absent ones change nothing. */
export interface Change {
  /** The parts of the request that are served instead. `json` replaces the body. */
  readonly request?: (asked: Asked) => Partial<HttpRequest> & { readonly json?: unknown };
  /** The parts of the response that are sent instead. `json` replaces the body. */
  readonly response?: (response: Received, asked: Asked) => Partial<Received> & { readonly json?: unknown };
  /** The world after the request. `after`: what a correct server would make of `before`. */
  readonly world?: (after: World, before: World, asked: Asked) => World;
}

/** A request as it arrives, before any change. */
export interface Asked extends HttpRequest {
  /** The operation's path without address, version and page id: `groups/add-users`, `permissions/edit`, `spaces/copySpace`, `push`; empty for all else. */
  readonly place: string;
  readonly query: URLSearchParams;
  /** The parsed body; `undefined`: none, or not JSON. */
  readonly json: unknown;
  readonly caller: {
    /** The user name in Basic or Bearer credentials; absent: no credentials, or not those of a user. */
    readonly name?: string;
    readonly isAdmin: boolean;
  };
  /** The world in which it arrives. */
  readonly world: World;
  /** The response of a correct server. */
  readonly response: Received;
}
