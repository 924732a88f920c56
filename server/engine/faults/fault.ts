// A fault: which requests it meets, when, and what it does to the answer. Data: knows nothing of how it is carried out.
import type { AnyOperationId } from '../../operations/catalog.js';

/** It is about the requests to an operation, or at a path, or both. A path: from its slash on, `*` for any one segment. */
export type Fault = Firing &
  (
    | { readonly operation: AnyOperationId; readonly path?: string }
    | { readonly operation?: AnyOperationId; readonly path: string }
  );

interface Firing {
  /** A user name, or `anonymous`; left out, anyone. */
  readonly caller?: string;
  /** Which of the requests that it is about; left out, all. */
  readonly when?:
    | { readonly nth: number }
    | { readonly every: number }
    | { readonly first: number }
    | { readonly chance: number; readonly seed?: number };
  /** How often at most. */
  readonly times?: number;
  /** An instant of the sandbox's clock; from then on it is about no request. */
  readonly until?: string;
  /** `after`: the request is applied, whatever becomes of the answer. Left out, before: it is applied only where its own answer comes whole. */
  readonly phase?: 'before' | 'after';
  readonly effect: Effect;
}

/** What happens to the answer. What rules each other out is refused when the fault is armed. */
export interface Effect {
  /** Milliseconds before anything is sent, or from and to. The request is applied when it comes. */
  readonly delay?: number | readonly [number, number];
  readonly status?: number;
  /** In the place of the answer's own of these names, and besides the others. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Seconds, in the header `Retry-After`; without a status with 503. */
  readonly retryAfter?: number;
  /** The connection ends without an answer. */
  readonly hangUp?: true;
  /** The connection ends after so many bytes of the body. */
  readonly truncateAt?: number;
  /** The body is cut in half and ends with what is no JSON. */
  readonly garble?: true;
  /** The body comes in pieces of so many bytes, so many milliseconds apart. */
  readonly dribble?: { readonly bytes: number; readonly every: number };
  /** Of a push or pull only the first items are done, filters before dashboards; the others are reported. */
  readonly partial?: { readonly succeed: number };
}

/** A fault that is armed, with what has become of it. */
export interface Armed {
  readonly fault: Fault;
  /** How many requests were those that it is about. */
  readonly met: number;
  /** How often it was put in the place of an answer. */
  readonly fired: number;
}

export function arm(faults: readonly Fault[]): Armed[] {
  return faults.map(fault => ({ fault, met: 0, fired: 0 }));
}

/** Faults that a sandbox may have armed: every request is held against each of them. */
export const MOST_FAULTS = 1000;

/** Why so many faults cannot be armed; `undefined`: they can. */
export function tooManyFaults({ length }: readonly Armed[]): string | undefined {
  return length <= MOST_FAULTS
    ? undefined
    : `A sandbox takes at most ${MOST_FAULTS} armed faults, and these would be ${length}.`;
}

/** What is done to the connection over which an answer goes. */
export interface Breakage {
  /** Milliseconds before anything is sent. */
  readonly delay?: number;
  /** It ends without an answer. */
  readonly hangUp?: true;
  /** It ends after so many bytes of the body. */
  readonly truncateAt?: number;
  /** The body comes in pieces of so many bytes, so many milliseconds apart. */
  readonly dribble?: { readonly bytes: number; readonly every: number };
}

/** A fault in the place of an answer. */
export interface Injected {
  /** Which one, for the journal and `X-Fake-Fault`. */
  readonly name: string;
  readonly breakage: Breakage;
}

/** A fault as it was armed, and beside it what has become of it. */
export type ArmedFault = Fault & Omit<Armed, 'fault'>;

export function shownFault({ fault, met, fired }: Armed): ArmedFault {
  return { ...fault, met, fired };
}

/** Its place among the armed ones, from 1, and what it does: `2 status retryAfter`. For journal and header. */
export function faultName(index: number, { effect }: Fault): string {
  return [String(index + 1), ...Object.keys(effect)].join(' ');
}
