// What a recorded scenario begins with: the shipped fixture to which least has to be added. Records nothing.

import { applyPatch, isSame, patchBetween, type WorldPatch } from '../../domain/form/patch.js';
import { inOneGo } from '../../domain/in-one-go.js';
import { emptyWorld, type World } from '../../domain/world.js';
import { loadingFixture } from '../load/fixture.js';
import { defaultFolders, findNamed, packageRoot } from '../load/folders.js';
import { isProblems } from '../yaml/problem.js';
import type { Capsule } from './capsule-format.js';
import { secretless } from './secretless.js';

export interface Beginning {
  /** Absent: an empty world. */
  readonly fixture?: string;
  /** Laid over it. */
  readonly patch: WorldPatch;
  /** What comes of both. Its secrets are those of the fixture, and stand-ins. */
  readonly world: World;
}

export function beginningAt(world: World, capsule: Capsule): Beginning {
  const named = 'shipped' in capsule.world ? [capsule.world.shipped] : [];
  const bases = [...new Set([...named, 'small-team'])].flatMap(fixture => {
    const base = shippedFixture(fixture);
    return base === undefined ? [] : [{ fixture, base }];
  });
  const wanted = secretless(world);
  const found = [...bases, { base: emptyWorld }].flatMap(({ base, ...rest }) => {
    const patch = patchBetween(secretless(base), wanted) as WorldPatch; // of two worlds written out
    const made = applyPatch(base, patch);
    return isSame(secretless(made), wanted)
      ? [{ ...rest, patch, world: made, size: JSON.stringify(patch).length }]
      : [];
  });
  const [least] = found.sort((a, b) => a.size - b.size);
  if (least === undefined) throw new Error('a world that is written out makes itself on nothing'); // else a bug
  const { size: _, ...beginning } = least;
  return beginning;
}

function shippedFixture(name: string): World | undefined {
  const folders = defaultFolders(packageRoot());
  const found = findNamed(name, folders.fixtures);
  const loaded = 'file' in found ? inOneGo(loadingFixture(found.file, folders)) : undefined;
  return loaded === undefined || isProblems(loaded) ? undefined : loaded.world;
}
