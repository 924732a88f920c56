// A capsule performed again, request by request: what is answered now beside what was answered then. Pure: nothing is served, and nobody waits.
import { formOf, worldFrom } from '../../domain/form/form.js';
import type { SparseWorldForm } from '../../domain/form/form-shapes.js';
import { mergePatch } from '../../domain/form/patch.js';
import { emptyWorld, type World } from '../../domain/world.js';
import type { Armed, ArmedFault } from '../../engine/faults/fault.js';
import { performAgain } from '../../engine/journal/replay-entry.js';
import type { Result } from '../../engine/request/perform.js';
import { advanceAll, begin, type State } from '../../engine/sandbox/state.js';
import type { Readings } from '../../operations/gaps/gaps.js';
import { isProblems, pointerOf } from '../yaml/problem.js';
import type { Capsule, CapsuleEntry } from './capsule-format.js';
import { grownWorld } from './grown-world.js';
import { shippedWorld } from './shipped-world.js';

/** One request performed again. */
export interface Replayed {
  readonly entry: CapsuleEntry;
  /** On what it was performed, after what was changed from behind. */
  readonly before: State;
  readonly readings: Readings;
  readonly result: Result;
  readonly after: State;
}

/** The world that a capsule begins with; `undefined` where this version ships none of that name. */
export function worldOf({ world }: Capsule): World | undefined {
  if ('form' in world) return worldFrom(world.form as SparseWorldForm, emptyWorld); // it has been checked
  const shipped = shippedWorld(world.shipped);
  return isProblems(shipped) ? undefined : shipped.world;
}

/** Performs each request again on what those before have left. `now`: the time of all of them; left out, each at its own. */
export function* replay(capsule: Capsule, world: World, now?: string): Generator<Replayed, void> {
  const { scenario, seed, faults } = capsule;
  const origin = { scenario, world, readings: {}, ...(seed !== undefined && { seed }) };
  let state: State = { ...begin(origin), faults: faults.map(armed) };
  let { readings } = capsule;
  for (const entry of capsule.entries) {
    if (entry.forwarded !== undefined && entry.operation === undefined) continue; // no affair of this fake
    const { between } = entry;
    if (between?.readings !== undefined) readings = between.readings;
    if (between?.faults !== undefined) state = { ...state, faults: between.faults.map(armed) };
    if (between?.world !== undefined) state = { ...state, world: patched(state.world, between.world, entry.id) };
    const before = state;
    const { result, changes } = performAgain(now === undefined ? entry : { ...entry, at: now }, before, { readings });
    state = advanceAll(before, changes, { at: () => undefined }); // a request never goes back
    yield { entry, before, readings, result, after: state };
  }
}

/** Not as a patch of the world, which never gives an id twice: a sandbox may have gone back. */
function patched(world: World, patch: object, id: number): World {
  const grown = grownWorld(mergePatch(formOf(world), patch));
  const [flaw] = grown.flaws;
  if (flaw === undefined) return grown.world;
  throw new Unplayable(`before entry ${id} there is no world: ${pointerOf(flaw.path)} ${flaw.message}`);
}

/** A capsule that somebody has written by hand, and that can be played no further. */
export class Unplayable extends Error {
  override readonly name = 'Unplayable';
}

function armed({ met, fired, ...fault }: ArmedFault): Armed {
  return { fault, met, fired };
}
