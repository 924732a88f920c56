// Finds out whether a contract relies on where the provider is served. Reported once for each file, because a client's base URL is the same for all
// interactions.
import { counted } from '../../../server/derive/text/counted.js';
import type { GapId } from '../../../server/operations/gaps/gaps.js';
import type { Difference, Verdict } from '../contract/verdict.js';

/** A reading of such a gap under which interactions of a file break. */
export interface AddressBreak {
  readonly gap: GapId;
  readonly reading: string;
  /** How many passed interactions fail under this reading. */
  readonly breaks: number;
  readonly tried: number;
  /** The first difference of the first of them. */
  readonly difference?: Difference;
}

/** `verdicts`: those of one contract. */
export function addressBreaks(verdicts: readonly Verdict[]): readonly AddressBreak[] {
  const found = new Map<string, AddressBreak>();
  for (const { gap, reading, passes, difference } of verdicts.flatMap(({ addresses }) => addresses)) {
    const key = `${gap}=${reading}`;
    const before = found.get(key) ?? { gap, reading, breaks: 0, tried: 0 };
    const first = before.difference ?? difference;
    const breaks = before.breaks + (passes ? 0 : 1);
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

/** `It relies on where the provider is served: 13 of 13 interactions would fail under wiki-prefix=bare. …` Empty if none breaks. */
export function addressTexts(all: readonly AddressBreak[]): readonly string[] {
  if (all.length === 0) return [];
  const counts = [...new Set(all.map(countText))];
  const texts = counts.map(count => {
    const some = all.filter(one => countText(one) === count).map(({ gap, reading }) => `${gap}=${reading}`);
    return `${count} would fail under ${some.join(' or ')}`;
  });
  return [`It relies on where the provider is served: ${texts.join(', ')}. --strict does not count this.`];
}

function countText({ breaks, tried }: AddressBreak): string {
  return `${breaks} of ${counted(tried, 'interaction')}`;
}
