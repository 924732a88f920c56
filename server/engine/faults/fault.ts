// A fault: the requests it matches, when it fires, and its effect on the answer. Plain data.
import type { AnyOperationId } from '../../operations/catalog.js';

/** Matches requests to an operation, at a path, or both. A path has a leading slash; `*` is any one segment. */
export type Fault = Firing &
  (
    | { readonly operation: AnyOperationId; readonly path?: string }
    | { readonly operation?: AnyOperationId; readonly path: string }
  );

interface Firing {
  /** A user name, or `anonymous`. Default: any caller. */
  readonly caller?: string;
  /** Which of the matching requests. Default: all. */
  readonly when?:
    | { readonly nth: number }
    | { readonly every: number }
    | { readonly first: number }
    | { readonly chance: number; readonly seed?: number };
  /** Maximum number of times it fires. */
  readonly times?: number;
  /** An instant of the sandbox's clock; afterwards it matches nothing. */
  readonly until?: string;
  /** `after`: the request is applied in any case. Default `before`: it is applied only if its own answer arrives complete. */
  readonly phase?: 'before' | 'after';
  readonly effect: Effect;
}

/** The effect on the answer. Contradictions are refused when the fault is armed. */
export interface Effect {
  /** Delay in milliseconds before anything is sent, or a range. The request is applied on arrival. */
  readonly delay?: number | readonly [number, number];
  readonly status?: number;
  /** Replace the answer's own headers of these names; others stay. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Seconds for the header `Retry-After`; 503 if no status is given. */
  readonly retryAfter?: number;
  /** End the connection without an answer. */
  readonly hangUp?: true;
  /** End the connection after this many bytes of the body. */
  readonly truncateAt?: number;
  /** Send half of the body, followed by invalid JSON. */
  readonly garble?: true;
  /** Send the body in pieces of this many bytes, this many milliseconds apart. */
  readonly dribble?: { readonly bytes: number; readonly every: number };
  /** Apply only the first items of a push or pull, filters before dashboards; report the others as failed. */
  readonly partial?: { readonly succeed: number };
}

/** An armed fault with its counts. */
export interface Armed {
  readonly fault: Fault;
  /** Number of matching requests. */
  readonly met: number;
  /** Number of answers that it replaced. */
  readonly fired: number;
}

export function arm(faults: readonly Fault[]): Armed[] {
  return faults.map(fault => ({ fault, met: 0, fired: 0 }));
}

/** Maximum number of armed faults of a sandbox: every request is compared with each of them. */
export const MAX_FAULTS = 1000;

/** Why there are too many faults; otherwise `undefined`. */
export function tooManyFaults({ length }: readonly Armed[]): string | undefined {
  return length <= MAX_FAULTS
    ? undefined
    : `A sandbox takes at most ${MAX_FAULTS} armed faults, and these would be ${length}.`;
}

/** What happens to the connection of an answer. */
export interface Breakage {
  /** Delay in milliseconds before anything is sent. */
  readonly delay?: number;
  /** It ends without an answer. */
  readonly hangUp?: true;
  /** It ends after this many bytes of the body. */
  readonly truncateAt?: number;
  /** The body comes in pieces of this many bytes, this many milliseconds apart. */
  readonly dribble?: { readonly bytes: number; readonly every: number };
}

/** The fault that replaced an answer. */
export interface Injected {
  /** Its name for the journal and `X-Fake-Fault`. */
  readonly name: string;
  readonly breakage: Breakage;
}

/** A fault as armed, with its counts. */
export type ArmedFault = Fault & Omit<Armed, 'fault'>;

export function shownFault({ fault, met, fired }: Armed): ArmedFault {
  return { ...fault, met, fired };
}

/** Its number among the armed faults, from 1, and its effect: `2 status retryAfter`. For journal and header. */
export function faultName(index: number, { effect }: Fault): string {
  return [String(index + 1), ...Object.keys(effect)].join(' ');
}
