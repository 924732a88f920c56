// What a decision rests on: the rules that applied and the readings that decided, in the order in which they came up.
import type { RefusalCode } from '../domain/refusals.js';
import { refusalSpec } from '../domain/refusals.js';
import type { GapId, Reading, Readings } from './gaps/gaps.js';

export interface Refused {
  readonly refused: RefusalCode;
  readonly status: number;
  readonly message: string;
  /** One for each fault, where there are several; `message` has them all. */
  readonly messages?: readonly string[];
}

export function isRefused(value: object): value is Refused {
  return 'refused' in value;
}

/** A provenance as somebody sees it who may refuse with `C`, ask for readings of `G` and name the rules `R`: anything else does not compile. */
export interface Grounds<C extends RefusalCode = never, G extends GapId = never, R extends string = never> {
  // as properties, since the compiler compares the parameters of methods both ways
  readonly applies: (rule: R) => void;
  readonly reading: <X extends G>(gap: X) => Reading<X>;
  readonly peek: <X extends G>(gap: X) => Reading<X>;
  /** `message`: one sentence, or one for each fault. */
  readonly refuse: (code: C, message: string | readonly string[], rule?: R) => Refused;
}

export class Provenance implements Grounds<RefusalCode, GapId, string> {
  rules: string[] = [];
  gaps: Partial<Record<GapId, string>> = {};

  constructor(private readings: Readings) {}

  /** One of its own that has seen the same so far, but for these. */
  without(rules: readonly string[], gaps: readonly GapId[]): Provenance {
    const branch = new Provenance(this.readings);
    branch.rules = this.rules.filter(rule => !rules.includes(rule));
    branch.gaps = { ...this.gaps };
    for (const gap of gaps) delete branch.gaps[gap];
    return branch;
  }

  /** Counts what a branch has seen, and no longer what was seen here. */
  become(branch: Provenance): void {
    this.rules = branch.rules;
    this.gaps = branch.gaps;
  }

  /** From now on other readings hold. */
  readUnder(readings: Readings): void {
    this.readings = readings;
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
  refuse(code: RefusalCode, said: string | readonly string[], rule?: string): Refused {
    const { status, rules = [], gap } = refusalSpec(code);
    for (const id of rule === undefined ? rules : [rule]) this.applies(id);
    const read = gap === undefined ? undefined : this.reading(gap as GapId); // a test holds the table against the ledger
    const refused = { refused: code, status: status === 'as-read' ? Number(read) : status };
    if (typeof said === 'string') return { ...refused, message: said };
    return { ...refused, message: joined(said), ...(said.length > 1 && { messages: said }) };
  }
}

/** Sentences as one. */
function joined(sentences: readonly string[]): string {
  const parts = sentences.map(sentence => sentence.replace(/\.$/, ''));
  return `${parts.map((part, i) => (i === 0 ? part : part.charAt(0).toLowerCase() + part.slice(1))).join('; ')}.`;
}
