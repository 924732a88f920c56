// The size of a world, from counts that it keeps: nothing is walked.
import type { World } from './world.js';

/** Bytes that a record counts, its place in the collections and their indexes included. */
const RECORD = 500;

export function recordsIn({ users, groups, spaces, pages, filters, dashboards, favourites }: World): number {
  return users.size + groups.size + spaces.size + pages.size + filters.size + dashboards.size + favourites.size;
}

/** Memory that a world counts, in bytes: its records and the texts of its pages. */
export function bytesIn(world: World): number {
  return RECORD * recordsIn(world) + world.characters;
}
