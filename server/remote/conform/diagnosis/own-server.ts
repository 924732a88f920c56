// A correct server in this process with the same readings and names as the target, for comparison.

import type { HttpRequest } from '../../../derive/sending/call.js';
import type { World } from '../../../domain/world.js';
import { silentLog } from '../../../engine/log.js';
import { injecting } from '../../../library/port/inject.js';
import type { SomeReadings } from '../../../operations/gaps/gaps.js';
import type { Step } from '../../../scenario/format/step-format.js';
import { ownFile } from '../../../scenario/load/story.js';
import { type Played, Player } from '../../../scenario/play/player.js';
import type { Target } from '../../../scenario/play/target.js';
import { isProblems, showProblem } from '../../../scenario/yaml/problem.js';
import { type Assembled, assemble } from '../../../server.js';
import { settingsFrom } from '../../../settings.js';
import type { Planned } from '../../changes/plan.js';
import type { NamesThere } from '../../names/name-map.js';
import { renamedWorld } from '../../names/renamed-world.js';
import { HostView, type Shown } from '../../target/host-view.js';
import { isDetour } from '../detours.js';
import type { Alteration } from './alterations/altered-requests.js';
import type { Left } from './alterations/altered-worlds.js';

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

const same = (request: HttpRequest) => request;

/** Number of sets of readings whose results are cached. */
const REMEMBERED = 6;

export class OwnServer {
  #sandboxes = 0;
  /** By readings, then by file and steps without effect: equal plays are cached. */
  readonly #played = new Map<string, Map<string, Promise<readonly Played[]>>>();
  /** The worlds in which files begin, numbered. */
  readonly #worlds = new Map<World, number>();
  readonly #ends = new WeakMap<readonly Played[], World>();

  private constructor(
    private readonly fake: Assembled,
    private readonly likeness: Likeness,
  ) {}

  static async like(likeness: Likeness): Promise<OwnServer> {
    const fake = await assemble(settingsFrom(undefined, {}), silentLog);
    if (isProblems(fake)) throw new Error(fake.problems.map(showProblem).join('\n'));
    return new OwnServer(fake, likeness);
  }

  /** Plays a file in a fresh world like on the target: skipping the same steps, and seeing only answers. */
  play(one: Planned, performance: PlayConditions): Promise<readonly Played[]> {
    const { known, followed = known, shown, altered } = performance;
    const { steps } = one.mapped.loaded;
    const meant = altered === undefined ? [] : steps.flatMap((step, i) => (altered.isMeant(step, i) ? [i] : []));
    const remembered = this.#under(known, followed);
    const left = altered?.left === undefined ? '' : `after ${altered.left.name}`;
    const alteration = meant.length === 0 ? left : `${altered?.alteration.name} ${meant.join()} ${left}`;
    const key = `${ownFile(one.written)} ${this.#numberOf(one.written.origin.world)} ${alteration} ${JSON.stringify(shown)}`;
    const played = remembered.get(key) ?? this.#play(one, performance, new Set(meant));
    if (performance.isEnough === undefined) remembered.set(key, played);
    return played;
  }

  /** The world in which a file begins. */
  beginningOf({ written }: Planned): World {
    return renamedWorld(written.origin.world, this.likeness.names);
  }

  /** The world at the end of a play. */
  endOf(played: readonly Played[]): World | undefined {
    return this.#ends.get(played);
  }

  #numberOf(world: World): number {
    const number = this.#worlds.get(world) ?? this.#worlds.size;
    this.#worlds.set(world, number);
    return number;
  }

  #under(...readings: readonly SomeReadings[]): Map<string, Promise<readonly Played[]>> {
    const key = JSON.stringify(readings.map(some => Object.entries(some).sort()));
    const found = this.#played.get(key) ?? new Map<string, Promise<readonly Played[]>>();
    this.#played.delete(key);
    this.#played.set(key, found);
    const [oldest] = this.#played.keys();
    if (this.#played.size > REMEMBERED && oldest !== undefined) this.#played.delete(oldest);
    return found;
  }

  async #play(
    planned: Planned,
    { known, followed = known, shown, altered, isEnough = () => false }: PlayConditions,
    meant: ReadonlySet<number>,
  ): Promise<readonly Played[]> {
    const { written, mapped, made } = planned;
    const { session, app } = this.fake;
    const { names, run } = this.likeness;
    const name = `own-${this.#sandboxes++}`;
    const fresh = this.beginningOf(planned);
    const origin = { ...written.origin, world: altered?.left?.into(fresh) ?? fresh, readings: followed };
    let sandbox = await session.create(name, origin);
    const ask = injecting(app);
    let alteration: Alteration | undefined;
    const perform = (request: HttpRequest) =>
      ask({ ...request, headers: { 'X-Fake-Sandbox': name, ...request.headers } });
    const send = async (request: HttpRequest) => {
      const { asked = same, world } = alteration ?? {};
      const before = sandbox?.state.world ?? origin.world;
      const answer = await perform(asked(request));
      const after = sandbox?.state.world ?? before;
      if (world === undefined || after === before) return answer;
      await session.drop(name);
      sandbox = await session.create(name, { ...origin, world: world(after, before, request) });
      return answer;
    };
    const target: Target = { url: '', context: '', send: perform, close: async () => {} };
    const player = new Player(
      mapped.loaded,
      { ...target, send },
      {
        passwords: names.passwords,
        known,
        run,
        mayHaveMore: true,
        view: new HostView({ target, names, run }, shown, made),
      },
    );
    const played: Played[] = [];
    await player.begin();
    for (const i of mapped.loaded.steps.keys()) {
      if (mapped.reasons.has(i) || isDetour(mapped.loaded, i, shown)) continue;
      alteration = meant.has(i) ? altered?.alteration : undefined;
      const result = await player.play(i);
      played.push(result);
      if (isEnough(result)) break;
    }
    this.#ends.set(played, sandbox?.state.world ?? origin.world);
    await session.drop(name);
    return played;
  }

  end(): void {
    this.fake.end();
  }
}
