// A fault: which requests it meets, when, and what it does to the answer. Data: knows nothing of how it is carried out.
import type { OperationId } from '../operations/catalog.js';

export interface Fault {
  readonly operation?: OperationId;
  readonly path?: string;
  /** A user name, or `anonymous`. */
  readonly caller?: string;
  readonly when?:
    | { readonly nth: number }
    | { readonly every: number }
    | { readonly first: number }
    | { readonly chance: number; readonly seed?: number };
  readonly times?: number;
  readonly until?: string;
  /** `after`: the request is applied, and then the answer breaks. Left out: before. */
  readonly phase?: 'before' | 'after';
  readonly effect: Effect;
}

interface Effect {
  /** Milliseconds, or from and to. */
  readonly delay?: number | readonly [number, number];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly hangUp?: true;
  readonly truncateAt?: number;
  readonly garble?: true;
  readonly dribble?: { readonly bytes: number; readonly every: number };
  readonly partial?: { readonly succeed: number };
}
