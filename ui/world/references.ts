// Which records refer to one that is about to be deleted, and the patch that deletes it with these references.
import { ControlError, type Sandbox } from '../client/control-client.js';
import type { CollectionName, Json, JsonObject } from '../client/wire.js';
import { isJsonObject, patchBetween } from '../parts/changes/change.js';

export interface RecordReference {
  readonly collection: CollectionName;
  readonly key: string;
  /** The field of the record, such as `edit/users`; empty: the record itself. */
  readonly field: string;
  /** Whether the record cannot do without it, such as the owner of a filter. */
  readonly isRequired: boolean;
}

interface Removal {
  readonly patch: JsonObject;
  readonly references: readonly RecordReference[];
}

const required: readonly string[] = ['owner', 'space'];

/** Asks the server until no reference is left, or only required ones: it reports only so many errors at a time. */
export async function removalOf(inSandbox: Sandbox, collection: CollectionName, key: string): Promise<Removal> {
  const removed = { [collection]: { [key]: null } };
  const found = new Map<string, RecordReference>();
  let patch: JsonObject = removed;
  for (;;) {
    const known = found.size;
    for (const reference of await danglingAfter(inSandbox, patch))
      found.set(`${reference.collection}/${reference.key}/${reference.field}`, reference);
    if (found.size === known) return { patch, references: [...found.values()] };
    patch = await without(inSandbox, key, [...found.values()], removed);
  }
}

async function danglingAfter(inSandbox: Sandbox, patch: JsonObject): Promise<RecordReference[]> {
  try {
    await inSandbox.check(patch);
    return [];
  } catch (error) {
    if (!(error instanceof ControlError && error.status === 422)) throw error;
    return error.errors.flatMap(({ referrer }) => (referrer === undefined ? [] : [referenceAt(referrer)]));
  }
}

/** `pointer`: of the place that names the record. */
function referenceAt(pointer: string): RecordReference {
  const parts = pointer.split('/').map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [, collection, key = '', ...fields] = parts;
  const field = fields.filter(part => !/^\d+$/.test(part)).join('/');
  return { collection: collection as CollectionName, key, field, isRequired: required.includes(field) }; // the server named it
}

async function without(
  inSandbox: Sandbox,
  name: string,
  references: readonly RecordReference[],
  removed: JsonObject,
): Promise<JsonObject> {
  let patch = removed;
  for (const { collection, key, isRequired } of references) {
    const { [collection]: others = {} } = patch;
    if (isRequired || !isJsonObject(others) || key in others) continue;
    const { records } = await inSandbox.part({ collection, keys: [key], whole: true });
    const record = records[0]?.record;
    const own = references.filter(other => other.collection === collection && other.key === key);
    const changed = own.some(({ field }) => field === '' && isJsonObject(record)) ? null : dropped(record, name);
    patch = { ...patch, [collection]: { ...others, [key]: changed === null ? null : patchBetween(record, changed) } };
  }
  return patch;
}

/** A value without a name: in lists, and in fields that hold only it. */
function dropped(value: Json | undefined, name: string): Json {
  if (Array.isArray(value)) return value.filter((each: Json) => String(each) !== name).map(each => dropped(each, name));
  if (!isJsonObject(value)) return value ?? null;
  const kept = Object.entries(value).filter(([field, each]) => each !== name || !dispensable.includes(field));
  return Object.fromEntries(kept.map(([field, each]) => [field, dropped(each, name)]));
}

/** Fields of one name that have a default. */
const dispensable: readonly string[] = ['author', 'updatedBy'];
