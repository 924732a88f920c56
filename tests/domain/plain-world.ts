// A world in plain values, down to what its form does not tell, so that two can be compared in every field.
import { formOf } from '../../server/domain/form/form.js';
import { pageIdsOf } from '../../server/domain/world/pages.js';
import { noFavourites, noPages, type World } from '../../server/domain/world/world.js';

const sorted = (values: Iterable<unknown>) => [...values].map(String).sort();

/** Every field of a world; what stands for nothing is left out, and what has no order has one. */
export function plainWorld(world: World): unknown {
  const spaces = [...world.pageIndex.keys()].sort().flatMap(space => {
    const { ids, byTitle, inAnyCase, lastPosition } = world.pageIndex.get(space) ?? noPages;
    const titles = [...byTitle].map(
      ([title, pages]) => [title, sorted(typeof pages === 'string' ? [pages] : pages)] as const,
    );
    const isNothing = ids.size === 0 && lastPosition === 0 && titles.length === 0;
    return isNothing
      ? []
      : [
          {
            space,
            ids: pageIdsOf(world, space),
            titles: titles.sort(([a], [b]) => (a < b ? -1 : 1)),
            inAnyCase: sorted(inAnyCase),
            lastPosition,
          },
        ];
  });
  const favourites = [...world.favourites].flatMap(([user, { filters, dashboards, pushed = noFavourites }]) =>
    filters.size + dashboards.size === 0
      ? []
      : [
          `${user} ${sorted(filters)} ${sorted(dashboards)}, of which pushed ${sorted(pushed.filters)} ${sorted(pushed.dashboards)}`,
        ],
  );
  const tokens = [...world.tokens].map(([token, user]) => `${token} ${user}`);
  return { form: formOf(world), spaces, favourites: favourites.sort(), tokens: tokens.sort() };
}
