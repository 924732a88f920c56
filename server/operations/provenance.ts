// The provenance of a decision: the applied rules, and the gaps that were asked for, in order.

import type { GapId, Reading, Readings, SomeReadings } from './gaps/gaps.js';
import { type RefusalCode, refusalSpec } from './refusals.js';

export interface Refused {
  readonly refused: RefusalCode;
  readonly status: number;
  readonly message: string;
  /** One for each error, if there are several; `message` has all. */
  readonly messages?: readonly string[];
  /** The kinds of the errors, if there are several; each once. */
  readonly kinds?: readonly RefusalCode[];
}

/** The refusal of the first of several errors, with the sentences of all. */
export function refusedTogether(
  [first, ...others]: readonly [Refused, ...Refused[]],
  further: readonly string[],
): Refused {
  const sentences = [first, ...others].flatMap(({ message, messages = [message] }) => messages);
  const said = firstFive([...sentences, ...further]);
  const kinds = [...new Set([first, ...others].map(({ refused }) => refused))];
  return { ...first, message: joined(said), ...(said.length > 1 && { messages: said }), kinds };
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
  readonly deciding: <X extends G>(gap: X, unlessRefused?: 'unless-refused') => Reading<X>;
  /** `message`: one sentence, or one for each error. */
  readonly refuse: (code: C, message: string | readonly string[], rule?: R) => Refused;
}

export class Provenance implements Grounds<RefusalCode, GapId, string> {
  rules: string[] = [];
  /** Each gap that was asked for, and whether it is known to decide, at least if the request is not refused. A gap that was not asked for cannot decide. */
  readonly asked = new Map<GapId, boolean | 'unless-refused'>();

  constructor(
    private readings: Readings,
    /** Readings that override all others. */
    private readonly trial?: SomeReadings,
  ) {}

  /** A branch with the same rules so far, except these. */
  without(rules: readonly string[]): Provenance {
    const branch = new Provenance(this.readings, this.trial);
    branch.rules = this.rules.filter(rule => !rules.includes(rule));
    return branch;
  }

  /** Takes over the rules of a branch. */
  become(branch: Provenance): void {
    this.rules = branch.rules;
    for (const gap of this.asked.keys()) this.asked.set(gap, false); // it decided about the refusal that is not given
  }

  /** Also asks for the gaps of a branch. */
  consider({ asked }: Provenance): void {
    for (const gap of asked.keys()) this.reading(gap);
  }

  /** Uses other readings from now on. */
  readUnder(readings: Readings): void {
    this.readings = readings;
  }

  applies(rule: string): void {
    if (!this.rules.includes(rule)) this.rules.push(rule);
  }

  /** The reading of a gap. Whether it decides is found out by performing the request under the other readings. */
  reading<G extends GapId>(gap: G): Reading<G> {
    if (!this.asked.has(gap)) this.asked.set(gap, false);
    return this.chosen(gap);
  }

  /**
   * The reading of a gap whose other readings certainly change the response or the world, in any case or if the request is not refused. This saves
   * performing the request again.
   */
  deciding<G extends GapId>(gap: G, unlessRefused?: 'unless-refused'): Reading<G> {
    this.asked.set(gap, unlessRefused ?? true);
    return this.chosen(gap);
  }

  /** The reading of a gap, without asking for it. */
  chosen<G extends GapId>(gap: G): Reading<G> {
    return (this.trial?.[gap] ?? this.readings[gap]) as Reading<G>; // Readings pairs each gap with its own readings
  }

  /** Refuses: its rules apply, and its gap decides the status if the table says so. */
  refuse(code: RefusalCode, said: string | readonly string[], rule?: string): Refused {
    const { status, rules = [], gap, statusGap = gap } = refusalSpec(code);
    for (const id of rule === undefined ? rules : [rule]) this.applies(id);
    const refused = {
      refused: code,
      status: status === 'as-read' && statusGap ? Number(this.deciding(statusGap)) : Number(status),
    };
    if (gap !== undefined) this.reading(gap);
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

/** Whether to show a deciding gap: address gaps only if they refused the request. */
export function isShownGap(gap: string, refused: RefusalCode | undefined): boolean {
  return !isAddressGap(gap) || (refused !== undefined && refusalSpec(refused).gap === gap);
}

/** Whether a gap is about the address of the wiki extension. Every wiki request meets those, so they are shown only if they refused it. */
export function isAddressGap(gap: string): boolean {
  return gap === 'wiki-prefix' || gap === 'context-path';
}
