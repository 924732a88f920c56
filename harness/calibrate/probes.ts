// The probes in `scenarios/gaps/`, one for each observable gap, and the readings that each needs first.
import type { World } from '../../server/domain/world/world.js';
import { type GapId, gapIds } from '../../server/operations/gaps/gaps.js';
import { type Folders, findNamed } from '../../server/scenario/files/folders.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import type { Loaded } from '../../server/scenario/load/load-scenario.js';
import { isProblems, type Problems, problemWith } from '../../server/scenario/yaml/problem.js';

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
  return { problems: [problemWith(file, `This probe ${found}: expected gap: ${gap}.`)] };
}

/** They decide the addresses of all others. */
const addressGaps: readonly GapId[] = ['wiki-prefix', 'context-path'];

/** The gaps whose readings decide the addresses and requests of a probe. */
export function neededBy({ gap, steps }: Loaded): ReadonlySet<GapId> {
  const conditions = steps.flatMap(({ readings = {} }) => Object.keys(readings) as GapId[]); // checked against the ledger
  return new Set([...conditions, ...(addressGaps.some(known => known === gap) ? [] : addressGaps)]);
}

/** Played first: later probes change favourites, and a server that does not pull cannot restore them. */
const FIRST: GapId = 'ppf-effect';
/** Played last: it may leave a space with an empty title, which later probes would find. */
const LAST: GapId = 'space-title-form';

/** Each probe after those whose readings it needs. */
export function inOrder<P extends { readonly loaded: Loaded }>(probes: readonly P[]): readonly P[] {
  const sorted = new Set<P>();
  const add = (probe: P, waiting: ReadonlySet<P>) => {
    if (sorted.has(probe) || waiting.has(probe)) return;
    const needed = neededBy(probe.loaded);
    for (const other of probes)
      if (other.loaded.gap !== undefined && needed.has(other.loaded.gap)) add(other, new Set([...waiting, probe]));
    sorted.add(probe);
  };
  for (const probe of probes) if (probe.loaded.gap === FIRST) add(probe, new Set());
  for (const isLast of [false, true])
    for (const probe of probes) if ((probe.loaded.gap === LAST) === isLast) add(probe, new Set());
  return [...sorted];
}

/** The probes of the gaps that a suite depends on, directly or through other probes. */
export function probesFor(suite: readonly Loaded[], probes: readonly Loaded[]): readonly Loaded[] {
  const needed = new Set<GapId>(suite.flatMap(one => [...neededBy(one)]));
  for (let size = -1; size !== needed.size; ) {
    size = needed.size;
    for (const probe of probes)
      if (probe.gap !== undefined && needed.has(probe.gap)) for (const gap of neededBy(probe)) needed.add(gap);
  }
  return probes.filter(({ gap }) => gap !== undefined && needed.has(gap));
}
