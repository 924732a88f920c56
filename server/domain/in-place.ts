// A world built out of many steps at the cost of one: its collections are changed in place as long as nobody else knows it.
// Knows no form and no fact.
import type { World } from './world.js';

const collections = [
  'users',
  'groups',
  'spaces',
  'pages',
  'filters',
  'dashboards',
  'favourites',
  'tokens',
  'pageIndex',
] as const;

/**
 * What `build` makes of a world. Every step of it has to take up what the last one returned, and to read before it writes; the world that was
 * given stays as it was.
 */
export function inPlace(world: World, build: (open: World) => World): World {
  const built = build(each(world, name => world[name].asMutable()));
  return each(built, name => (built[name].wasAltered() ? built[name].asImmutable() : world[name]));
}

function each(world: World, change: (name: (typeof collections)[number]) => unknown): World {
  return { ...world, ...Object.fromEntries(collections.map(name => [name, change(name)])) } as World; // each by its own kind
}
