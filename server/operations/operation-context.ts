// The context of a decision: world, input, caller, time, and provenance. Stateless.
import type { Fact } from '../domain/facts.js';
import { ANONYMOUS, type World } from '../domain/world/world.js';
import type { GapId, Reading } from './gaps/gaps.js';
import type { Grounds, Refused } from './provenance.js';
import type { RefusalCode } from './refusals.js';

/** The caller of a request. Whether a user is an admin is looked up when needed. */
export type Caller = { readonly kind: 'anonymous' } | { readonly kind: 'user'; readonly name: string };
export const anonymous: Caller = Object.freeze({ kind: 'anonymous' });

export function callerName(caller: Caller): string {
  return caller.kind === 'user' ? caller.name : ANONYMOUS;
}

export interface ReplyValue {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface Accepted {
  readonly reply: ReplyValue;
  readonly facts: readonly Fact[];
}
export type Decision = Accepted | Refused;

/** The part of the context that shared functions need. */
export interface Asks<G extends GapId = never, C extends RefusalCode = never, R extends string = never> {
  readonly world: World;
  readonly caller: Caller;
  readonly applies: (...rules: R[]) => void;
  readonly reading: <X extends G>(gap: X) => Reading<X>;
  readonly deciding: <X extends G>(gap: X, unlessRefused?: 'unless-refused') => Reading<X>;
  readonly refuse: (code: C, message: string | readonly string[]) => Refused;
}

/** One request to one operation. `I` is its input; it may name the rules `R`, refuse with `C`, ask for readings of `G` and reply with `A`. */
export class OperationContext<I, R extends string, C extends RefusalCode, G extends GapId, A extends ReplyValue>
  implements Asks<G, C, R>
{
  constructor(
    readonly world: World,
    readonly input: I,
    readonly caller: Caller,
    /** The sandbox's time, as an ISO 8601 instant in UTC. */
    readonly now: string,
    private readonly grounds: Grounds<C, G, R>,
    /** Path of this server, of the sandbox and of the context; empty if the request has none of them. */
    readonly root = '',
  ) {}

  applies(...rules: R[]): void {
    for (const rule of rules) this.grounds.applies(rule);
  }

  /** The reading of a gap. Whether it decides is found out by performing the request under the other readings. */
  reading<X extends G>(gap: X): Reading<X> {
    return this.grounds.reading(gap);
  }

  /** The reading of a gap whose other readings certainly change the response or the world. */
  deciding<X extends G>(gap: X, unlessRefused?: 'unless-refused'): Reading<X> {
    return this.grounds.deciding(gap, unlessRefused);
  }

  /** Refuses with a code of the operation; `message`: what was wrong, where, and what is allowed, one sentence for each error. */
  refuse(code: C, message: string | readonly string[]): Refused {
    return this.grounds.refuse(code, message);
  }

  accept(facts: readonly Fact[], reply: A): Accepted {
    return { facts, reply };
  }
}
