// Responses to an interaction under every other reading of every gap that it touches, one at a time and two at once.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { locate } from '../../../server/operations/address.js';
import { type GapId, isGapId, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Explained, OwnFake } from '../providers/own-fake.js';

/** A gap with one of its readings. */
interface Chosen {
  readonly gap: GapId;
  readonly reading: string;
}

/** A response under other readings. */
export type Tried = { readonly explained: Explained } & (
  | { readonly kind: 'alone' | 'address'; readonly chosen: readonly [Chosen] }
  | { readonly kind: 'pair'; readonly chosen: readonly [Chosen, Chosen] }
);

/** Pairs tried for one interaction. */
export const MAX_PAIRS = 1_000;

/** `base`: the response under the configured readings. */
export async function trialsOf(
  fake: OwnFake,
  number: number,
  request: HttpRequest,
  base: Explained,
): Promise<{ readonly tried: readonly Tried[]; readonly isComplete: boolean }> {
  const tried: Tried[] = [];
  const pairs = new Set<string>();
  const ask = (...chosen: readonly Chosen[]) => fake.ask(number, request, readingsOf(chosen));
  for (const first of readingsBeside(base, request, true))
    tried.push({ kind: 'address', chosen: [first], explained: await ask(first) });
  for (const first of readingsBeside(base, request, false)) {
    const explained = await ask(first);
    tried.push({ kind: 'alone', chosen: [first], explained });
    // the second gap may decide only because the first has another reading
    for (const second of readingsBeside(explained, request, false)) {
      const key = [first, second].map(keyOf).sort().join();
      if (second.gap === first.gap || pairs.has(key)) continue;
      pairs.add(key);
      if (pairs.size > MAX_PAIRS) continue;
      tried.push({ kind: 'pair', chosen: [first, second], explained: await ask(first, second) });
    }
  }
  return { tried, isComplete: pairs.size <= MAX_PAIRS };
}

/**
 * Every other reading of the gaps that decided a response; `ofAddress`: of those about where the provider is served, which contracts leave to the
 * provider unless they use another prefix.
 */
function readingsBeside({ gaps, rules }: Explained, { path }: HttpRequest, ofAddress: boolean): Chosen[] {
  const isServed = rules.some(rule => rule.startsWith('address.'));
  const isCanonical = locate(path.split('?', 1)[0] ?? '')?.prefix === 'rest';
  const isLeft = (gap: string) => isServed && (gap === 'context-path' || (gap === 'wiki-prefix' && isCanonical));
  return Object.entries(gaps).flatMap(([gap, counting]) =>
    isGapId(gap) && isLeft(gap) === ofAddress
      ? readingNames(gap)
          .filter(reading => reading !== counting)
          .map(reading => ({ gap, reading }))
      : [],
  );
}

function keyOf({ gap, reading }: Chosen): string {
  return `${gap}=${reading}`;
}

function readingsOf(chosen: readonly Chosen[]): SomeReadings {
  return Object.fromEntries(chosen.map(({ gap, reading }) => [gap, reading])) as SomeReadings; // readings of their gaps
}
