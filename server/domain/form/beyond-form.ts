// What a world holds that its JSON form does not tell, so that form and this together are the whole of it.
// Knows nothing of where they are written.
import { OrderedMap } from 'immutable';
import { noPages, type World } from '../world.js';
import { differing } from './difference.js';
import type { FavouritesForm } from './form-shapes.js';
import { favouritesForm, favouritesFrom } from './record-forms.js';

export interface BeyondForm {
  /** By space: the last position that was given in it, also where the page that had it is gone. */
  readonly lastPositions?: Readonly<Record<string, number>>;
  /** By name: what is kept of those who are no users; `null`: nothing any more. */
  readonly favourites?: Readonly<Record<string, FavouritesForm | null>>;
  /** Where it is a lower one: what is sent as a patch never lowers it. */
  readonly nextPageId?: number;
  /** Key and user of each session, the oldest first; absent: there are none. */
  readonly sessions?: ReadonlyArray<[key: string, user: string]>;
}

/**
 * As far as it does not follow from `from` and from what makes the one form out of the other. Costs the spaces, and the favourites where users or
 * favourites differ.
 */
export function beyondForm(world: World, from: World): BeyondForm {
  const lastPositions = differing(from.pageIndex, world.pageIndex)
    .map(space => [space, lastPositionIn(world, space)] as const)
    .filter(([space, position]) => position !== lastPositionIn(from, space));
  const favourites = strayFavourites(world, from);
  return {
    ...(lastPositions.length > 0 && { lastPositions: Object.fromEntries(lastPositions.sort(byKey)) }),
    ...(favourites.length > 0 && { favourites: Object.fromEntries(favourites.sort(byKey)) }),
    ...(world.nextPageId < from.nextPageId && { nextPageId: world.nextPageId }),
    ...(world.sessions.size > 0 && { sessions: [...world.sessions] }),
  };
}

/** The world with what its form did not tell. */
export function withBeyond(world: World, beyond: BeyondForm): World {
  const { lastPositions = {}, favourites = {}, nextPageId = world.nextPageId, sessions = [] } = beyond;
  return {
    ...world,
    nextPageId,
    sessions: OrderedMap<string, string>(sessions),
    pageIndex: world.pageIndex.withMutations(map => {
      for (const [space, lastPosition] of Object.entries(lastPositions))
        map.set(space, { ...(map.get(space) ?? noPages), lastPosition });
    }),
    favourites: world.favourites.withMutations(map => {
      for (const [user, form] of Object.entries(favourites))
        if (form === null) map.delete(user);
        else map.set(user, favouritesFrom(form));
    }),
  };
}

function lastPositionIn({ pageIndex }: World, space: string): number {
  return (pageIndex.get(space) ?? noPages).lastPosition;
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

/** So that the same world is the same text. */
function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
