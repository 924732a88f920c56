// A pact file as `verify` sees it, whatever version of the specification and whatever language it was written by.
// Knows neither how it was found nor how it is verified.
import type { HttpRequest } from '../derive/sending/call.js';

/** A JSON object that has come from outside. */
export type Json = Readonly<Record<string, unknown>>;

/** A state that an interaction asks for. */
export interface WantedState {
  readonly name: string;
  readonly params: Json;
}

/** What a contract expects of an answer. What is absent is not asserted. */
export interface Expected {
  /** The status of the example; where the file has none it is 200, as Pact's verifier takes it. */
  readonly status?: number;
  /** Whether the status is exactly that of the example. Otherwise a matcher says what it may be. */
  readonly isExactStatus: boolean;
  /** The headers of the example, by name as written, several values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether there is anything about the body, if only that there is none. */
  readonly hasBody: boolean;
  /** The body of the example: parsed where it is JSON, else its text. */
  readonly body?: unknown;
}

export interface Interaction {
  readonly description: string;
  readonly states: readonly WantedState[];
  /** Whether the contract itself says that it may fail. */
  readonly isPending: boolean;
  /** The request of the example, for people: `PUT /rest/…`. What is really sent may differ where values come from a state. */
  readonly request: string;
  /** The same as it would be sent. */
  readonly example: HttpRequest;
  readonly expected: Expected;
  /** The interaction as the file has it. */
  readonly written: Json;
  /** Where in the file its description stands, from 1; absent where that cannot be told. */
  readonly line?: number;
  /** As a broker names it. */
  readonly id?: string;
  /** The values that its request takes from its states, by their names. */
  readonly takes: readonly string[];
}

/** An interaction that cannot be verified for what is wrong with it. */
export interface UnreadableInteraction {
  /** `number 3` where it has none. */
  readonly description: string;
  readonly line?: number;
  /** What is wrong, one sentence each, with the place. */
  readonly problems: readonly string[];
}

/** What a broker has said of a pact besides its content. */
export interface Brokered {
  /** Whether the broker has it that failures do not count yet. */
  readonly isPending: boolean;
  /** The broker itself, to which its links are taken. */
  readonly url?: string;
  /** Where results are published to; absent where the broker takes none. */
  readonly publishTo?: string;
  /** What the broker has to say of it, such as why it is among those to be verified. */
  readonly notices: readonly string[];
}

export interface Contract {
  readonly consumer: string;
  readonly provider: string;
  /** The version of the specification, as the file says it; absent: it does not. */
  readonly version?: string;
  /** Where it comes from: the path as given, or the URL. */
  readonly source: string;
  readonly interactions: readonly Interaction[];
  /** Those that are to be mended before they can be verified. */
  readonly unreadable: readonly UnreadableInteraction[];
  /** What of the file is not verified here, one sentence each. */
  readonly notices: readonly string[];
  /** The whole file. */
  readonly document: Json;
  readonly broker?: Brokered;
}
