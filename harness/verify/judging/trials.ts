// Responses to an interaction that a server which keeps the document may give instead: under every other reading of every gap it touches, one at a
// time and two at once, and those that differ in what the document leaves open without a gap.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { locate } from '../../../server/operations/address.js';
import { type GapId, isGapId, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { RawResponse } from '../../../server/scenario/play/target.js';
import type { Interaction } from '../contract/contract.js';
import type { Explained, OwnFake } from '../providers/own-fake.js';
import { alternativesTo } from './alternative-responses.js';

/** A gap with one of its readings. */
interface Chosen {
  readonly gap: GapId;
  readonly reading: string;
}

/** A response under other readings, or one that differs in what the document does not show. */
export type Tried = { readonly response: RawResponse } & (
  | { readonly kind: 'alone' | 'address'; readonly chosen: readonly [Chosen] }
  | { readonly kind: 'pair'; readonly chosen: readonly [Chosen, Chosen] }
  | { readonly kind: 'unshown'; readonly says: string }
);

/** `base`: the response under the configured readings. */
export async function trialsOf(
  fake: OwnFake,
  { number, interaction }: { readonly number: number; readonly interaction: Interaction },
  request: HttpRequest,
  base: Explained,
  withPairs: boolean,
): Promise<Tried[]> {
  const tried: Tried[] = alternativesTo(base, interaction).map(one => ({ kind: 'unshown', ...one }));
  const pairs = new Set<string>();
  const ask = (...chosen: readonly Chosen[]) => fake.ask(number, request, readingsOf(chosen));
  for (const first of readingsBeside(base, request, true))
    tried.push({ kind: 'address', chosen: [first], response: (await ask(first)).response });
  for (const first of readingsBeside(base, request, false)) {
    const under = await ask(first);
    tried.push({ kind: 'alone', chosen: [first], response: under.response });
    if (!withPairs) continue;
    // the second gap may decide only because the first has another reading
    for (const second of readingsBeside(under, request, false)) {
      const key = [first, second].map(keyOf).sort().join();
      if (second.gap === first.gap || pairs.has(key)) continue;
      pairs.add(key);
      tried.push({ kind: 'pair', chosen: [first, second], response: (await ask(first, second)).response });
    }
  }
  return tried;
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
