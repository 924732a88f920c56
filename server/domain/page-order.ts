// The order of the pages of a space: by position, then by id. Cached for a set of page ids, which changes whenever a page is added, removed or moved.
import type { Set as PSet } from 'immutable';
import { noPages, type Page, type World } from './world.js';

interface Order {
  readonly ids: readonly string[];
  readonly positions: Float64Array;
  /** Indexes of restricted pages, for the latest sets: sandboxes may share pages with different restrictions. */
  readonly restricted: Array<{ readonly of: PSet<string>; readonly places: Uint32Array }>;
}

const MOST_SETS = 8;

const orders = new WeakMap<PSet<string>, Order>();

/** Pages added to an empty space bring their order, if they have one. */
export function keepOrder(ids: PSet<string>, pages: ReadonlyArray<readonly [id: string, page: Page]>): void {
  const positions = Float64Array.from(pages, ([, { position }]) => position);
  for (let i = 1; i < pages.length; i += 1) {
    const step = (positions[i] ?? 0) - (positions[i - 1] ?? 0);
    if (step < 0 || (step === 0 && Number(pages[i]?.[0]) <= Number(pages[i - 1]?.[0]))) return;
  }
  if (ids.size === pages.length) orders.set(ids, { ids: pages.map(([id]) => id), positions, restricted: [] });
}

export function pageOrder(world: World, space: string): readonly string[] {
  return orderOf(world, space).ids;
}

/** Indexes of the pages of a space with a view restriction, ascending. */
export function restrictedPlaces(world: World, space: string): Uint32Array {
  const { restricted } = world.pageIndex.get(space) ?? noPages;
  const order = orderOf(world, space);
  const known = order.restricted.find(({ of }) => of === restricted);
  if (known !== undefined) return known.places;
  const places = new Uint32Array(restricted.size);
  let count = 0;
  for (const id of restricted) places[count++] = placeIn(order, id, world.pages.get(id)?.position ?? 0);
  places.sort();
  order.restricted.unshift({ of: restricted, places });
  order.restricted.length = Math.min(order.restricted.length, MOST_SETS);
  return places;
}

/** The index of a page, by binary search. */
function placeIn({ ids, positions }: Order, id: string, position: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (((positions[middle] ?? 0) - position || Number(ids[middle]) - Number(id)) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function orderOf(world: World, space: string): Order {
  const { ids } = world.pageIndex.get(space) ?? noPages;
  const known = orders.get(ids);
  if (known !== undefined) return known;
  const unsorted = [...ids];
  const where = Float64Array.from(unsorted, id => world.pages.get(id)?.position ?? 0);
  const numbers = Float64Array.from(unsorted, Number);
  const places = Uint32Array.from(unsorted.keys()).sort(
    (a, b) => (where[a] ?? 0) - (where[b] ?? 0) || (numbers[a] ?? 0) - (numbers[b] ?? 0),
  );
  const order = {
    ids: Array.from(places, place => unsorted[place] ?? ''),
    positions: Float64Array.from(places, place => where[place] ?? 0),
    restricted: [],
  };
  orders.set(ids, order);
  return order;
}
