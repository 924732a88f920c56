// The parts of a world that its JSON form does not contain, so that both together are complete.
import { lastPositionIn } from '../world/pages.js';
import { noFavourites, noPages, type World, withPushed } from '../world/world.js';
import { differing } from './difference.js';
import type { FavouritesForm } from './form-shapes.js';
import { favouritesForm, favouritesFrom } from './record-forms.js';

export interface BeyondForm {
  /** By space: the last position in it, even if its page is gone. */
  readonly lastPositions?: Readonly<Record<string, number>>;
  /** By name: favourites of names that are no users; `null`: removed. */
  readonly favourites?: Readonly<Record<string, FavouritesForm | null>>;
  /** By name: the favourites that were pushed, of each user whose favourites differ. */
  readonly pushed?: Readonly<Record<string, FavouritesForm>>;
  /** If it is lower: a patch never lowers it. */
  readonly nextPageId?: number;
}

/** What does not follow from `from` and the patch between both forms. Reads the spaces, and the favourites if users or favourites differ. */
export function beyondForm(world: World, from: World): BeyondForm {
  const lastPositions = differing(from.pageIndex, world.pageIndex)
    .map(space => [space, lastPositionIn(world, space)] as const)
    .filter(([space, position]) => position !== lastPositionIn(from, space));
  const favourites = strayFavourites(world, from);
  const pushed = pushedFavourites(world, from);
  return {
    ...(lastPositions.length > 0 && { lastPositions: Object.fromEntries(lastPositions.sort(byKey)) }),
    ...(favourites.length > 0 && { favourites: Object.fromEntries(favourites.sort(byKey)) }),
    ...(pushed.length > 0 && { pushed: Object.fromEntries(pushed.sort(byKey)) }),
    ...(world.nextPageId < from.nextPageId && { nextPageId: world.nextPageId }),
  };
}

/** The world with the parts that its form does not contain. */
export function withBeyond(world: World, beyond: BeyondForm): World {
  const { lastPositions = {}, favourites = {}, pushed = {}, nextPageId = world.nextPageId } = beyond;
  return {
    ...world,
    nextPageId,
    pageIndex: world.pageIndex.withMutations(map => {
      for (const [space, lastPosition] of Object.entries(lastPositions))
        map.set(space, { ...(map.get(space) ?? noPages), lastPosition });
    }),
    favourites: world.favourites.withMutations(map => {
      for (const [user, form] of Object.entries(favourites))
        if (form === null) map.delete(user);
        else map.set(user, favouritesFrom(form));
      for (const [user, form] of Object.entries(pushed))
        map.set(user, withPushed(map.get(user) ?? noFavourites, favouritesFrom(form)));
    }),
  };
}

function strayFavourites(world: World, from: World): Array<readonly [string, FavouritesForm | null]> {
  if (world.users === from.users && world.favourites === from.favourites) return [];
  const stray: Array<readonly [string, FavouritesForm | null]> = [];
  for (const [user, favourites] of world.favourites) {
    const isSame = favourites === from.favourites.get(user) && !from.users.has(user);
    if (!world.users.has(user) && !isSame) stray.push([user, favouritesForm(favourites)]);
  }
  for (const user of from.favourites.keys())
    if (!from.users.has(user) && !world.users.has(user) && !world.favourites.has(user)) stray.push([user, null]);
  return stray;
}

function pushedFavourites(world: World, from: World): Array<readonly [string, FavouritesForm]> {
  if (world.favourites === from.favourites) return [];
  const found: Array<readonly [string, FavouritesForm]> = [];
  for (const [user, favourites] of world.favourites) {
    const before = from.favourites.get(user);
    if (favourites !== before && (favourites.pushed ?? before?.pushed) !== undefined)
      found.push([user, favouritesForm(favourites.pushed ?? noFavourites)]);
  }
  return found;
}

/** Whether the same favourites count as pushed. */
export function isPushedAlike(a: World, b: World): boolean {
  const pushedIn = ({ favourites }: World) =>
    [...favourites].flatMap(([user, { pushed }]) =>
      pushed === undefined ? [] : [[user, favouritesForm(pushed)] as const],
    );
  return JSON.stringify(pushedIn(a).sort(byKey)) === JSON.stringify(pushedIn(b).sort(byKey));
}

/** So that equal worlds have equal texts. */
function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
