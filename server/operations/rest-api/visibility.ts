// Visibility in the hosts: answers contain only what the caller may see.
import { type Hidden, type LetIn, type PageOrder, takeVisible } from '../../domain/page-order.js';
import { isRestricted } from '../../domain/pages.js';
import { sortedKeys } from '../../domain/sorted-names.js';
import { type Item, type Names, noPages, type Page, type World } from '../../domain/world.js';
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
  const hidden = hiddenFrom(viewer);
  let skip = start;
  for (const space of spaces) {
    if (found.length >= most) break;
    const { order } = viewer.world.pageIndex.get(space) ?? noPages;
    skip = takeVisible(order, hidden, skip, most, found);
  }
  return found;
}

/** How many pages of a part of an order those of a sight may not view. */
const counts = new WeakMap<PageOrder, Map<number, number>>();
/** Sights that are kept, of one part and of all groups. */
const [MAX_OF_PART, MAX_SIGHTS] = [8, 256];

function hiddenFrom(viewer: Viewer): Hidden {
  if (isAdmin(viewer)) return { known: () => 0, keep: () => {}, isHidden: () => false, visibleIn: () => undefined };
  const { number, groups } = sightOf(viewer);
  const name = callerName(viewer.caller);
  let judged: Names | undefined;
  let isAllowed = false;
  return {
    known: part => counts.get(part)?.get(number),
    keep: (part, hidden) => {
      const kept = counts.get(part) ?? new Map<number, number>();
      counts.set(part, withinMost(kept, MAX_OF_PART).set(number, hidden));
    },
    isHidden: ({ view }) => {
      if (view === undefined) return false;
      if (view !== judged) {
        judged = view; // neighbours often have the same
        isAllowed = view.users.has(name) || (groups.size > 0 && view.groups.some(group => groups.has(group)));
      }
      return !isAllowed;
    },
    visibleIn: letIn => visibleTo(name, groups, letIn),
  };
}

function visibleTo(name: string, own: ReadonlySet<string>, { users, groups }: LetIn): number | undefined {
  const counts = [users.get(name), ...countsOf(own, groups)].filter(count => count !== undefined);
  return counts.length > 1 ? undefined : (counts[0] ?? 0);
}

/** The counts of some groups, found by way of the smaller collection. */
function countsOf(own: ReadonlySet<string>, counts: LetIn['groups']): readonly (number | undefined)[] {
  if (own.size < counts.size) return [...own].map(group => counts.get(group));
  return [...counts].map(([group, count]) => (own.has(group) ? count : undefined));
}

/** What decides which restrictions let a caller pass: the name, and the groups. The number stands for both. */
interface Sight {
  readonly number: number;
  readonly groups: ReadonlySet<string>;
}

const sights = new WeakMap<World['groups'], Map<string, Sight>>();
const numbers = new Map<string, number>();
/** Longer lists of groups get another number each time. */
const LONGEST = 10_000;
let lastNumber = 0;

function sightOf({ world, caller }: Viewer): Sight {
  const { groups } = world;
  const bySight = sights.get(groups) ?? new Map<string, Sight>();
  const name = callerName(caller); // no user is called as the anonymous caller is
  const known = bySight.get(name);
  if (known !== undefined) return known;
  const own = caller.kind === 'user' ? groupsOf(world, name) : [];
  const sight = { number: numberOf(JSON.stringify([name, ...own])), groups: new Set(own) };
  sights.set(groups, withinMost(bySight, MAX_SIGHTS).set(name, sight));
  return sight;
}

function numberOf(text: string): number {
  const number = numbers.get(text) ?? ++lastNumber;
  if (text.length <= LONGEST) withinMost(numbers, MAX_SIGHTS).set(text, number);
  return number;
}

/** The map without its oldest, so that there is room for one more. */
function withinMost<K, V>(map: Map<K, V>, most: number): Map<K, V> {
  for (const oldest of map.keys()) {
    if (map.size < most) break;
    map.delete(oldest);
  }
  return map;
}
