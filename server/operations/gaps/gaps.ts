// All gaps; the first reading of each is the default.
import type { Gap } from './gap.js';
import { addressGaps } from './gaps-address.js';
import { ppfGaps } from './gaps-ppf.js';
import { requestGaps } from './gaps-request.js';
import { wikiGaps } from './gaps-wiki.js';

export const gaps = { ...addressGaps, ...wikiGaps, ...requestGaps, ...ppfGaps } as const;

export type GapId = keyof typeof gaps;
/** The names of a gap's readings; for `context-path` also any literal with a leading slash. */
export type Reading<G extends GapId = GapId> =
  | (typeof gaps)[G]['readings'][number][0]
  | (G extends 'context-path' ? `/${string}` : never);
export type Readings = { readonly [G in GapId]: Reading<G> };
export type SomeReadings = { readonly [G in GapId]?: Reading<G> };

export const gapIds = Object.keys(gaps) as GapId[];

export function gapSpec(id: GapId): Gap {
  return gaps[id];
}

export function isGapId(name: string): name is GapId {
  return Object.hasOwn(gaps, name);
}

/** The names of a gap's readings, the default first. */
export function readingNames(id: GapId): string[] {
  return gapSpec(id).readings.map(([name]) => name);
}

/** The names, and the form of literal readings, if there are any: what documents list. */
export function namesAndForm(id: GapId): string[] {
  const { open } = gapSpec(id);
  return [...readingNames(id), ...(open === undefined ? [] : [open.form])];
}

export function isReading<G extends GapId>(id: G, name: string): name is Reading<G> & string {
  return readingNames(id).includes(name) || (gapSpec(id).open?.pattern.test(name) ?? false);
}

export const defaultReadings: Readings = Object.freeze(
  Object.fromEntries(gapIds.map(id => [id, gaps[id].readings[0][0]])) as unknown as Readings, // one for each gap
);

/** Merges readings; later ones win. */
export function layReadings(base: Readings, ...layers: readonly (SomeReadings | undefined)[]): Readings {
  return Object.assign({}, base, ...layers) as Readings; // each layer holds readings of the gaps it names
}

/** The mistakes of a client that the deciding readings forgive, each with the reading. */
export function warningsOf(deciding: Readonly<Partial<Record<GapId, string>>>): string[] {
  const warnings: string[] = [];
  for (const id in deciding) {
    if (!isGapId(id)) continue;
    const forgives = gapSpec(id).readings.find(([name]) => name === deciding[id])?.[2];
    if (forgives !== undefined)
      warnings.push(`${forgives} ${id}=${deciding[id]} accepts it, and another server may not.`);
  }
  return warnings;
}
