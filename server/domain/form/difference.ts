// What makes one world out of another, as a merge-patch of its JSON form: at the cost of going through the records, and of writing out those that differ.
// Knows nothing of how the one became the other.
import type { Map as PMap } from 'immutable';
import type { World } from '../world.js';
import { collection, collectionNames } from './form.js';
import type { CollectionName } from './form-shapes.js';
import { isSame, patchBetween, type WorldPatch } from './patch.js';

/** The merge-patch (RFC 7396) that makes the form of `to` out of that of `from`. */
export function worldDifference(from: World, to: World): WorldPatch {
  const parts = collectionNames.flatMap(name => {
    const records = keysBetween(name, from, to).flatMap(key => recordPatch(name, key, from, to));
    return records.length === 0 ? [] : [[name, Object.fromEntries(records)] as const];
  });
  return {
    ...Object.fromEntries(parts),
    ...(from.licence.ppf !== to.licence.ppf && { licence: { ...to.licence } }),
    ...(from.nextPageId !== to.nextPageId && { nextPageId: to.nextPageId }),
  };
}

function recordPatch(
  name: CollectionName,
  key: string,
  from: World,
  to: World,
): Array<readonly [key: string, patch: unknown]> {
  const { read } = collection(name);
  const [before, after] = [read(from, key), read(to, key)];
  if (after === undefined) return before === undefined ? [] : [[key, null]];
  if (before === undefined) return [[key, after]];
  return isSame(before, after) ? [] : [[key, patchBetween(before, after)]];
}

/** The keys of the records that may differ, in the order of their names. Every user has favourites in the form, whether or not in the world. */
function keysBetween(name: CollectionName, from: World, to: World): string[] {
  const keys = differing(from[name], to[name]);
  return [...new Set(name === 'favourites' ? [...keys, ...differing(from.users, to.users)] : keys)].sort();
}

/** The keys whose values are not the same. Records are replaced whole, so that one that is the same object has not changed. */
export function differing(from: PMap<string | number, unknown>, to: PMap<string | number, unknown>): string[] {
  if (from === to) return [];
  const keys: string[] = [];
  let added = 0;
  to.forEach((record, key) => {
    const before = from.get(key);
    if (before === record) return;
    keys.push(String(key));
    if (before === undefined) added += 1;
  });
  if (to.size - added === from.size) return keys;
  from.forEach((_, key) => {
    if (!to.has(key)) keys.push(String(key));
  });
  return keys;
}
