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
 * What `build` makes of a world, piece by piece. Every step of it has to take up what the last one returned, and to read before it writes; the world that was
 * given stays as it was.
 */
export function* buildingInPlace(
  world: World,
  build: (open: World) => Generator<unknown, World>,
): Generator<unknown, World> {
  return closed(yield* build(opened(world)), world);
}

function opened(world: World): World {
  return each(world, name => world[name].asMutable());
}

function closed(built: World, before: World): World {
  return each(built, name => (built[name].wasAltered() ? built[name].asImmutable() : before[name]));
}

function each(world: World, change: (name: (typeof collections)[number]) => unknown): World {
  return { ...world, ...Object.fromEntries(collections.map(name => [name, change(name)])) } as World; // each by its own kind
}
