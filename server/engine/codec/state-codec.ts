// Encodes a state as the base of a log: the origin's world as a shared part, every other world as a patch of it.
import { type BeyondForm, beyondForm, withBeyond } from '../../domain/form/beyond-form.js';
import { worldDifference } from '../../domain/form/difference.js';
import { applyPatch, type WorldPatch } from '../../domain/form/patch.js';
import type { World } from '../../domain/world/world.js';
import type { Checkpoint, Origin, Snapshot, State } from '../sandbox/state.js';
import type { WrittenBase } from '../store.js';
import { stored } from './stored.js';
import type { WorldParts } from './world-parts.js';

interface OtherWorld {
  readonly patch: WorldPatch;
  readonly beyond: BeyondForm;
}

/** A state without its origin and snapshots. `world`: index in the list of worlds; 0 is the origin's. */
type Moment = Omit<State, 'origin' | 'snapshots' | 'world'> & { readonly world: number };
type NamedSnapshot = Omit<Snapshot, 'state'> & { readonly name: string; readonly state: Moment };

interface Base {
  readonly origin: Omit<Origin, 'world'> & { readonly world: string };
  /** From index 1; worlds that several states share appear once. */
  readonly worlds: readonly OtherWorld[];
  readonly state: Moment;
  /** In their order; absent if there has been none. */
  readonly snapshots?: readonly NamedSnapshot[];
  readonly at: Omit<Checkpoint, 'state'>;
}

export function writeState(
  { state: { origin, snapshots, ...present }, ...at }: Checkpoint,
  parts: WorldParts,
): WrittenBase {
  const worlds = [origin.world];
  const momentOf = ({ world, readings, clock, faults, stubs }: Omit<State, 'origin'>): Moment => {
    if (!worlds.includes(world)) worlds.push(world);
    return { world: worlds.indexOf(world), readings, ...(clock !== undefined && { clock }), faults, stubs };
  };
  const part = parts.part(origin.world);
  const state = momentOf(present);
  const named = snapshots && [...snapshots].map(([name, kept]) => ({ name, ...kept, state: momentOf(kept.state) }));
  const base: Base = {
    origin: { ...origin, world: part.name },
    state,
    ...(named !== undefined && { snapshots: named }),
    worlds: worlds
      .slice(1)
      .map(world => ({ patch: worldDifference(origin.world, world), beyond: beyondForm(world, origin.world) })),
    at,
  };
  return { text: JSON.stringify(base), part };
}

/** `part` returns the text of a part. */
export async function readState(
  text: string,
  parts: WorldParts,
  part: (name: string) => Promise<string>,
): Promise<Checkpoint> {
  const { origin: written, worlds: others, state, snapshots, at } = stored<Base>(text, 'the base');
  const origin: Origin = { ...written, world: await parts.world(written.world, part) };
  const patched = others.map(({ patch, beyond }) => withBeyond(applyPatch(origin.world, patch), beyond));
  const worlds: readonly World[] = [origin.world, ...patched];
  const stateOf = ({ world: place, ...rest }: Moment): State => ({
    origin,
    world: worlds[place] ?? origin.world,
    ...rest,
  });
  return {
    ...at,
    state: {
      ...stateOf(state),
      ...(snapshots !== undefined && {
        snapshots: new Map(
          snapshots.map(({ name, state: kept, ...rest }) => [name, { ...rest, state: stateOf(kept) }]),
        ),
      }),
    },
  };
}
