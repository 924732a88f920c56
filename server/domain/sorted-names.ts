// Sorted names of sets. Large sets are sorted once and updated with changes, so that a page of a large group is cheap.
import type { Map as PMap, Set as PSet } from 'immutable';

/** Smaller sets are sorted each time. */
const LARGE = 1_000;
/** Maximum number of changes since a set was sorted; with more it is sorted again. */
const MAX_CHANGED = 500;

const sorted = new WeakMap<object, readonly string[]>();
/** The sorted set that a set derives from, and the names changed since. */
const derived = new WeakMap<PSet<string>, { readonly from: readonly string[]; readonly changed: readonly string[] }>();

export function sortedNames(names: PSet<string>): readonly string[] {
  if (names.size < LARGE) return [...names].sort();
  const known = sorted.get(names);
  if (known !== undefined) return known;
  const origin = derived.get(names);
  const made = origin === undefined ? [...names].sort() : kept(origin.from, origin.changed, names);
  sorted.set(names, made);
  derived.delete(names);
  return made;
}

/** The sorted keys of a map. */
export function sortedKeys(map: PMap<string, unknown>): readonly string[] {
  if (map.size < LARGE) return [...map.keys()].sort();
  const known = sorted.get(map);
  if (known !== undefined) return known;
  const made = [...map.keys()].sort();
  sorted.set(map, made);
  return made;
}

/** Records what a set derives from; `changed`: added or removed names. Free if nobody has used the order before. */
export function keepSorted(before: PSet<string>, after: PSet<string>, changed: readonly string[]): void {
  if (before.size < LARGE || before === after) return;
  const from = sorted.get(before);
  const origin = from === undefined ? derived.get(before) : { from, changed: [] };
  if (origin === undefined || origin.changed.length + changed.length > MAX_CHANGED) return;
  derived.set(after, { from: origin.from, changed: [...origin.changed, ...changed] });
}

function kept(from: readonly string[], changed: readonly string[], names: PSet<string>): readonly string[] {
  const list = [...from];
  for (const name of changed) {
    const at = placeOf(list, name);
    const isThere = list[at] === name;
    if (isThere === names.has(name)) continue;
    if (isThere) list.splice(at, 1);
    else list.splice(at, 0, name);
  }
  return list;
}

/** The index of a name, or its insertion point. */
function placeOf(list: readonly string[], name: string): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
