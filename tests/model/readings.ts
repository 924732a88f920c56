// The gaps of the document: each with its readings, the default first. Their names are the ledger's; what they mean, the model says itself.
import { type GapId, gapIds, readingNames } from '../../server/operations/gaps/gaps.js';

const literals: { readonly [G in GapId]?: readonly string[] } = { 'context-path': ['/wiki'] };

export const gaps: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  gapIds.map(gap => [gap, [...readingNames(gap), ...(literals[gap] ?? [])]]),
);

export type ModelReadings = Readonly<Record<string, string>>;

export const defaults: ModelReadings = Object.fromEntries(
  Object.entries(gaps).map(([gap, [first = '']]) => [gap, first]),
);

/** `gap=reading, …`; `undefined` for an unknown gap or reading. */
export function readingsIn(text: string | undefined): ModelReadings | undefined {
  const pairs = (text ?? '')
    .split(',')
    .map(pair => pair.trim().split('='))
    .filter(([gap]) => gap !== '');
  const isKnown = pairs.every(
    ([gap = '', reading = '']) =>
      Object.hasOwn(gaps, gap) &&
      (gaps[gap]?.includes(reading) || (gap === 'context-path' && /^\/[\w.-]+$/.test(reading))),
  );
  return isKnown ? Object.fromEntries(pairs) : undefined;
}
