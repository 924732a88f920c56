// Finds out whether a contract relies on where the provider is served. Reported once for each file, because a client's base URL is the same for all
// interactions.
import { counted } from '../../../server/derive/text/counted.js';
import type { AddressBreak, Verdict } from '../contract/verdict.js';

/** `verdicts`: those of one contract. */
export function addressBreaks(verdicts: readonly Verdict[]): readonly AddressBreak[] {
  const all = verdicts.flatMap(({ addresses }) => addresses);
  const readings = new Map(all.map(({ gap, reading }) => [`${gap}=${reading}`, { gap, reading }]));
  return [...readings.values()].flatMap(({ gap, reading }) => {
    const tried = all.filter(trial => trial.gap === gap && trial.reading === reading);
    const broken = tried.filter(({ passes }) => !passes);
    const { difference } = broken.find(trial => trial.difference !== undefined) ?? {};
    if (broken.length === 0) return [];
    return [{ gap, reading, breaks: broken.length, tried: tried.length, ...(difference && { difference }) }];
  });
}

/** `It relies on where the provider is served: 13 of 13 interactions would fail under wiki-prefix=bare. …` Empty if none breaks. */
export function addressTexts(all: readonly AddressBreak[]): readonly string[] {
  if (all.length === 0) return [];
  const counts = [...new Set(all.map(countText))];
  const texts = counts.map(count => {
    const some = all.filter(one => countText(one) === count).map(({ gap, reading }) => `${gap}=${reading}`);
    return `${count} would fail under ${some.join(' or ')}`;
  });
  return [`The contract relies on the base path of its provider: ${texts.join(', ')}. --strict ignores this.`];
}

function countText({ breaks, tried }: AddressBreak): string {
  return `${breaks} of ${counted(tried, 'interaction')}`;
}
