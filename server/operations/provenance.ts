// The provenance of a decision: applied rules and deciding readings, in order.
import type { RefusalCode } from '../domain/refusals.js';
import { refusalSpec } from '../domain/refusals.js';
import type { GapId, Reading, Readings } from './gaps/gaps.js';

export interface Refused {
  readonly refused: RefusalCode;
  readonly status: number;
  readonly message: string;
  /** One for each error, if there are several; `message` has all. */
  readonly messages?: readonly string[];
}

/** The refusal of the first of several errors, with the sentences of all. */
export function refusedTogether(
  [first, ...others]: readonly [Refused, ...Refused[]],
  further: readonly string[],
): Refused {
  const sentences = [first, ...others].flatMap(({ message, messages = [message] }) => messages);
  const said = firstFive([...sentences, ...further]);
  return { ...first, message: joined(said), ...(said.length > 1 && { messages: said }) };
}

/** The first five sentences, and how many more there are. */
export function firstFive(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - 5;
  return more > 0 ? [...sentences.slice(0, 5), `And ${more} more.`] : sentences;
}

export function isRefused(value: object): value is Refused {
  return 'refused' in value;
}

/** A provenance restricted to declared refusals, gaps and rules; anything else does not compile. */
export interface Grounds<C extends RefusalCode = never, G extends GapId = never, R extends string = never> {
  // as properties, since the compiler compares the parameters of methods both ways
  readonly applies: (rule: R) => void;
  readonly reading: <X extends G>(gap: X) => Reading<X>;
  readonly peek: <X extends G>(gap: X) => Reading<X>;
  /** `message`: one sentence, or one for each error. */
  readonly refuse: (code: C, message: string | readonly string[], rule?: R) => Refused;
}

export class Provenance implements Grounds<RefusalCode, GapId, string> {
  rules: string[] = [];
  gaps: Partial<Record<GapId, string>> = {};

  constructor(private readings: Readings) {}

  /** A branch with the same provenance so far, except for these readings. */
  without(rules: readonly string[], gaps: readonly GapId[]): Provenance {
    const branch = new Provenance(this.readings);
    branch.rules = this.rules.filter(rule => !rules.includes(rule));
    branch.gaps = { ...this.gaps };
    for (const gap of gaps) delete branch.gaps[gap];
    return branch;
  }

  /** Takes over the provenance of a branch. */
  become(branch: Provenance): void {
    this.rules = branch.rules;
    this.gaps = branch.gaps;
  }

  /** Uses other readings from now on. */
  readUnder(readings: Readings): void {
    this.readings = readings;
  }

  applies(rule: string): void {
    if (!this.rules.includes(rule)) this.rules.push(rule);
  }

  /** The reading of a gap, which then counts as deciding. Call it only where the readings differ. */
  reading<G extends GapId>(gap: G): Reading<G> {
    const reading = this.readings[gap] as Reading<G>; // Readings pairs each gap with its own readings
    this.gaps[gap] = reading;
    return reading;
  }

  /** Reads a reading without counting it, for messages about what would be accepted. */
  peek<G extends GapId>(gap: G): Reading<G> {
    return this.readings[gap] as Reading<G>; // as above
  }

  /** Refuses: its rules apply, and its gap decides the status if the table says so. */
  refuse(code: RefusalCode, said: string | readonly string[], rule?: string): Refused {
    const { status, rules = [], gap } = refusalSpec(code);
    for (const id of rule === undefined ? rules : [rule]) this.applies(id);
    const read = gap === undefined ? undefined : this.reading(gap as GapId); // a test holds the table against the ledger
    const refused = { refused: code, status: status === 'as-read' ? Number(read) : status };
    if (typeof said === 'string') return { ...refused, message: said };
    return { ...refused, message: joined(said), ...(said.length > 1 && { messages: said }) };
  }
}

/** Joins sentences. */
function joined(sentences: readonly string[]): string {
  if (sentences.some(sentence => sentence.endsWith('?'))) return sentences.join(' ');
  const parts = sentences.map(sentence => sentence.replace(/\.$/, ''));
  return `${parts.map((part, i) => (i === 0 ? part : part.charAt(0).toLowerCase() + part.slice(1))).join('; ')}.`;
}
