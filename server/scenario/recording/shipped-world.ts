// The world of a shipped scenario or fixture by name; users' folders do not count.
import { inOneGo } from '../../domain/in-one-go.js';
import type { World } from '../../domain/world.js';
import { defaultFolders, packageRoot } from '../load/folders.js';
import { loadingNamed } from '../load/load.js';
import { isProblems, type Problems } from '../yaml/problem.js';

export function shippedWorld(name: string): { readonly world: World } | Problems {
  return inOneGo(loadingShipped(name));
}

/** The same, interruptible. */
export function* loadingShipped(name: string): Generator<unknown, { readonly world: World } | Problems> {
  const loaded = yield* loadingNamed(name, defaultFolders(packageRoot()));
  return isProblems(loaded) ? loaded : { world: loaded.origin.world };
}
