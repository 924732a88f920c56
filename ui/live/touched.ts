// The parts that a change concerns, for marking and reading them again.
import type { CollectionName, Fact } from '../client/wire.js';

export interface Touched {
  readonly records: ReadonlyArray<readonly [collection: CollectionName, key: string]>;
  /** `everything`: a new world. `settings`: readings, faults, stubs, clock or snapshots. */
  readonly scope: 'records' | 'everything' | 'settings';
}

const collections: readonly string[] = ['users', 'groups', 'spaces', 'pages', 'filters', 'dashboards', 'favourites'];

export function touchedBy(change: Fact): Touched {
  const record = (collection: CollectionName, key: unknown): Touched => ({
    records: [[collection, String(key)]],
    scope: 'records',
  });
  switch (change.type) {
    case 'user-created':
      return record('users', change.user);
    case 'group-created':
    case 'group-member-added':
    case 'group-member-removed':
    case 'group-members-set':
      return record('groups', change.group);
    case 'page-permission-added':
    case 'page-permission-removed':
    case 'page-text-replaced':
      return record('pages', change.page);
    case 'sidebar-link-added':
    case 'sidebar-link-replaced':
      return record('spaces', change.space);
    case 'space-copied': // its pages have ids that no fact names
      return record('spaces', change.target);
    case 'favourite-added':
    case 'favourite-removed':
      return { records: change.users.map(user => ['favourites', String(user)] as const), scope: 'records' };
    case 'world-patched':
      return {
        records: Object.entries(change.patch)
          .filter(([name]) => collections.includes(name))
          .flatMap(([name, records]) => Object.keys(records).map(key => [name as CollectionName, key] as const)),
        scope: 'records',
      };
    case 'sandbox-reset':
    case 'restored':
    case 'rewound':
      return { records: [], scope: 'everything' };
    default:
      return { records: [], scope: 'settings' };
  }
}
