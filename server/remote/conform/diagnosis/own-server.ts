// A correct server in this process with the same readings and names as the target, for comparison.

import type { World } from '../../../domain/world.js';
import { timeOn } from '../../../engine/sandbox/clock.js';
import type { SomeReadings } from '../../../operations/gaps/gaps.js';
import { chosenReadings } from '../../../operations/gaps/profiles.js';
import type { Step } from '../../../scenario/format/step-format.js';
import { ownFile } from '../../../scenario/load/story.js';
import type { Played } from '../../../scenario/play/player.js';
import type { Target } from '../../../scenario/play/target.js';
import type { Planned } from '../../changes/plan.js';
import type { NamesThere } from '../../names/name-map.js';
import { renamedWorld } from '../../names/renamed-world.js';
import { HostView, type Shown } from '../../target/host-view.js';
import { isDetour } from '../detours.js';
import type { Alteration } from './alterations/altered-requests.js';
import type { Left } from './alterations/altered-worlds.js';
import { type DoneInWorlds, OwnPlay } from './own-play.js';

/** Names of the target. */
export interface Likeness {
  readonly names: NamesThere;
  /** The value of `${run}`. */
  readonly run: string;
}

/** How to play a file there. */
export interface PlayConditions {
  readonly known: SomeReadings;
  /** What our own server follows instead, while the steps that `known` calls for are played. Default: the same. */
  readonly followed?: SomeReadings;
  /** Parts read through the hosts' resources, as on the target. */
  readonly shown: Shown;
  /** Left out: every step does what it asks for. */
  readonly altered?: Altered;
  /** Ends with the first step of which this holds. Default: with the last step. */
  isEnough?(played: Played): boolean;
}

/** The steps of which something else comes than they ask for, and what. */
export interface Altered {
  readonly alteration: Alteration;
  /** What earlier files have left behind. Default: nothing. */
  readonly left?: Left;
  isMeant(step: Step, index: number): boolean;
}

/** Number of sets of readings whose results are kept. */
const REMEMBERED = 6;

/** By file, its beginning and what was altered. */
type Plays = Map<string, Promise<readonly Played[]>>;
/** By file. */
type Steps = Map<string, DoneInWorlds>;

export class OwnServer {
  /** When it was made: no time passes on it. */
  readonly #now = new Date();
  /** What has come of plays, by readings and what is shown. */
  readonly #plays = new Kept<Plays>();
  /** What has come of their steps, by what is shown. */
  readonly #steps = new Kept<Steps>();
  /** The worlds in which files begin, numbered. */
  readonly #worlds = new WeakMap<World, number>();
  #numbered = 0;
  readonly #ends = new WeakMap<readonly Played[], World>();
  readonly #beginnings = new WeakMap<World, World>();

  /** `likeness`: names of the target. */
  constructor(private readonly likeness: Likeness) {}

  /** Plays a file in a fresh world like on the target: skipping the same steps, and seeing only answers. */
  play(one: Planned, performance: PlayConditions): Promise<readonly Played[]> {
    const { altered } = performance;
    const { steps } = one.mapped.loaded;
    const meant = altered === undefined ? [] : steps.flatMap((step, i) => (altered.isMeant(step, i) ? [i] : []));
    const { known, followed = known, shown } = performance;
    const plays = this.#plays.of(`${keyOf(known)} ${keyOf(followed)} ${keyOf(shown)}`, () => new Map());
    const left = altered?.left === undefined ? '' : `after ${altered.left.name}`;
    const alteration = meant.length === 0 ? left : `${altered?.alteration.name} ${meant.join()} ${left}`;
    const key = `${ownFile(one.written)} ${this.#numberOf(one.written.origin.world)} ${alteration}`;
    const played = plays.get(key) ?? this.#play(one, performance, new Set(meant));
    if (performance.isEnough === undefined) plays.set(key, played);
    return played;
  }

  /** The world in which a file begins: the same one each time. */
  beginningOf({ written: { origin } }: Planned): World {
    const world = this.#beginnings.get(origin.world) ?? renamedWorld(origin.world, this.likeness.names);
    this.#beginnings.set(origin.world, world);
    return world;
  }

  /** The world at the end of a play. */
  endOf(played: readonly Played[]): World | undefined {
    return this.#ends.get(played);
  }

  #numberOf(world: World): number {
    const number = this.#worlds.get(world) ?? this.#numbered++;
    this.#worlds.set(world, number);
    return number;
  }

  async #play(planned: Planned, performance: PlayConditions, meant: ReadonlySet<number>): Promise<readonly Played[]> {
    const { known, followed = known, shown, altered, isEnough = () => false } = performance;
    const { written, mapped, made } = planned;
    const { names, run } = this.likeness;
    const fresh = this.beginningOf(planned);
    const { profile, clock } = written.origin;
    const own = {
      begun: {
        world: altered?.left?.into(fresh) ?? fresh,
        readings: chosenReadings({ ...(profile && { profile }), readings: followed }),
        now: timeOn(clock === undefined ? undefined : { stands: clock }, this.#now),
      },
      settings: { passwords: names.passwords, known, run, mayHaveMore: true },
      viewOf: (target: Target) => new HostView({ target, names, run }, shown, made),
    };
    const steps = this.#steps.of(keyOf(shown), () => new Map());
    const done = steps.get(ownFile(written)) ?? new WeakMap();
    steps.set(ownFile(written), done);
    const play = new OwnPlay(own, mapped, done);
    const played: Played[] = [];
    for (const i of mapped.loaded.steps.keys()) {
      if (mapped.reasons.has(i) || isDetour(mapped.loaded, i, shown)) continue;
      const result = await play.step(i, meant.has(i) ? altered?.alteration : undefined);
      played.push(result);
      if (isEnough(result)) break;
    }
    this.#ends.set(played, play.world);
    return played;
  }
}

/** The latest values, by what they belong to. */
class Kept<V> {
  readonly #values = new Map<string, V>();

  /** The value of a key, `made` if there is none. */
  of(key: string, made: () => V): V {
    const found = this.#values.get(key) ?? made();
    this.#values.delete(key);
    this.#values.set(key, found);
    const [oldest] = this.#values.keys();
    if (this.#values.size > REMEMBERED && oldest !== undefined) this.#values.delete(oldest);
    return found;
  }
}

const keys = new WeakMap<object, string>();

/** The same for equal readings, whatever their order. */
function keyOf(some: object): string {
  const key = keys.get(some) ?? JSON.stringify(Object.entries(some).sort());
  keys.set(some, key);
  return key;
}
