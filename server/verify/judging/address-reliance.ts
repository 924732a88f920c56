// Where the provider is served, as far as a contract relies on it: told once for a file, since it is the same for all of its interactions and
// a client is told it by its configuration. Pure: asks nobody.
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Difference, Verdict } from '../verdict.js';

const GAPS: readonly string[] = ['wiki-prefix', 'context-path'] satisfies GapId[];

/** Whether a gap is about where the provider is served. */
export function isAddressGap(gap: string): boolean {
  return GAPS.includes(gap);
}

/** A reading of such a gap under which interactions of a file break. */
export interface AddressBreak {
  readonly gap: GapId;
  readonly reading: string;
  /** How many of those that held break. */
  readonly breaks: number;
  readonly tried: number;
  /** What differs in the first of them. */
  readonly difference?: Difference;
}

/** `verdicts`: those of one contract. */
export function addressBreaks(verdicts: readonly Verdict[]): readonly AddressBreak[] {
  const found = new Map<string, AddressBreak>();
  for (const { gap, reading, holds, difference } of verdicts.flatMap(({ addresses }) => addresses)) {
    const key = `${gap}=${reading}`;
    const before = found.get(key) ?? { gap, reading, breaks: 0, tried: 0 };
    const first = before.difference ?? difference;
    const breaks = before.breaks + (holds ? 0 : 1);
    found.set(key, {
      gap,
      reading,
      breaks,
      tried: before.tried + 1,
      ...(first !== undefined && { difference: first }),
    });
  }
  return [...found.values()].filter(({ breaks }) => breaks > 0);
}

/** `It relies on where the provider is served: 13 of 13 interactions would break under wiki-prefix=bare. …` Nothing where nothing breaks. */
export function addressTexts(all: readonly AddressBreak[]): readonly string[] {
  if (all.length === 0) return [];
  const counts = [...new Set(all.map(countText))];
  const told = counts.map(count => {
    const some = all.filter(one => countText(one) === count).map(({ gap, reading }) => `${gap}=${reading}`);
    return `${count} would break under ${some.join(' or ')}`;
  });
  return [`It relies on where the provider is served: ${told.join(', ')}. --strict does not count this.`];
}

function countText({ breaks, tried }: AddressBreak): string {
  return `${breaks} of ${tried} interaction${tried === 1 ? '' : 's'}`;
}
