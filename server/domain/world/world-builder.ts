// Builds a world in many steps at the cost of one: its collections are mutable until it is finished.
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

/** Builds a world in steps. Every step must use the result of the previous one, and read before it writes; the given world is unchanged. */
export function buildInPlace(world: World, build: (open: World) => World): World {
  return closed(build(opened(world)), world);
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
