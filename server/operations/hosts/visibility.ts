// Who may see what in the hosts: what a caller may not see is absent from every answer.
import { isRestricted, pageOrder } from '../../domain/pages.js';
import { type Item, type Names, noPages, type Page, type World } from '../../domain/world.js';
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
    if (found.length === most) break;
    const { ids, restricted } = viewer.world.pageIndex.get(space) ?? noPages;
    const hidden = new Set(restricted.filter(id => !canView(viewer, id)));
    const visible = ids.size - hidden.size;
    if (skip >= visible) skip -= visible;
    else {
      take(viewer.world, space, hidden, skip, most, found);
      skip = 0;
    }
  }
  return found;
}

/** Costs the hidden pages and those that are taken, whatever the size of the space. */
function take(
  world: World,
  space: string,
  hidden: ReadonlySet<string>,
  skip: number,
  most: number,
  found: string[],
): void {
  const order = pageOrder(world, space);
  let at = skip + hiddenBefore(world, space, hidden, skip);
  for (; at < order.length && found.length < most; at += 1) {
    const id = order[at];
    if (id !== undefined && !hidden.has(id)) found.push(id);
  }
}

/** How many hidden pages stand before the visible page of a place. */
function hiddenBefore(world: World, space: string, hidden: ReadonlySet<string>, place: number): number {
  const places = [...hidden].map(id => placeOf(world, space, id)).sort((a, b) => a - b);
  let before = 0;
  while (before < places.length && (places[before] ?? 0) <= place + before) before += 1;
  return before;
}

/** By halves: pages stand in ascending position, then id. */
function placeOf(world: World, space: string, id: string): number {
  const order = pageOrder(world, space);
  const positionOf = (other: string) => world.pages.get(other)?.position ?? 0;
  const own = positionOf(id);
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = order[middle] ?? '';
    if ((positionOf(other) - own || Number(other) - Number(id)) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function canView(viewer: Viewer, id: string): boolean {
  const page = viewer.world.pages.get(id);
  return page !== undefined && mayView(viewer, page);
}
