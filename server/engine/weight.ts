// Roughly, how much memory is taken by a change as long as the state before it is kept too, and by facts in a journal. Knows how worlds are made, and no
// bounds.
import type { Change, State } from './state.js';

/** The entry, the state, and what of the world's trees is copied on the way to one record. */
const ENTRY = 700;
const CHANGE = 500;
/** A record of its own for each user whose favourites change, and for each page that is gone. */
const FAVOURITES = 200;
const PAGE = 1_000;
/** An element of a list, which becomes that of a set. */
const ELEMENT = 180;
/** A text or an object, besides what is in it. */
const VALUE = 48;

export function weigh(changes: readonly Change[], before: State, after: State): number {
  let bytes = ENTRY + PAGE * Math.max(0, before.world.pages.size - after.world.pages.size);
  for (const change of changes) {
    bytes += CHANGE + weighValue(change);
    if (change.type === 'favourite-added' || change.type === 'favourite-removed')
      bytes += FAVOURITES * change.users.length;
  }
  return bytes;
}

/** Every text and every element in it, however deep. */
function weighValue(value: unknown): number {
  if (typeof value === 'string') return VALUE + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = VALUE + (Array.isArray(value) ? ELEMENT * value.length : 0);
  for (const key in value) bytes += weighValue(value[key as keyof typeof value]);
  return bytes;
}

/** Roughly the bytes that facts keep in memory: their texts, and a word for each element of their lists. */
export function weighFacts(facts: readonly object[]): number {
  let bytes = 0;
  for (const fact of facts) {
    for (const key in fact) {
      const value = fact[key as keyof typeof fact] as unknown;
      bytes += typeof value === 'string' ? value.length : Array.isArray(value) ? value.length * 24 : 8;
    }
  }
  return bytes;
}
