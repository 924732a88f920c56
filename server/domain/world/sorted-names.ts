// Sorted names of sets. Large sets are sorted once and updated with changes, so that a page of a large group is cheap.
import type { Map as PMap, Set as PSet } from 'immutable';

/** Smaller sets are sorted each time. */
const LARGE = 1_000;
/** Maximum number of changes since a set was sorted; with more it is sorted again. */
const MAX_CHANGED = 500;
/** Maximum elements of all kept lists, some 8 MB; the oldest lists are dropped. */
const MAX_KEPT = 1_000_000;

const lists = new WeakMap<object, readonly string[]>();
const kept: Array<{ readonly of: WeakRef<object>; readonly size: number }> = [];
let size = 0;
/** The sorted set that a set derives from, and the names changed since. */
const derived = new WeakMap<PSet<string>, { readonly from: readonly string[]; readonly changed: readonly string[] }>();

/** A list that follows from an immutable object, kept for a while if it is long. */
export function cachedList(of: object, make: () => readonly string[]): readonly string[] {
  const known = lists.get(of);
  if (known !== undefined) return known;
  const made = make();
  if (made.length >= LARGE) keep(of, made);
  return made;
}

function keep(of: object, list: readonly string[]): void {
  lists.set(of, list);
  size += kept[kept.push({ of: new WeakRef(of), size: list.length }) - 1]?.size ?? 0;
  while (size > MAX_KEPT && kept.length > 1) {
    const oldest = kept.shift();
    const gone = oldest?.of.deref();
    if (gone !== undefined) lists.delete(gone);
    size -= oldest?.size ?? 0;
  }
}

export function sortedNames(names: PSet<string>): readonly string[] {
  return cachedList(names, () => {
    const origin = derived.get(names);
    derived.delete(names);
    return origin === undefined ? [...names].sort() : changedList(origin.from, origin.changed, names);
  });
}

export function sortedKeys(map: PMap<string, unknown>): readonly string[] {
  return cachedList(map, () => [...map.keys()].sort());
}

/** Records what a set derives from; `changed`: added or removed names. Free if nobody has used the order before. */
export function keepSorted(before: PSet<string>, after: PSet<string>, changed: readonly string[]): void {
  if (before.size < LARGE || before === after) return;
  const from = lists.get(before);
  const origin = from === undefined ? derived.get(before) : { from, changed: [] };
  if (origin === undefined || origin.changed.length + changed.length > MAX_CHANGED) return;
  derived.set(after, { from: origin.from, changed: [...origin.changed, ...changed] });
}

function changedList(from: readonly string[], changed: readonly string[], names: PSet<string>): readonly string[] {
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
