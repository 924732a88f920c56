// A merge-patch (RFC 7396) of the world's JSON form, at the cost of what it touches and not of the world.
// Does not judge what comes out: forms and references are checked before a patch becomes a fact.

import { inOneGo } from '../in-one-go.js';
import { buildingInPlace } from '../in-place.js';
import type { Licence, World } from '../world.js';
import { collection, collectionNames, writePages } from './form.js';
import type { CollectionName, PageForm, Sparse, SparseWorldForm } from './form-shapes.js';

export type WorldPatch = { readonly [C in CollectionName]?: Readonly<Record<string, unknown>> } & {
  readonly licence?: { readonly ppf?: Licence };
  readonly nextPageId?: number;
};

/** RFC 7396: objects merge key by key, `null` takes a key away, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** The merge-patch that makes one value out of another. Neither may hold `null`, which a merge-patch cannot write. */
export function patchBetween(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to;
  const gone = Object.keys(from).filter(key => !Object.hasOwn(to, key));
  const changed = Object.entries(to).filter(([key, value]) => !Object.hasOwn(from, key) || !isSame(from[key], value));
  return Object.fromEntries([
    ...gone.map(key => [key, null] as const),
    ...changed.map(([key, value]) => [key, patchBetween(from[key], value)] as const),
  ]);
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((element, i) => isSame(element, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

/** The records that a patch writes, as they will be, and nothing else of the world: what there is to check. */
export function writtenBy(world: World, patch: WorldPatch): SparseWorldForm {
  return inOneGo(writing(world, patch));
}

/** The same, which may be interrupted. */
export function* writing(world: World, patch: WorldPatch): Generator<unknown, SparseWorldForm> {
  const parts: Array<readonly [name: CollectionName, records: object]> = [];
  for (const name of collectionNames) {
    const { read } = collection(name);
    const records: Array<readonly [key: string, record: unknown]> = [];
    for (const [key, value] of Object.entries(patch[name] ?? {})) {
      if (value !== null) records.push([key, mergePatch(read(world, key), value)]);
      yield;
    }
    if (records.length > 0) parts.push([name, Object.fromEntries(records)]);
  }
  const { licence, nextPageId } = patch;
  return { ...Object.fromEntries(parts), ...(licence && { licence }), ...(nextPageId !== undefined && { nextPageId }) };
}

/** What came of a patch that was laid to be checked: it is laid on the same world once more when it becomes a fact. */
const laid = new WeakMap<WorldPatch, { readonly on: World; readonly world: World }>();

export function applyPatch(world: World, patch: WorldPatch): World {
  const known = laid.get(patch);
  laid.delete(patch);
  return known?.on === world ? known.world : inOneGo(patching(world, patch));
}

/** The same, which may be interrupted, and is remembered until the patch is applied. */
export function* tryingPatch(world: World, patch: WorldPatch): Generator<unknown, World> {
  const after = yield* patching(world, patch);
  laid.set(patch, { on: world, world: after });
  return after;
}

function* patching(world: World, patch: WorldPatch): Generator<unknown, World> {
  const isLarge = sizeOf(patch) > FEW;
  const after = yield* isLarge ? buildingInPlace(world, open => patched(open, patch)) : patched(world, patch);
  return {
    ...after,
    licence: Object.freeze({ ...after.licence, ...patch.licence }),
    nextPageId: Math.max(after.nextPageId, patch.nextPageId ?? 1),
  };
}

/** A patch of more records is laid in place, which costs as much as some records. */
const FEW = 8;

function sizeOf(patch: WorldPatch): number {
  return collectionNames.reduce((sum, name) => sum + Object.keys(patch[name] ?? {}).length, 0);
}

function* patched(world: World, patch: WorldPatch): Generator<unknown, World> {
  let after = world;
  for (const name of collectionNames) {
    const records = Object.entries(patch[name] ?? {});
    const isAllNew = name === 'pages' && records.every(([id, value]) => value !== null && !world.pages.has(id));
    if (isAllNew)
      after = writePages(
        after,
        records.map(([id, value]) => [id, mergePatch(undefined, value) as Sparse<PageForm>]),
      ); // checked before it became a fact
    else
      for (const [key, value] of records) {
        after = patchRecord(after, name, key, value);
        yield;
      }
  }
  return after;
}

/** Whether a patch takes something away, so that what is left may name what is gone. */
export function removes(patch: WorldPatch): boolean {
  return collectionNames.some(name => Object.values(patch[name] ?? {}).includes(null));
}

function patchRecord(world: World, name: CollectionName, key: string, value: unknown): World {
  const { read, write, remove } = collection(name);
  if (value === null) return remove(world, key);
  return write(world, key, mergePatch(read(world, key), value) as Parameters<typeof write>[2]); // checked before it became a fact
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
