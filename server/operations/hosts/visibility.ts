// Who may see what in the hosts: what a caller may not see is absent from every answer.
import { pageOrder, pagePlace } from '../../domain/page-order.js';
import { isRestricted } from '../../domain/pages.js';
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
    const { size } = (viewer.world.pageIndex.get(space) ?? noPages).ids;
    const hidden = hiddenPlaces(viewer, space);
    if (skip >= size - hidden.length) skip -= size - hidden.length;
    else {
      take(pageOrder(viewer.world, space), hidden, skip, most, found);
      skip = 0;
    }
  }
  return found;
}

/** The places of the pages of a space that the caller may not view, ascending. Costs the restricted pages, however many others there are. */
function hiddenPlaces(viewer: Viewer, space: string): readonly number[] {
  const { world } = viewer;
  const places: number[] = [];
  for (const id of (world.pageIndex.get(space) ?? noPages).restricted) {
    const page = world.pages.get(id);
    if (page !== undefined && !mayView(viewer, page)) places.push(pagePlace(world, space, id));
  }
  return places.sort((a, b) => a - b);
}

function take(order: readonly string[], hidden: readonly number[], skip: number, most: number, found: string[]): void {
  let passed = 0;
  while (passed < hidden.length && (hidden[passed] ?? 0) <= skip + passed) passed += 1;
  for (let at = skip + passed; at < order.length && found.length < most; at += 1) {
    if (hidden[passed] === at) passed += 1;
    else found.push(order[at] ?? '');
  }
}
