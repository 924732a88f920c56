// The probes in `scenarios/gaps/`, one for each observable gap, and the readings that each needs first.
import type { World } from '../../domain/world.js';
import { type GapId, gapIds } from '../../operations/gaps/gaps.js';
import { type Folders, findNamed } from '../../scenario/load/folders.js';
import { loadNamed } from '../../scenario/load/load.js';
import type { Loaded } from '../../scenario/load/story.js';
import { isProblems, type Problems, problemWith } from '../../scenario/yaml/problem.js';

/** The probes in the order of the ledger, or their errors. A gap that nothing shows has none. */
export function loadProbes(folders: Folders): readonly Loaded[] | Problems {
  const loaded = gapIds.flatMap(gap => {
    const name = `gaps/${gap}`;
    return 'missing' in findNamed(name, folders.scenarios) ? [] : [ofGap(loadNamed(name, folders), gap)];
  });
  const problems = loaded.flatMap(one => (isProblems(one) ? one.problems : []));
  return problems.length > 0 ? { problems } : loaded.flatMap(one => (isProblems(one) ? [] : [one]));
}

/** The probes in the world of the fixture: a probe looks for further data itself, which the server may well have. */
export function inWorld(probes: readonly Loaded[], world: World): readonly Loaded[] {
  return probes.map(probe => ({ ...probe, origin: { ...probe.origin, world } }));
}

function ofGap(loaded: Loaded | Problems, gap: GapId): Loaded | Problems {
  if (isProblems(loaded) || loaded.gap === gap) return loaded;
  const [file = gap] = loaded.files;
  const found = loaded.gap === undefined ? 'names no gap' : `asks about ${loaded.gap}`;
  return { problems: [problemWith(file, `This probe ${found}: it takes gap: ${gap}.`)] };
}

/** They decide the addresses of all others. */
const addressGaps: readonly GapId[] = ['wiki-prefix', 'context-path'];

/** The gaps whose readings decide the addresses and requests of a probe. */
export function neededBy({ gap, steps }: Loaded): ReadonlySet<GapId> {
  const conditions = steps.flatMap(({ readings = {} }) => Object.keys(readings) as GapId[]); // checked against the ledger
  return new Set([...conditions, ...(addressGaps.some(known => known === gap) ? [] : addressGaps)]);
}

/** For each probe, its steps and those of the longest chain of probes that wait for it. */
export function depthsOf(probes: readonly Loaded[]): ReadonlyMap<Loaded, number> {
  const depths = new Map<Loaded, number>();
  const depthOf = (probe: Loaded): number => {
    const { gap } = probe;
    const waiting = probes.filter(other => other !== probe && gap !== undefined && neededBy(other).has(gap));
    const depth = depths.get(probe) ?? probe.steps.length + Math.max(0, ...waiting.map(depthOf));
    depths.set(probe, depth);
    return depth;
  };
  for (const probe of probes) depthOf(probe);
  return depths;
}

/** Whether all readings that a probe needs are settled. */
export function isReady({ loaded }: { readonly loaded: Loaded }, open: ReadonlySet<GapId | undefined>): boolean {
  return [...neededBy(loaded)].every(gap => gap === loaded.gap || !open.has(gap));
}
