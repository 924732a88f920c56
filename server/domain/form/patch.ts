// Applies a merge-patch (RFC 7396) of the world's JSON form at a cost proportional to the patch. The patch must be valid.

import type { Licence, World } from '../world/world.js';
import { buildInPlace } from '../world/world-builder.js';
import { collection, collectionNames, writePages } from './form.js';
import type { CollectionName, SparseForm, SparseWorldForm } from './form-shapes.js';

export type WorldPatch = { readonly [C in CollectionName]?: Readonly<Record<string, unknown>> } & {
  readonly licence?: { readonly ppf?: Licence };
  readonly nextPageId?: number;
};

/** RFC 7396: objects are merged by key, `null` removes a key, other values replace. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** The merge-patch between two values. Neither may contain `null`, which a merge-patch cannot express. */
export function patchBetween(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to;
  const gone = Object.keys(from).filter(key => !Object.hasOwn(to, key));
  const changed = Object.entries(to).filter(([key, value]) => !Object.hasOwn(from, key) || !isSame(from[key], value));
  return Object.fromEntries([
    ...gone.map(key => [key, null] as const),
    ...changed.map(([key, value]) => [key, patchBetween(from[key], value)] as const),
  ]);
}

/** Whether two JSON values are equal, whatever the order of keys. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((element, i) => isSame(element, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

/** The records that a patch writes, in their new form. */
export function writtenBy(world: World, patch: WorldPatch): SparseWorldForm {
  const parts: Array<readonly [name: CollectionName, records: object]> = [];
  for (const name of collectionNames) {
    const { read } = collection(name);
    const records: Array<readonly [key: string, record: unknown]> = [];
    for (const [key, value] of Object.entries(patch[name] ?? {})) {
      if (value !== null) records.push([key, mergePatch(read(world, key), value)]);
    }
    if (records.length > 0) parts.push([name, Object.fromEntries(records)]);
  }
  const { licence, nextPageId } = patch;
  return { ...Object.fromEntries(parts), ...(licence && { licence }), ...(nextPageId !== undefined && { nextPageId }) };
}

/** Cache of a patched world: a patch is applied once for its check, and once as a fact. */
const laid = new WeakMap<WorldPatch, { readonly on: World; readonly world: World }>();

export function applyPatch(world: World, patch: WorldPatch): World {
  const known = laid.get(patch);
  laid.delete(patch);
  return known?.on === world ? known.world : patched(world, patch);
}

/** Cached until the patch is applied, so that checking and applying cost one pass. */
export function tryPatch(world: World, patch: WorldPatch): World {
  const after = patched(world, patch);
  laid.set(patch, { on: world, world: after });
  return after;
}

function patched(world: World, patch: WorldPatch): World {
  const isLarge = sizeOf(patch) > FEW;
  const after = isLarge ? buildInPlace(world, open => withRecords(open, patch)) : withRecords(world, patch);
  return {
    ...after,
    licence: Object.freeze({ ...after.licence, ...patch.licence }),
    nextPageId: Math.max(after.nextPageId, patch.nextPageId ?? 1),
  };
}

/** Patches with more records are applied in place, which has a fixed cost of some records. */
const FEW = 8;

function sizeOf(patch: WorldPatch): number {
  return collectionNames.reduce((sum, name) => sum + Object.keys(patch[name] ?? {}).length, 0);
}

function withRecords(world: World, patch: WorldPatch): World {
  let after = world;
  for (const name of collectionNames) {
    const records = Object.entries(patch[name] ?? {});
    const isAllNew = name === 'pages' && records.every(([id, value]) => value !== null && !world.pages.has(id));
    if (isAllNew) after = writePages(after, records.map(mergedPage));
    else for (const [key, value] of records) after = patchRecord(after, name, key, value);
  }
  return after;
}

function mergedPage([id, value]: readonly [id: string, value: unknown]): readonly [string, SparseForm<'pages'>] {
  return [id, mergePatch(undefined, value) as SparseForm<'pages'>]; // validated before it became a fact
}

/** Whether a patch removes something, so that references may dangle. */
export function removes(patch: WorldPatch): boolean {
  return collectionNames.some(name => Object.values(patch[name] ?? {}).includes(null));
}

function patchRecord(world: World, name: CollectionName, key: string, value: unknown): World {
  const { read, write, remove } = collection(name);
  if (value === null) return remove(world, key);
  return write(world, key, mergePatch(read(world, key), value) as Parameters<typeof write>[2]); // validated before it became a fact
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
