// Approximate memory that a change needs while the state before it is kept, and that facts need in a journal.
import { weighValue } from '../../domain/size.js';
import type { Change, State } from './state.js';

/** The entry, the state, and the copied path through the world's trees to one record. */
const ENTRY = 700;
const CHANGE = 500;
/** One record for each user whose favourites change, and for each removed page. */
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

/** Approximate memory of facts in bytes: their texts, and a word for each list element. */
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
