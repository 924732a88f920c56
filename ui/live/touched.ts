// The parts that a change concerns, for marking and reading them again.
import type { CollectionName, Fact } from '../client/wire.js';

export interface Touched {
  readonly records: ReadonlyArray<readonly [collection: CollectionName, key: string]>;
  /** `records`: only these. `lists`: records were added or removed. `everything`: a new world. `settings`: readings, faults, clock or snapshots. */
  readonly scope: 'records' | 'lists' | 'everything' | 'settings';
}

const collections: readonly string[] = ['users', 'groups', 'spaces', 'pages', 'filters', 'dashboards', 'favourites'];

export function touchedBy(change: Fact): Touched {
  switch (change.type) {
    case 'user-created':
      return { records: [['users', String(change.user)]], scope: 'lists' };
    case 'group-created':
      return { records: [['groups', String(change.group)]], scope: 'lists' };
    case 'group-member-added':
    case 'group-member-removed':
    case 'group-members-set':
      return { records: [['groups', String(change.group)]], scope: 'records' };
    case 'page-permission-added':
    case 'page-permission-removed':
    case 'page-text-replaced':
      return { records: [['pages', String(change.page)]], scope: 'records' };
    case 'sidebar-link-added':
    case 'sidebar-link-replaced':
      return { records: [['spaces', String(change.space)]], scope: 'records' };
    case 'favourite-added':
    case 'favourite-removed':
      return {
        records: (change.users as readonly string[]).map(user => ['favourites', user] as const),
        scope: 'records',
      };
    case 'space-copied': // its pages have ids that no fact names
      return { records: [['spaces', String(change.target)]], scope: 'lists' };
    case 'world-patched':
      return { records: recordsTouched(change.patch as object), scope: 'lists' };
    case 'sandbox-reset':
    case 'restored':
    case 'rewound':
      return { records: [], scope: 'everything' };
    case 'readings-set':
    case 'faults-set':
    case 'faults-matched':
    case 'stubs-set':
    case 'stubs-matched':
    case 'clock-set':
    case 'snapshot-kept':
    case 'snapshot-dropped':
      return { records: [], scope: 'settings' };
  }
}

/** The records in a merge-patch of the world. */
export function recordsTouched(patch: object): Touched['records'] {
  return Object.entries(patch)
    .filter(([name]) => collections.includes(name))
    .flatMap(([name, records]: [string, unknown]) =>
      typeof records === 'object' && records !== null
        ? Object.keys(records).map(key => [name as CollectionName, key] as const)
        : [],
    );
}
