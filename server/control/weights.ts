// How much an action has to do, from what is at hand before it begins.
import type { World } from '../domain/world/world.js';
import type { CachedSandbox } from '../engine/session/cached-sandbox.js';
import { providerStateOf } from '../scenario/states/provider-states.js';
import type { ControlContext } from './actions/control-context.js';

interface Asked {
  readonly sandbox: CachedSandbox | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Loading a scenario: its size is not known yet. */
const LOADING = Number.POSITIVE_INFINITY;
/** Bytes of the journal that cost as much as a record. */
const BYTES = 200;

/** Roughly the number of records that an action reads, makes or compares; 0: few. `play` asks the server itself, so it never waits here. */
export function weightOf(id: string, { sandbox, query, body }: Asked, { isLoaded }: ControlContext): number {
  const { scenario, text, state } = body as Readonly<Record<string, unknown>>;
  const world = sandbox === undefined ? 0 : recordsIn(sandbox.state.world);
  const journal = (sandbox?.journal.bytes ?? 0) / BYTES;
  switch (id) {
    case 'world.read':
      return query.part !== undefined || query.collection !== undefined ? 0 : world;
    case 'sandboxes.diff':
      return world / 10;
    case 'record.read':
      return world + journal;
    case 'journal.read':
    case 'journal.verify':
      return query.entry === undefined ? journal : 0;
    case 'journal.explain':
      return journal / 2;
    case 'sandboxes.create':
    case 'sandboxes.replace':
      return text !== undefined || (typeof scenario === 'string' && !isLoaded(scenario)) ? LOADING : 0;
    case 'provider-states.change':
      return typeof state === 'string' && providerStateOf(state) === undefined && !isLoaded(state) ? LOADING : 0;
    default:
      return 0;
  }
}

function recordsIn({ users, groups, spaces, pages, filters, dashboards }: World): number {
  return users.size + groups.size + spaces.size + pages.size + filters.size + dashboards.size;
}
