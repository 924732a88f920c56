// The pages of a space in their order, as a persistent tree that counts: ascending position, then ascending id. Adding a page, moving it or restricting it
// shares all but the way to it with the tree before, so that what is kept about a part of the tree stays true until a page in it changes.
import { is, type Set as PSet } from 'immutable';

export interface PlacedPage {
  readonly id: string;
  readonly position: number;
  /** Who may view it; absent: everyone. */
  readonly view?: Viewers | undefined;
}

interface Viewers {
  readonly users: PSet<string>;
  readonly groups: PSet<string>;
}

export type PageOrder = Leaf | Branch;

interface Counts {
  readonly size: number;
  /** Pages with a view restriction. */
  readonly restricted: number;
}

interface Leaf extends Counts {
  readonly pages: readonly PlacedPage[];
  /** Absent: a restriction has too many names, or there is none. */
  readonly letIn?: LetIn;
}

/** By user and by group: how many pages of a leaf they may view. */
export interface LetIn {
  readonly users: ReadonlyMap<string, number>;
  readonly groups: ReadonlyMap<string, number>;
}

interface Branch extends Counts {
  readonly parts: readonly PageOrder[];
  readonly first: PlacedPage;
}

/** Pages of a leaf, or parts of a branch, at most. */
const WIDTH = 64;
/** Restrictions of more names are neither compared with one another nor counted by name. */
const MAX_NAMES = 8;

export const noOrder: PageOrder = leaf([]);

/** An order with a page in it, or with another page of its id at its position. */
export function orderWith(order: PageOrder, page: PlacedPage): PageOrder {
  const [one = noOrder, ...others] = placed(order, page);
  return others.length === 0 ? one : branch([one, ...others]);
}

export function orderWithout(order: PageOrder, page: PlacedPage): PageOrder {
  let left = removed(order, page) ?? noOrder;
  while ('parts' in left && left.parts.length === 1) left = left.parts[0] ?? noOrder;
  return left;
}

/** The order of pages that stand in it already, in one pass; any others are placed one by one. */
export function orderWithAll(order: PageOrder, pages: readonly PlacedPage[]): PageOrder {
  const isOrdered = pages.every((page, i) => i === 0 || compare(pages[i - 1] ?? page, page) < 0);
  if (order.size > 0 || !isOrdered) return pages.reduce(orderWith, order);
  const shared: PlacedPage[] = [];
  for (const page of pages) shared.push(sharing(page, shared.at(-1)));
  let parts: PageOrder[] = chunks(shared).map(leaf);
  while (parts.length > 1) parts = chunks(parts).map(branch);
  return parts[0] ?? noOrder;
}

export function* pagesIn(order: PageOrder): Generator<PlacedPage, void> {
  if ('pages' in order) yield* order.pages;
  else for (const part of order.parts) yield* pagesIn(part);
}

/** What somebody may not view, with what is known of parts of an order. */
export interface Hidden {
  isHidden(page: PlacedPage): boolean;
  /** How many of the restricted pages of a leaf are not hidden; `undefined`: several names let in, perhaps to the same pages. */
  visibleIn(letIn: LetIn): number | undefined;
  /** How many pages of a branch are hidden; `undefined`: it is not known yet. */
  known(part: PageOrder): number | undefined;
  keep(part: PageOrder, hidden: number): void;
}

/**
 * Adds the ids of the pages that are not hidden behind the first `skip` of these, until `found` has `most`; returns how many are still to be skipped. Of the
 * branches that nothing is known about yet, it looks at none behind the last page that is found.
 */
export function takeVisible(order: PageOrder, hidden: Hidden, skip: number, most: number, found: string[]): number {
  const count = hiddenIn(order, hidden);
  if (count !== undefined && skip >= order.size - count) return skip - (order.size - count);
  let left = skip;
  if ('pages' in order) {
    for (const page of order.pages) {
      if (found.length >= most) return 0;
      if (hidden.isHidden(page)) continue;
      if (left > 0) left -= 1;
      else found.push(page.id);
    }
    return left;
  }
  let sum = 0;
  for (const part of order.parts) {
    if (found.length >= most) return 0;
    left = takeVisible(part, hidden, left, most, found);
    sum += hiddenIn(part, hidden) ?? Number.NaN;
  }
  if (!Number.isNaN(sum)) hidden.keep(order, sum);
  return left;
}

/** `undefined`: it would take a look at many pages. */
function hiddenIn(order: PageOrder, hidden: Hidden): number | undefined {
  if (order.restricted === 0) return 0;
  if ('pages' in order) return hiddenInLeaf(order, hidden);
  const known = hidden.known(order);
  if (known !== undefined || 'parts' in (order.parts[0] ?? order)) return known;
  let count = 0;
  for (const part of order.parts) count += hiddenIn(part, hidden) ?? 0;
  hidden.keep(order, count);
  return count;
}

function hiddenInLeaf({ pages, restricted, letIn }: Leaf, hidden: Hidden): number {
  const visible = letIn && hidden.visibleIn(letIn);
  if (visible !== undefined) return restricted - visible;
  return pages.reduce((count, page) => (hidden.isHidden(page) ? count + 1 : count), 0);
}

function leaf(pages: readonly PlacedPage[]): Leaf {
  const views = pages.flatMap(({ view }) => view ?? []);
  return leafOf(pages, views.length, letInBy(views));
}

function leafOf(pages: readonly PlacedPage[], restricted: number, letIn: LetIn | undefined): Leaf {
  return { pages, size: pages.length, restricted, ...(letIn && { letIn }) };
}

/** The leaf after one page was removed, added or replaced. */
function changedLeaf({ restricted, letIn }: Leaf, pages: readonly PlacedPage[], change: LeafChange): Leaf {
  const { lost, got } = change;
  if (lost?.view === got?.view) return leafOf(pages, restricted, letIn);
  if (letIn === undefined || isLong(got?.view)) return leaf(pages);
  const counts = { users: new Map(letIn.users), groups: new Map(letIn.groups) };
  if (lost?.view !== undefined) count(counts, lost.view, -1);
  if (got?.view !== undefined) count(counts, got.view, 1);
  const more = (got?.view === undefined ? 0 : 1) - (lost?.view === undefined ? 0 : 1);
  return leafOf(pages, restricted + more, restricted + more === 0 ? undefined : counts);
}

interface LeafChange {
  readonly lost?: PlacedPage | undefined;
  readonly got?: PlacedPage | undefined;
}

function letInBy(views: readonly Viewers[]): LetIn | undefined {
  if (views.length === 0 || views.some(isLong)) return undefined;
  const counts = { users: new Map<string, number>(), groups: new Map<string, number>() };
  for (const view of views) count(counts, view, 1);
  return counts;
}

function isLong(view: Viewers | undefined): boolean {
  return view !== undefined && view.users.size + view.groups.size > MAX_NAMES;
}

interface Counting {
  readonly users: Map<string, number>;
  readonly groups: Map<string, number>;
}

function count({ users, groups }: Counting, view: Viewers, one: 1 | -1): void {
  for (const name of view.users) add(users, name, one);
  for (const name of view.groups) add(groups, name, one);
}

function add(counts: Map<string, number>, name: string, one: 1 | -1): void {
  const sum = (counts.get(name) ?? 0) + one;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}

function branch(parts: readonly PageOrder[]): Branch {
  let [size, restricted] = [0, 0];
  for (const part of parts) {
    size += part.size;
    restricted += part.restricted;
  }
  return { parts, size, restricted, first: firstOf(parts[0] ?? noOrder) };
}

/** Of a leaf that has a page. */
function firstOf(order: PageOrder): PlacedPage {
  return 'first' in order ? order.first : (order.pages[0] ?? { id: '0', position: 0 });
}

/** One part, or two where it has become too wide. */
function placed(order: PageOrder, page: PlacedPage): PageOrder[] {
  if ('pages' in order) {
    const at = placeIn(order.pages, page);
    const isThere = order.pages[at]?.id === page.id;
    const shared = sharing(sharing(page, order.pages[at - 1]), order.pages[at + (isThere ? 1 : 0)]);
    const pages = order.pages.toSpliced(at, isThere ? 1 : 0, shared);
    if (pages.length > WIDTH) return halves(pages).map(leaf);
    return [changedLeaf(order, pages, { lost: isThere ? order.pages[at] : undefined, got: shared })];
  }
  const at = partOf(order, page);
  const parts = placed(order.parts[at] ?? noOrder, page);
  return halves(order.parts.toSpliced(at, 1, ...parts)).map(branch);
}

/** `undefined`: nothing is left. */
function removed(order: PageOrder, page: PlacedPage): PageOrder | undefined {
  if ('pages' in order) {
    const at = placeIn(order.pages, page);
    if (order.pages[at]?.id !== page.id) return order;
    return order.size === 1 ? undefined : changedLeaf(order, order.pages.toSpliced(at, 1), { lost: order.pages[at] });
  }
  const at = partOf(order, page);
  const part = order.parts[at] ?? noOrder;
  const left = removed(part, page);
  if (left === part) return order;
  const parts = left === undefined ? order.parts.toSpliced(at, 1) : order.parts.with(at, left);
  return parts.length === 0 ? undefined : branch(parts);
}

/** The first place that is not before a page, found by halves. */
function placeIn(pages: readonly PlacedPage[], page: PlacedPage): number {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(pages[middle] ?? page, page) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last part that does not begin behind a page, else the first. */
function partOf({ parts }: Branch, page: PlacedPage): number {
  let low = 1;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(firstOf(parts[middle] ?? noOrder), page) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Neighbours often have the same restriction: then they have one object, which is judged once. */
function sharing(page: PlacedPage, neighbour: PlacedPage | undefined): PlacedPage {
  const [own, other] = [page.view, neighbour?.view];
  if (own === undefined || other === undefined || own === other) return page;
  if (own.users.size + own.groups.size > MAX_NAMES) return page;
  return is(own.users, other.users) && is(own.groups, other.groups) ? { ...page, view: other } : page;
}

function compare(a: PlacedPage, b: PlacedPage): number {
  return a.position - b.position || Number(a.id) - Number(b.id);
}

function halves<T>(list: readonly T[]): ReadonlyArray<readonly T[]> {
  if (list.length <= WIDTH) return [list];
  const middle = list.length >> 1;
  return [list.slice(0, middle), list.slice(middle)];
}

function chunks<T>(list: readonly T[]): ReadonlyArray<readonly T[]> {
  return Array.from({ length: Math.ceil(list.length / WIDTH) }, (_, i) => list.slice(i * WIDTH, (i + 1) * WIDTH));
}
