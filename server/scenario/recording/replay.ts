// Replays a capsule request by request and yields the new answers. Pure.
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

/** One replayed request. */
export interface Replayed {
  readonly entry: CapsuleEntry;
  /** The state before it, after changes outside operations. */
  readonly before: State;
  readonly readings: Readings;
  readonly result: Result;
  readonly after: State;
}

/** The first world of a capsule; `undefined` if this version does not ship it. */
export function worldOf({ world }: Capsule): World | undefined {
  if ('form' in world) return worldFrom(world.form as SparseWorldForm, emptyWorld); // it has been checked
  const shipped = shippedWorld(world.shipped);
  return isProblems(shipped) ? undefined : shipped.world;
}

/** Replays each request on the state that the previous ones left. `now`: the time for all of them. Default: the time of each. */
export function* replay(capsule: Capsule, world: World, now?: string): Generator<Replayed, void> {
  const { scenario, seed, faults } = capsule;
  const origin = { scenario, world, readings: {}, ...(seed !== undefined && { seed }) };
  let state: State = { ...begin(origin), faults: faults.map(armed) };
  let { readings } = capsule;
  for (const entry of capsule.entries) {
    if (entry.forwarded !== undefined && entry.operation === undefined) continue; // another server answered it
    const { between } = entry;
    if (between?.readings !== undefined) readings = between.readings;
    if (between?.faults !== undefined) state = { ...state, faults: between.faults.map(armed) };
    if (between?.world !== undefined) state = { ...state, world: patched(state.world, between.world, entry.id) };
    const before = state;
    const { result, changes } = performAgain(now === undefined ? entry : { ...entry, at: now }, before, { readings });
    state = advanceAll(before, changes, { at: () => undefined }); // requests never rewind
    yield { entry, before, readings, result, after: state };
  }
}

/** Not by a patch of the world, which never reuses an id: a sandbox may have been rewound. */
function patched(world: World, patch: object, id: number): World {
  const grown = grownWorld(mergePatch(formOf(world), patch));
  const [error] = grown.errors;
  if (error === undefined) return grown.world;
  throw new Unplayable(`the world before entry ${id} is invalid: ${pointerOf(error.path)} ${error.message}`);
}

/** An invalid capsule, written by hand, that cannot be replayed further. */
export class Unplayable extends Error {
  override readonly name = 'Unplayable';
}

function armed({ met, fired, ...fault }: ArmedFault): Armed {
  return { fault, met, fired };
}
