// A pact file as `verify` sees it, for every version of the specification.
import type { WitnessExample } from '../../../server/derive/document/witnesses.js';
import type { HttpRequest } from '../../../server/derive/sending/call.js';

/** A JSON object from outside. */
export type Json = Readonly<Record<string, unknown>>;

/** A state that an interaction asks for. */
export interface WantedState {
  readonly name: string;
  readonly params: Json;
}

/** The response that a contract expects: several values of a header are joined by a comma, and a body is parsed JSON, else its text. */
export type Expected = WitnessExample;

export interface Interaction {
  readonly description: string;
  readonly states: readonly WantedState[];
  /** Whether the contract marks the interaction as pending. */
  readonly isPending: boolean;
  /** The request of the example, for people: `PUT /rest/…`. The sent request may differ if values come from a state. */
  readonly request: string;
  /** The request of the example as it would be sent. */
  readonly example: HttpRequest;
  readonly expected: Expected;
  /** The interaction as in the file. */
  readonly written: Json;
  /** Line of its description in the file, from 1; absent if unknown. */
  readonly line?: number;
  /** Its id at the broker. */
  readonly id?: string;
  /** Names of the values that its request takes from its states. */
  readonly takes: readonly string[];
  /** Mistakes that do not prevent verification, one sentence each. */
  readonly warnings: readonly string[];
}

/** An interaction that cannot be verified because it is invalid. */
export interface UnreadableInteraction {
  /** `number 3` if it has no description. */
  readonly description: string;
  readonly line?: number;
  /** The errors, one sentence each, with the place. */
  readonly problems: readonly string[];
}

/** What a broker returns about a pact besides its content. */
export interface Brokered {
  /** Whether the broker marks the pact as pending: failures do not count yet. */
  readonly isPending: boolean;
  /** The URL of the broker, against which its links are resolved. */
  readonly url?: string;
  /** The URL for publishing results; absent if the broker accepts none. */
  readonly publishTo?: string;
  /** Messages of the broker, such as why the pact is to be verified. */
  readonly notices: readonly string[];
  /** Messages to show after the verification; `when`: after which result. */
  readonly later?: ReadonlyArray<{ readonly when: string; readonly text: string }>;
}

export interface Contract {
  readonly consumer: string;
  readonly provider: string;
  /** Version of the specification as written in the file, if any. */
  readonly version?: string;
  /** Path as given, or URL. */
  readonly source: string;
  readonly interactions: readonly Interaction[];
  /** Interactions that must be corrected before they can be verified. */
  readonly unreadable: readonly UnreadableInteraction[];
  /** What the file contains that is not verified here, one sentence each. */
  readonly notices: readonly string[];
  /** The whole file. */
  readonly document: Json;
  readonly broker?: Brokered;
}
