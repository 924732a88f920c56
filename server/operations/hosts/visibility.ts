// Who may see what in the hosts: what a caller may not see is absent from every answer.
import { pageOrder, restrictedPlaces } from '../../domain/page-order.js';
import { isRestricted } from '../../domain/pages.js';
import type { Item, Names, Page, World } from '../../domain/world.js';
import type { Caller } from '../operation-context.js';

interface Viewer {
  readonly world: World;
  readonly caller: Caller;
}

/** A restriction to view names those who may; an admin of the wiki may view every page. */
export function mayView(viewer: Viewer, page: Page): boolean {
  return !isRestricted(page) || isAdmin(viewer) || isAmong(viewer, page.view);
}

/** A filter or a dashboard is seen by its owner and by those with whom it is shared; everyone includes anonymous callers. */
export function maySee(viewer: Viewer, { owner, sharedWith }: Item): boolean {
  if (sharedWith === 'everyone') return true;
  if (viewer.caller.kind === 'anonymous') return false;
  return viewer.caller.name === owner || (sharedWith !== 'nobody' && isAmong(viewer, sharedWith));
}

function isAdmin({ world, caller }: Viewer): boolean {
  return caller.kind === 'user' && world.users.get(caller.name)?.admin === true;
}

function isAmong({ world, caller }: Viewer, { users, groups }: Names): boolean {
  if (caller.kind === 'anonymous') return false;
  return users.has(caller.name) || groups.some(group => world.groups.get(group)?.has(caller.name) === true);
}

/** The ids of the pages of some spaces that the caller may view, space by space in their order: `most` of them from the place `start` on. */
export function visiblePages(viewer: Viewer, spaces: Iterable<string>, start: number, most: number): string[] {
  const found: string[] = [];
  let skip = start;
  for (const space of spaces) {
    if (found.length >= most) break;
    skip = take(viewer, space, skip, most, found);
  }
  return found;
}

/** Adds the visible pages of a space behind the first `skip` of them; gives how many are still to be skipped. */
function take(viewer: Viewer, space: string, skip: number, most: number, found: string[]): number {
  const order = pageOrder(viewer.world, space);
  let left = skip;
  let from = 0;
  const takeRun = (to: number) => {
    for (let at = from + left; at < to && found.length < most; at += 1) found.push(order[at] ?? '');
    left = Math.max(0, left - (to - from));
    from = to + 1;
  };
  for (const place of hiddenPlaces(viewer, space, order)) {
    takeRun(place);
    if (found.length >= most) return 0;
  }
  takeRun(order.length);
  return left;
}

/** The places of the pages of a space that the caller may not view, ascending. Nothing is judged behind the place at which the reader stops. */
function* hiddenPlaces(viewer: Viewer, space: string, order: readonly string[]): Generator<number, void> {
  const { world } = viewer;
  if (isAdmin(viewer)) return;
  for (const place of restrictedPlaces(world, space)) {
    const page = world.pages.get(order[place] ?? '');
    if (page !== undefined && !isAmong(viewer, page.view)) yield place;
  }
}
