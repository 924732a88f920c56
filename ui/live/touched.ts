// The parts that a change concerns, for marking and reading them again.
import type { CollectionName, Fact } from '../client/wire.js';

export interface Touched {
  readonly records: ReadonlyArray<readonly [collection: CollectionName, key: string]>;
  /** `everything`: a new world. `settings`: readings, faults, stubs, clock or snapshots. */
  readonly scope: 'records' | 'everything' | 'settings';
}

/** The field of a fact that names what it changes; the first one that it has counts. */
const naming: ReadonlyArray<readonly [field: string, collection: CollectionName]> = [
  ['group', 'groups'],
  ['page', 'pages'],
  ['space', 'spaces'],
  ['target', 'spaces'],
  ['users', 'favourites'],
  ['user', 'users'],
];

export function touchedBy(change: Fact): Touched {
  if (change.type === 'world-patched') {
    const { licence: _, nextPageId: __, ...collections } = change.patch;
    const records = Object.entries(collections).flatMap(([name, part]) =>
      Object.keys(part).map(key => [name as CollectionName, key] as const),
    );
    return { records, scope: 'records' };
  }
  if (['sandbox-reset', 'restored', 'rewound'].includes(change.type)) return { records: [], scope: 'everything' };
  const fields = new Map<string, unknown>(Object.entries(change));
  for (const [field, collection] of naming)
    if (fields.has(field)) {
      const keys = [fields.get(field)].flat();
      return { records: keys.map(key => [collection, String(key)] as const), scope: 'records' };
    }
  return { records: [], scope: 'settings' };
}
