// A part of a world for display: some records of one collection by key, with long values cut.

import type { World } from '../world/world.js';
import { collection, collectionNames, mapOf, sortedByKey } from './form.js';
import type { CollectionName } from './form-shapes.js';

export interface PartAsked {
  readonly collection: CollectionName;
  /** The first matching record, from 0. */
  readonly offset: number;
  /** Maximum records. */
  readonly limit: number;
  /** Only records whose key or name contains this text, in any letter case. */
  readonly containing?: string;
  /** Only the records with these keys, if they exist. */
  readonly keys?: readonly string[];
  /** Whether to return long texts and lists uncut. */
  readonly isWhole: boolean;
}

export interface RecordPart {
  readonly key: string;
  readonly record: unknown;
  /** Original length of each cut value by JSON pointer; absent: none. */
  readonly cut?: Readonly<Record<string, number>>;
}

export interface WorldPart {
  readonly counts: Readonly<Record<CollectionName, number>>;
  readonly licence: World['licence'];
  readonly nextPageId: number;
  readonly collection: CollectionName;
  readonly matching: number;
  readonly offset: number;
  readonly records: readonly RecordPart[];
}

/** Characters of a cut text, and elements of a cut list. */
const TEXT = 300;
const LIST = 40;

export function readPart(world: World, asked: PartAsked): WorldPart {
  const { collection: name, offset, limit, containing = '', isWhole } = asked;
  const { read } = collection(name);
  const keys = asked.keys ?? sortedByKey(world, name);
  const matching = containing === '' ? keys : matchingKeys(world, name, keys, containing.toLowerCase());
  const records: RecordPart[] = [];
  for (const key of matching.slice(offset, offset + limit)) {
    const record = read(world, key);
    if (record !== undefined) records.push({ key, ...(isWhole ? { record } : cutRecord(record)) });
  }
  const counts = Object.fromEntries(collectionNames.map(each => [each, mapOf(world, each).size]));
  return {
    counts: counts as WorldPart['counts'], // one for each collection
    licence: world.licence,
    nextPageId: world.nextPageId,
    collection: name,
    matching: matching.length,
    offset,
    records,
  };
}

function matchingKeys(world: World, name: CollectionName, keys: readonly string[], wanted: string): readonly string[] {
  return keys.filter(
    key => key.toLowerCase().includes(wanted) || labelOf(world, name, key).toLowerCase().includes(wanted),
  );
}

/** Display name of a record, besides its key. */
function labelOf(world: World, name: CollectionName, key: string): string {
  switch (name) {
    case 'users':
      return world.users.get(key)?.displayName ?? '';
    case 'spaces':
      return world.spaces.get(key)?.name ?? '';
    case 'pages':
      return world.pages.get(key)?.title ?? '';
    case 'filters':
    case 'dashboards':
      return world[name].get(Number(key))?.name ?? '';
    default:
      return '';
  }
}

function cutRecord(record: unknown): Pick<RecordPart, 'record' | 'cut'> {
  const cut: Record<string, number> = {};
  const cutValue = (value: unknown, pointer: string): unknown => {
    if (typeof value === 'string') return value.length <= TEXT ? value : cutAt(value, TEXT, pointer);
    if (Array.isArray(value))
      return (value.length <= LIST ? value : cutAt(value, LIST, pointer)).map((each: unknown, i) =>
        cutValue(each, `${pointer}/${i}`),
      );
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cutValue(each, `${pointer}/${key}`)]));
  };
  const cutAt = <T extends string | unknown[]>(value: T, length: number, pointer: string): T => {
    cut[pointer] = value.length;
    return value.slice(0, length) as T;
  };
  const shown = cutValue(record, '');
  return { record: shown, ...(Object.keys(cut).length > 0 && { cut }) };
}
