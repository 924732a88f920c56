// What an operation decides on and how it says what it decided: the world, the input, the caller, the time, and the provenance.
// Keeps no state between two decisions and knows nothing of how an answer is written.
import type { Fact } from '../domain/facts.js';
import type { RefusalCode } from '../domain/refusals.js';
import { ANONYMOUS, type World } from '../domain/world.js';
import type { GapId, Reading } from './gaps/gaps.js';
import type { Grounds, Refused } from './provenance.js';

/** Who a request comes from. Whether a user is an admin is asked of the world at that moment. */
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

/** What a helper that serves several operations needs of their context. */
export interface Asks<G extends GapId = never, C extends RefusalCode = never, R extends string = never> {
  readonly world: World;
  readonly caller: Caller;
  readonly applies: (...rules: R[]) => void;
  readonly reading: <X extends G>(gap: X) => Reading<X>;
  readonly peek: <X extends G>(gap: X) => Reading<X>;
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
  ) {}

  applies(...rules: R[]): void {
    for (const rule of rules) this.grounds.applies(rule);
  }

  /** The reading of a gap, which from now on counts as having decided. Ask only where the readings part ways. */
  reading<X extends G>(gap: X): Reading<X> {
    return this.grounds.reading(gap);
  }

  /** The reading of a gap, to find out whether it decides. */
  peek<X extends G>(gap: X): Reading<X> {
    return this.grounds.peek(gap);
  }

  /** Refuses with a code of the operation; `message` says what was wrong, where, and what would be right, in one sentence for each fault. */
  refuse(code: C, message: string | readonly string[]): Refused {
    return this.grounds.refuse(code, message);
  }

  accept(facts: readonly Fact[], reply: A): Accepted {
    return { facts, reply };
  }
}
