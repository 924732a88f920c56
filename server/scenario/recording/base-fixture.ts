// The base of a recorded scenario: the shipped fixture that needs the smallest patch.

import { applyPatch, isSame, patchBetween, type WorldPatch } from '../../domain/form/patch.js';
import { runToEnd } from '../../domain/iterables.js';
import { emptyWorld, type World } from '../../domain/world/world.js';
import { defaultFolders, findNamed, packageRoot } from '../files/folders.js';
import { loadingFixture } from '../load/fixture.js';
import { isProblems } from '../yaml/problem.js';
import { secretless } from './secretless.js';

export interface BaseWorld {
  /** Absent: an empty world. */
  readonly fixture?: string;
  /** The patch over it. */
  readonly patch: WorldPatch;
  /** The resulting world. Its secrets are those of the fixture, or placeholders. */
  readonly world: World;
}

/** `scenario`: the one that the sandbox began with. */
export function beginningAt(world: World, scenario: string): BaseWorld {
  const bases = [...new Set([scenario, 'small-team'])].flatMap(fixture => {
    const base = shippedFixture(fixture);
    return base === undefined ? [] : [{ fixture, base }];
  });
  const wanted = secretless(world);
  const found = [...bases, { base: emptyWorld }].flatMap(({ base, ...rest }) => {
    const patch = patchBetween(secretless(base), wanted) as WorldPatch; // both are complete world forms
    const made = applyPatch(base, patch);
    return isSame(secretless(made), wanted)
      ? [{ ...rest, patch, world: made, size: JSON.stringify(patch).length }]
      : [];
  });
  const [least] = found.sort((a, b) => a.size - b.size);
  if (least === undefined) throw new Error('a complete world form must load'); // otherwise a bug
  const { size: _, ...beginning } = least;
  return beginning;
}

export function shippedFixture(name: string): World | undefined {
  const folders = defaultFolders(packageRoot());
  const found = findNamed(name, folders.fixtures);
  const loaded = 'file' in found ? runToEnd(loadingFixture(found.file, folders)) : undefined;
  return loaded === undefined || isProblems(loaded) ? undefined : loaded.world;
}
