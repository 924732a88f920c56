// Roughly, how much memory is taken by a change as long as the state before it is kept too, and by facts in a journal. Knows how worlds are made, and no
// bounds.
import { weighValue } from '../../domain/size.js';
import type { Change, State } from './state.js';

/** The entry, the state, and what of the world's trees is copied on the way to one record. */
const ENTRY = 700;
const CHANGE = 500;
/** A record of its own for each user whose favourites change, and for each page that is gone. */
const FAVOURITES = 200;
const PAGE = 1_000;

export function weigh(changes: readonly Change[], before: State, after: State): number {
  let bytes = ENTRY + PAGE * Math.max(0, before.world.pages.size - after.world.pages.size);
  for (const change of changes) {
    bytes += CHANGE + weighValue(change);
    if (change.type === 'favourite-added' || change.type === 'favourite-removed')
      bytes += FAVOURITES * change.users.length;
  }
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
