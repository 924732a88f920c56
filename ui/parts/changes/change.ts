// The changes of records in a merge-patch: changed fields, added and removed list elements.
import type { CollectionName, Json, JsonObject } from '../../client/wire.js';

export interface FieldChange {
  /** Empty if the record itself is the value. */
  readonly field: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export interface RecordChange {
  readonly collection: CollectionName | 'licence';
  readonly key: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly fields: readonly FieldChange[];
}

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The display name of a user, the title of a page, the name of a filter: what people know a record by. */
export function nameOf(record: Json | undefined): string | undefined {
  const name = isJsonObject(record) ? (record.displayName ?? record.title ?? record.name) : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** RFC 7396. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map<string, Json>(isJsonObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** `before`: the records of the patch before it. */
export function changesOf(patch: JsonObject, before: ReadonlyMap<string, Json>): RecordChange[] {
  return Object.entries(patch).flatMap(([collection, records]) => {
    if (collection === 'licence') return [licenceChange(records)];
    if (!isJsonObject(records)) return []; // the next page id is nobody's affair
    return Object.entries(records).map(([key, part]) =>
      recordChange(collection as CollectionName, key, part, before.get(`${collection}/${key}`)),
    );
  });
}

function licenceChange(part: Json): RecordChange {
  const after = isJsonObject(part) ? part.ppf : part;
  return { collection: 'licence', key: 'ppf', kind: 'changed', fields: [{ field: '', before: undefined, after }] };
}

function recordChange(collection: CollectionName, key: string, part: Json, before: Json | undefined): RecordChange {
  if (part === null) return { collection, key, kind: 'removed', fields: [] };
  const after = mergePatch(before, part);
  const kind = before === undefined ? 'added' : 'changed';
  return { collection, key, kind, fields: fieldChanges('', before, after).filter(isVisible) };
}

function fieldChanges(field: string, before: Json | undefined, after: Json | undefined): FieldChange[] {
  if (isSame(before, after)) return [];
  const isDeep = isJsonObject(after) && (before === undefined || isJsonObject(before));
  if (!isDeep) return [{ field, before, after }];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])];
  return names.flatMap(name =>
    fieldChanges(
      field === '' ? name : `${field}.${name}`,
      isJsonObject(before) ? before[name] : undefined,
      after[name],
    ),
  );
}

/** An empty list in a new record is not shown. */
function isVisible({ before, after }: FieldChange): boolean {
  return !(before === undefined && Array.isArray(after) && after.length === 0);
}

/** Common, added and removed elements of two lists. What both begin and end with is not looked at: lists can be long. */
export function listChange(before: readonly Json[], after: readonly Json[]) {
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && isSame(before[start], after[start])) start += 1;
  while (end < most - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const texts = (list: readonly Json[]) => new Set(list.map(textOf));
  const [oldTexts, freshTexts] = [texts(old), texts(fresh)];
  const isKept = (each: Json) => oldTexts.has(textOf(each));
  return {
    kept: [...after.slice(0, start), ...fresh.filter(isKept), ...after.slice(after.length - end)],
    gone: old.filter(each => !freshTexts.has(textOf(each))),
    added: fresh.filter(each => !isKept(each)),
  };
}

/** The merge-patch (RFC 7396) that makes one value out of another. */
export function patchBetween(before: Json | undefined, after: Json): Json {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const patch = new Map<string, Json>();
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch.set(name, null);
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (old === undefined) patch.set(name, value);
    else if (!isSame(old, value)) patch.set(name, patchBetween(old, value));
  }
  return Object.fromEntries(patch);
}

/** The fields that two changes of one value set differently, as JSON pointers. */
export function conflictsBetween(
  base: Json | undefined,
  one: Json | undefined,
  other: Json | undefined,
  at = '',
): string[] {
  if (isSame(base, one) || isSame(base, other) || isSame(one, other)) return [];
  if (!isJsonObject(base) || !isJsonObject(one) || !isJsonObject(other)) return [at];
  const names = [...new Set([...Object.keys(base), ...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap(name => conflictsBetween(base[name], one[name], other[name], `${at}/${name}`));
}

const textOf = (value: Json | undefined) => JSON.stringify(value);

export const isSame = (one: Json | undefined, other: Json | undefined) =>
  one === other || textOf(one) === textOf(other);
