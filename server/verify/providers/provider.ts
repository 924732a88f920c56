// Who is verified, as a port: a server that can be brought into states and asked. Knows no pact file and no verifier.
import type { HttpRequest } from '../../derive/sending/call.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Answered, Unreachable } from '../../scenario/play/target.js';
import type { StateValues } from '../../scenario/states/provider-states.js';
import type { WantedState } from '../contract.js';

/** States that have come about, with the values they give, or that nobody could be told of; or what keeps them from it, and how to mend that. */
export type Begun = { readonly values: StateValues; readonly isUntold?: true } | { readonly problem: string };

export interface Provider {
  /** For people. */
  readonly place: string;
  /** Those that it says count in it; of a server that says nothing, none. */
  readonly readings: SomeReadings;
  /** Brings a new world about for the interaction of a number, in these states. */
  begin(number: number, states: readonly WantedState[]): Promise<Begun>;
  answer(number: number, request: HttpRequest): Promise<Answered>;
  /** The interaction of a number is over. */
  finish(number: number, states: readonly WantedState[]): Promise<void>;
  /** All of them are. */
  close(): Promise<void>;
  /** Why it cannot be said to have been asked at all, once all interactions are over; absent where it can. */
  outage?(): Unreachable | undefined;
  /** What is worth telling of it as a whole, one sentence each. */
  notices(): readonly string[];
}

/** What is known of a server that is verified. */
export interface RemoteTarget {
  /** One that `urlFlaw` finds nothing wrong with. */
  readonly url: string;
  /** The token of the control API of a fake. */
  readonly token?: string;
  /** Where another server is told of states. Left out: it is not. */
  readonly stateChangeUrl?: string;
  /** They take the place of those of the contracts, and go with what tells of states as well. */
  readonly headers: Readonly<Record<string, string>>;
}
