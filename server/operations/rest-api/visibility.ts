// Visibility in Confluence and Jira: responses contain only what the caller may see.
import { isRestricted, pageIdsOf } from '../../domain/world/pages.js';
import { cachedList, sortedKeys } from '../../domain/world/sorted-names.js';
import { type Item, noPages, type Page, type PageIndex, type World } from '../../domain/world/world.js';
import { isAdmin, isAmong, type Viewer } from '../access.js';
import { callerName } from '../operation-context.js';

/** A view restriction lists permitted users and groups; wiki admins may view every page. */
export function mayView(viewer: Viewer, page: Page): boolean {
  return !isRestricted(page) || isAdmin(viewer) || isAmong(viewer, page.view);
}

/** A filter or a dashboard is visible to its owner and to those it is shared with; everyone includes anonymous callers. */
export function maySee(viewer: Viewer, { owner, sharedWith }: Item): boolean {
  if (sharedWith === 'everyone') return true;
  if (viewer.caller.kind === 'anonymous') return false;
  return viewer.caller.name === owner || (sharedWith !== 'nobody' && isAmong(viewer, sharedWith));
}

/** The groups of a user by name. */
export function groupsOf({ groups }: World, user: string): readonly string[] {
  return sortedKeys(groups).filter(group => groups.get(group)?.has(user));
}

/** The ids of the pages of some spaces that the caller may view, space by space in their order: `most` of them from the place `start` on. */
export function visiblePages(viewer: Viewer, spaces: Iterable<string>, start: number, most: number): string[] {
  const found: string[] = [];
  let skip = start;
  for (const space of spaces) {
    if (found.length >= most) break;
    const ids = visiblePagesOf(viewer, space);
    found.push(...ids.slice(skip, skip + most - found.length));
    skip = Math.max(0, skip - ids.length);
  }
  return found;
}

/** The last caller and list of each space with restricted pages; another index follows each change of its pages. */
const filtered = new WeakMap<
  PageIndex,
  { readonly name: string; readonly groups: World['groups']; readonly of: object }
>();

function visiblePagesOf(viewer: Viewer, space: string): readonly string[] {
  const { world, caller } = viewer;
  const index = world.pageIndex.get(space) ?? noPages;
  const all = pageIdsOf(world, space);
  if (index.restricted.size === 0 || isAdmin(viewer)) return all;
  const name = callerName(caller);
  let last = filtered.get(index);
  if (last?.name !== name || last.groups !== world.groups) {
    last = { name, groups: world.groups, of: {} };
    filtered.set(index, last);
  }
  const isVisible = (id: string) => {
    const page = index.restricted.has(id) ? world.pages.get(id) : undefined;
    return page === undefined || isAmong(viewer, page.view);
  };
  return cachedList(last.of, () => all.filter(isVisible));
}
