// Encodes a state as the base of a log: the origin's world as a shared part, every other world as a patch of it.
import { type BeyondForm, beyondForm, withBeyond } from '../../domain/form/beyond-form.js';
import { worldDifference } from '../../domain/form/difference.js';
import { applyPatch, isObject, type WorldPatch } from '../../domain/form/patch.js';
import { sizeBeyond, weighValue } from '../../domain/size.js';
import type { World } from '../../domain/world.js';
import { profileNames } from '../../operations/gaps/profiles.js';
import type { Origin, Snapshot, State } from '../sandbox/state.js';
import { StoreError, type WrittenBase } from '../store.js';
import { armedShape, clockShape, faultShape, patchShape, readingsShape } from './change-shape.js';
import { parsed } from './decode.js';
import { type PageTexts, pagesIn } from './page-texts.js';
import { count, instant, listOf, maybe, number, objectOf, oneOf, text } from './shape.js';
import { beyondShape, partName, textsOf, type WorldParts } from './world-parts.js';

/** A world other than the origin's: complete, or as a patch. */
type OtherWorld = { readonly part: string } | { readonly patch: WorldPatch; readonly beyond: BeyondForm };

/** A state without its origin and snapshots. `world`: index in the list of worlds; 0 is the origin's. */
type Moment = Omit<State, 'origin' | 'snapshots' | 'world' | 'size'> & { readonly world: number };
type NamedSnapshot = Omit<Snapshot, 'state'> & { readonly name: string; readonly state: Moment };

interface Base {
  readonly origin: Omit<Origin, 'world'> & { readonly world: string };
  /** From index 1; worlds that several states share appear once. */
  readonly worlds: readonly OtherWorld[];
  readonly state: Moment;
  /** In their order; absent if there has been none. */
  readonly snapshots?: readonly NamedSnapshot[];
}

const patched = objectOf<Extract<OtherWorld, { patch: unknown }>>({ patch: patchShape, beyond: beyondShape });
const whole = objectOf<Extract<OtherWorld, { part: string }>>({ part: partName });
const moment = objectOf<Moment>({
  world: count,
  readings: readingsShape,
  clock: maybe(clockShape),
  faults: armedShape,
});
const baseShape = objectOf<Base>({
  origin: objectOf<Base['origin']>({
    scenario: text,
    world: partName,
    profile: maybe(oneOf(...profileNames)),
    readings: readingsShape,
    clock: maybe(instant),
    faults: maybe(listOf(faultShape)),
    seed: maybe(number),
    isProviderState: maybe(oneOf(true)),
    bytes: maybe(number),
  }),
  worlds: listOf(value => (isObject(value) && 'part' in value ? whole : patched)(value)),
  state: moment,
  snapshots: maybe(listOf(objectOf<NamedSnapshot>({ name: text, version: count, at: instant, state: moment }))),
});

export function writeState({ origin, snapshots, ...present }: State, parts: WorldParts, texts: PageTexts): WrittenBase {
  const worlds = new WorldsWritten(origin.world, parts, texts);
  const written = {
    origin: { ...origin, world: worlds.asPart(origin.world) },
    state: momentOf(present, worlds),
    ...(snapshots !== undefined && {
      snapshots: [...snapshots].map(([name, { state, ...kept }]) => ({
        name,
        ...kept,
        state: momentOf(state, worlds),
      })),
    }),
  } satisfies Omit<Base, 'worlds'>;
  const text = `{"worlds":[${worlds.texts.join(',')}],${JSON.stringify(written).slice(1)}`; // each of them is a string already
  return { text, parts: worlds.parts };
}

/** A snapshot has the origin of its sandbox and no snapshots of its own, so both are omitted. */
function momentOf({ world, readings, clock, faults }: Omit<State, 'origin' | 'size'>, worlds: WorldsWritten): Moment {
  return { world: worlds.place(world), readings, ...(clock !== undefined && { clock }), faults };
}

class WorldsWritten {
  /** The worlds from index 1. */
  readonly texts: string[] = [];
  readonly parts = new Map<string, () => string>();
  readonly #places: Map<World, number>;

  constructor(
    private readonly origin: World,
    private readonly known: WorldParts,
    private readonly pageTexts: PageTexts,
  ) {
    this.#places = new Map([[origin, 0]]);
  }

  place(world: World): number {
    const known = this.#places.get(world);
    if (known !== undefined) return known;
    this.texts.push(this.#text(world));
    this.#places.set(world, this.texts.length);
    return this.texts.length;
  }

  asPart(world: World): string {
    const { name, texts } = this.known.name(world);
    this.parts.set(name, () => this.known.text(world));
    this.#put(texts);
    return name;
  }

  #put(texts: ReadonlyMap<string, string>): void {
    for (const [name, text] of texts) this.parts.set(name, () => text);
  }

  /** As a patch of the origin's world, if that is at most half as long as the world. */
  #text(world: World): string {
    const { origin, known } = this;
    const texts = new Map<string, string>();
    const difference = worldDifference(origin, world);
    const pages = this.pageTexts.pagesOut(difference.pages ?? {}, (name, text) => texts.set(name, text), world);
    const patch = { patch: { ...difference, ...(difference.pages && { pages }) }, beyond: beyondForm(world, origin) };
    const text = JSON.stringify(patch satisfies OtherWorld);
    const isSmall = [origin, world].some(one => 2 * text.length <= known.name(one).length); // the other world is rarely encoded for this
    if (isSmall) this.#put(texts);
    return isSmall ? text : JSON.stringify({ part: this.asPart(world) } satisfies OtherWorld);
  }
}

/** `part` returns the text of a part. */
export async function readState(
  text: string,
  parts: WorldParts,
  part: (name: string) => Promise<string>,
): Promise<State> {
  const { origin: begun, worlds: others, state, snapshots } = parsed<Base>(text, baseShape, 'the base');
  const origin: Origin = { ...begun, world: await parts.world(begun.world, part) };
  const worlds = [origin.world];
  for (const other of others)
    worlds.push('part' in other ? await parts.world(other.part, part) : await patchedWorld(origin.world, other, part));
  const sizes = worlds.map(world => sizeBeyond(origin.world, world));
  const stateOf = ({ world: place, ...rest }: Moment): State => {
    const bytes = (sizes[place] ?? 0) + weighValue(rest.faults);
    return { origin, world: at(place, worlds), ...rest, size: { bytes, removed: 0 } };
  };
  return {
    ...stateOf(state),
    ...(snapshots !== undefined && {
      snapshots: new Map(snapshots.map(({ name, state: kept, ...rest }) => [name, { ...rest, state: stateOf(kept) }])),
    }),
  };
}

async function patchedWorld(
  origin: World,
  { patch, beyond }: Extract<OtherWorld, { patch: unknown }>,
  part: (name: string) => Promise<string>,
): Promise<World> {
  if (!patch.pages) return withBeyond(applyPatch(origin, patch), beyond);
  const texts = await textsOf(patch.pages, part);
  const pages = pagesIn(patch.pages, name => texts.get(name) ?? '');
  return withBeyond(applyPatch(origin, { ...patch, pages }), beyond);
}

function at(place: number, worlds: readonly World[]): World {
  const world = worlds[place];
  if (world !== undefined) return world;
  throw new StoreError(
    'format',
    `What was kept cannot be read: the base names the world ${place}, and has ${worlds.length}.`,
  );
}
