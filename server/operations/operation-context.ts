// What an operation decides on and how it says what it decided: the world, the input, the caller, the time, and the provenance: rules and readings.
// Keeps no state between two decisions and knows nothing of how an answer is written.
import type { Fact } from '../domain/facts.js';
import type { RefusalCode } from '../domain/refusals.js';
import { refusalSpec } from '../domain/refusals.js';
import { ANONYMOUS, type World } from '../domain/world.js';
import type { GapId, Reading, Readings } from './gaps.js';

/** Who a request comes from. Whether a user is an admin is asked of the world at that moment. */
export type Caller = { readonly kind: 'anonymous' } | { readonly kind: 'user'; readonly name: string };
export const anonymous: Caller = Object.freeze({ kind: 'anonymous' });

export function callerName(caller: Caller): string {
  return caller.kind === 'user' ? caller.name : ANONYMOUS;
}

export interface ReplyValue {
  readonly status: number;
  readonly body?: unknown;
}
export interface Accepted {
  readonly reply: ReplyValue;
  readonly facts: readonly Fact[];
}
export interface Refused {
  readonly refused: RefusalCode;
  readonly status: number;
  readonly message: string;
}
export type Decision = Accepted | Refused;

export function isRefused(value: object): value is Refused {
  return 'refused' in value;
}

/** The rules that applied and the readings that decided, in the order in which they came up. */
export class Provenance {
  readonly rules: string[] = [];
  readonly gaps: Partial<Record<GapId, string>> = {};

  constructor(private readonly readings: Readings) {}

  /** One of its own that has seen the same so far. */
  branch(): Provenance {
    const branch = new Provenance(this.readings);
    branch.rules.push(...this.rules);
    Object.assign(branch.gaps, this.gaps);
    return branch;
  }

  applies(rule: string): void {
    if (!this.rules.includes(rule)) this.rules.push(rule);
  }

  /** The reading of a gap, which from now on counts as having decided. Ask only where the readings part ways. */
  reading<G extends GapId>(gap: G): Reading<G> {
    const reading = this.readings[gap] as Reading<G>; // Readings pairs each gap with its own readings
    this.gaps[gap] = reading;
    return reading;
  }

  /** A reading that decided nothing, to tell what would be accepted. */
  peek<G extends GapId>(gap: G): Reading<G> {
    return this.readings[gap] as Reading<G>; // as above
  }

  /** Refuses: the rules of the refusal apply, and its gap decides its status where the table says so. */
  refuse(code: RefusalCode, message: string, rule?: string): Refused {
    const { status, rules = [], gap } = refusalSpec(code);
    for (const id of rule === undefined ? rules : [rule]) this.applies(id);
    const read = gap === undefined ? undefined : this.reading(gap as GapId); // a test holds the table against the ledger
    return { refused: code, status: status === 'as-read' ? Number(read) : status, message };
  }
}

/** What a helper that serves several operations needs of a case. */
export interface Asks<G extends GapId = never, C extends RefusalCode = never, R extends string = never> {
  readonly world: World;
  readonly caller: Caller;
  applies(...rules: R[]): void;
  reading<X extends G>(gap: X): Reading<X>;
  refuse(code: C, message: string): Refused;
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
    private readonly provenance: Provenance,
  ) {}

  applies(...rules: R[]): void {
    for (const rule of rules) this.provenance.applies(rule);
  }

  /** The reading of a gap, which from now on counts as having decided. Ask only where the readings part ways. */
  reading<X extends G>(gap: X): Reading<X> {
    return this.provenance.reading(gap);
  }

  /** Refuses with a code of the operation; `message` says what was wrong, where, and what would be right. */
  refuse(code: C, message: string): Refused {
    return this.provenance.refuse(code, message);
  }

  accept(facts: readonly Fact[], reply: A): Accepted {
    return { facts, reply };
  }
}
