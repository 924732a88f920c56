// The answers to an interaction under every other reading of every gap it touches, one at a time and two at once.
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { locate } from '../../../server/operations/address.js';
import { type GapId, isGapId, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Answered } from '../../../server/scenario/play/target.js';
import type { Explained, OwnFake } from '../providers/own-fake.js';

/** A gap with one of its readings. */
export interface Chosen {
  readonly gap: GapId;
  readonly reading: string;
}

/** The answer under readings that replace the configured ones. */
export interface Tried {
  readonly chosen: readonly [Chosen] | readonly [Chosen, Chosen];
  readonly answer: Answered;
}

/** Each other reading alone. */
export function tryAlone(fake: OwnFake, number: number, request: HttpRequest, base: Explained): Promise<Tried[]> {
  return tryEach(fake, number, request, othersOf(base, request));
}

/** Each other reading of where the provider is served, if the contract leaves that open. */
export function tryAddresses(fake: OwnFake, number: number, request: HttpRequest, base: Explained): Promise<Tried[]> {
  return tryEach(fake, number, request, readingsBeside(base, request, true));
}

async function tryEach(fake: OwnFake, number: number, request: HttpRequest, all: readonly Chosen[]): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const chosen of all) {
    const { answer } = await fake.ask(number, request, readingsOf(chosen));
    tried.push({ chosen: [chosen], answer });
  }
  return tried;
}

/** Two other readings at once, of gaps that decide together: the second gap still decides, or only decides, if the first has another reading. */
export async function tryPairs(fake: OwnFake, number: number, request: HttpRequest, base: Explained): Promise<Tried[]> {
  const tried = new Map<string, Tried>();
  for (const first of othersOf(base, request)) {
    const under = await fake.ask(number, request, readingsOf(first));
    for (const second of othersOf(under, request)) {
      const key = [first, second]
        .map(({ gap, reading }) => `${gap}=${reading}`)
        .sort()
        .join();
      if (second.gap === first.gap || tried.has(key)) continue;
      const { answer } = await fake.ask(number, request, readingsOf(first, second));
      tried.set(key, { chosen: [first, second], answer });
    }
  }
  return [...tried.values()];
}

/**
 * Every other reading of the gaps that decided an answer. Where the wiki extension is served is left to the provider, unless the contract uses
 * another prefix.
 */
function othersOf(base: Explained, request: HttpRequest): Chosen[] {
  return readingsBeside(base, request, false);
}

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

function readingsOf(...chosen: readonly Chosen[]): SomeReadings {
  return Object.fromEntries(chosen.map(({ gap, reading }) => [gap, reading])) as SomeReadings; // readings of their gaps
}
