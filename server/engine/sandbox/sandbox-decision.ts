// What a change is decided on, and what comes of it.
import type { Readings } from '../../operations/gaps/gaps.js';
import { chosenReadings, type ServerReadings } from '../../operations/gaps/profiles.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import type { KeptPast } from './history.js';
import type { Change, State } from './state.js';

/** The sandbox, or a draft of it after earlier decisions of the same append. */
export interface CurrentSandbox {
  /** A secret of the sandbox, known to all servers that share it. */
  readonly key: string;
  readonly state: State;
  readonly version: number;
  /** Readings for requests that choose none. */
  readonly readings: Readings;
  readonly history: KeptPast;
}

/** `result` goes to the caller, whether or not anything changed. */
export interface SandboxDecision<T> {
  readonly changes: readonly Change[];
  readonly result: T;
  /** Its journal entry, for an id and the version after the change. */
  readonly entry?: (id: number, version: number) => JournalEntry;
  readonly isClearing?: true;
}

/** A committed decision, the sandbox's version after it, and the id of its journal entry; 0: none. */
export interface Committed<T> {
  readonly result: T;
  readonly version: number;
  readonly entry: number;
}

/** The sandbox's own readings win over the scenario's, these over the server's. */
export function readingsIn({ origin, readings }: State, server: ServerReadings): Readings {
  const isOwn = origin.profile !== undefined || !isEmpty(origin.readings) || !isEmpty(readings);
  return isOwn ? chosenReadings(server, origin, { readings }) : server.all; // shared by all sandboxes without choices: there may be many
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}
