// The faults and stubs of a sandbox as armed, with their counts. Plain data.
import type { Effect, Fault } from './fault.js';
import type { Stub } from './stub.js';

export type Armable = Fault | Stub;

/** What a caller has used of a window. */
export interface Allowance {
  readonly caller: string;
  /** Begin of the window. */
  readonly since: string;
  readonly used: number;
}

/** An armed fault or stub with its counts. */
export interface Armed<A extends Armable = Fault> {
  readonly given: A;
  /** Number of matching requests. */
  readonly matched: number;
  /** Number of responses that it replaced. */
  readonly fired: number;
  /** For a rate limit: what each caller has used. */
  readonly callers?: readonly Allowance[];
}

export function arm<A extends Armable>(all: readonly A[]): Armed<A>[] {
  return all.map(given => ({ given, matched: 0, fired: 0 }));
}

/** Maximum number of armed faults, and of stubs, of a sandbox: every request is compared with each of them. */
export const MAX_ARMED = 1000;

/** As armed, with its counts. */
export type FireCounts = Pick<Armed, 'matched' | 'fired'>;
export type ArmedFault = Fault & FireCounts;
export type ArmedStub = Stub & FireCounts;

export function shown<A extends Armable>({ given, matched, fired }: Armed<A>): A & FireCounts {
  return { ...given, matched, fired };
}

/** Stubs have none. */
export function rateLimitOf({ given }: Armed<Armable>): Effect['rateLimit'] {
  return 'effect' in given ? given.effect.rateLimit : undefined;
}
