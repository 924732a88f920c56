// The provider under verification, as a port: set up states, send requests.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import type { StateValues } from '../../../server/scenario/states/provider-states.js';
import type { WantedState } from '../contract/contract.js';

/** The values of the states that were set up, or why they could not be and how to fix that. */
export type Begun = { readonly values: StateValues; readonly isUnreported?: true } | { readonly problem: string };

export interface Provider {
  /** For people. */
  readonly place: string;
  /** A server that may be away; then there is nothing to judge. */
  readonly isRemote: boolean;
  /** The readings that the server reports; empty for a server that reports none. */
  readonly readings: SomeReadings;
  /** Creates a new world in these states for the interaction of this number. */
  begin(number: number, states: readonly WantedState[]): Promise<Begun>;
  respond(number: number, request: HttpRequest): Promise<RawResponse>;
  /** The interaction of this number is over. */
  finish?(number: number, states: readonly WantedState[]): Promise<void>;
  /** All interactions are over. */
  close(): Promise<void>;
  /** Notices about the provider as a whole, one sentence each. */
  notices?(): readonly string[];
}

/** The provider or Pact's verifier cannot run, or cannot run with its input. The message is for people. */
export class Unverifiable extends Error {
  /** `failure`: how a run of the verifier failed, such as `ended without a result`; absent if it cannot run at all. */
  constructor(
    message: string,
    readonly failure?: string,
  ) {
    super(message);
  }
}

/** What is known of a server that is verified. */
export interface RemoteTarget {
  /** A URL for which `urlError` returns nothing. */
  readonly url: string;
  /** The token of the control API of a fake. */
  readonly token?: string;
  /** The state-change URL of another server. Default: none. */
  readonly stateChangeUrl?: string;
  /** Replace the headers of the contracts; also sent with state changes. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds to wait for a response. Default: 30 seconds. */
  readonly patience?: number;
}
