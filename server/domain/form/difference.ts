// Computes the merge-patch between two worlds in their JSON form, without writing out equal records.
import type { Map as PMap } from 'immutable';
import type { World } from '../world/world.js';
import { collection, collectionNames } from './form.js';
import type { CollectionName } from './form-shapes.js';
import { isSame, patchBetween, type WorldPatch } from './patch.js';

/** The merge-patch (RFC 7396) from the form of `from` to that of `to`. */
export function worldDifference(from: World, to: World): WorldPatch {
  return limitedDifference(from, to, Number.POSITIVE_INFINITY).patch;
}

/** The merge-patch of at most `limit` records of each collection. `more`: number of changed records left out. */
export function limitedDifference(from: World, to: World, limit: number): { patch: WorldPatch; more: number } {
  let more = 0;
  const parts = collectionNames.flatMap(name => {
    const keys = keysBetween(name, from, to);
    more += Math.max(0, keys.length - limit);
    const records = keys.slice(0, limit).flatMap(key => recordPatch(name, key, from, to));
    return records.length === 0 ? [] : [[name, Object.fromEntries(records)] as const];
  });
  const patch = {
    ...Object.fromEntries(parts),
    ...(from.licence.ppf !== to.licence.ppf && { licence: { ...to.licence } }),
    ...(from.nextPageId !== to.nextPageId && { nextPageId: to.nextPageId }),
  };
  return { patch, more };
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

/** The keys of possibly different records, sorted by name. Every user has favourites in the form, even if not in the world. */
function keysBetween(name: CollectionName, from: World, to: World): string[] {
  const keys = differing(from[name], to[name]);
  return [...new Set(name === 'favourites' ? [...keys, ...differing(from.users, to.users)] : keys)].sort();
}

/** The keys with different values. Records are immutable, so the same object is unchanged. */
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
