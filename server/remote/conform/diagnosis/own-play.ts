// One play of a file on our own server, step by step. A world is immutable, and our own server answers alike in the same world: what has come of a step in
// it under the same readings is not asked again.
import type { HttpRequest } from '../../../derive/sending/call.js';
import type { World } from '../../../domain/world.js';
import type { DecisionContext } from '../../../engine/request/stage.js';
import { answerOn } from '../../../http/answer-on.js';
import type { GapId, SomeReadings } from '../../../operations/gaps/gaps.js';
import { type Played, Player, type PlaySettings } from '../../../scenario/play/player.js';
import type { Target, WorldView } from '../../../scenario/play/target.js';
import type { Mapped } from '../../names/mapped-steps.js';
import type { Alteration } from './alterations/altered-requests.js';

/** What has come of a step, and the world after it. */
interface Done {
  readonly played: Played;
  readonly after: World;
  readonly read: Read;
}

/** By gap. */
type Noted = Record<string, string | undefined>;

/** The readings that something depends on: those that our own server follows, and those that the target is known to follow. */
interface Read {
  readonly followed: Noted;
  readonly known: Noted;
}

/** What has come of the steps of one file, by the world in which they were played, the step, and its alteration if it had one. */
export type DoneInWorlds = WeakMap<World, Map<string, readonly Done[]>>;

/** How a file is played. */
export interface OwnConditions {
  /** The world at the beginning, the readings and the time. */
  readonly begun: DecisionContext;
  readonly settings: PlaySettings;
  /** The view of the world that a target shows. */
  viewOf(target: Target): WorldView;
}

export class OwnPlay {
  world: World;
  readonly #player: Player;
  /** The alteration of the step that is played. */
  #alteration: Alteration | undefined;
  /** The readings that the step that is played has depended on so far. */
  #read: Read = { followed: {}, known: {} };
  /** Those that every step depends on. */
  readonly #always: Noted;

  constructor(
    private readonly own: OwnConditions,
    { loaded }: Mapped,
    private readonly done: DoneInWorlds,
  ) {
    const { begun, settings, viewOf } = own;
    this.world = begun.world;
    const readings = watched(begun.readings, () => this.#read.followed);
    const known = watched(settings.known ?? {}, () => this.#read.known);
    const perform = async (request: HttpRequest) => {
      const { answer, after } = answerOn({ ...begun, readings, world: this.world }, request);
      this.world = after;
      return answer;
    };
    const target: Target = { url: '', context: '', send: perform, close: async () => {} };
    const send = async (request: HttpRequest) => {
      const { asked = same, world = same } = this.#alteration ?? {};
      const before = this.world;
      const answer = await perform(asked(request));
      if (this.world !== before) this.world = world(this.world, before, request);
      return answer;
    };
    this.#player = new Player(loaded, { ...target, send }, { ...settings, known, view: viewOf(target) });
    this.#always = this.#read.known;
  }

  async step(i: number, alteration?: Alteration): Promise<Played> {
    const right = this.#known(`${i}`);
    const isAltered = alteration !== undefined && !(right !== undefined && this.#isIdle(alteration, right));
    const key = isAltered ? `${i} ${alteration.name}` : `${i}`;
    const done = this.#known(key) ?? (await this.#play(i, key, isAltered ? alteration : undefined));
    this.world = done.after;
    return done.played;
  }

  /** What has come of a step in the present world, if it was played in it under readings that are the same as far as it depends on them. */
  #known(key: string): Done | undefined {
    const { begun, settings } = this.own;
    const isSame = ({ read }: Done) =>
      agrees(read.followed, begun.readings) && agrees(read.known, settings.known ?? {});
    return this.done.get(this.world)?.get(key)?.find(isSame);
  }

  /** Whether an alteration changes nothing of a step that is played in the present world. */
  #isIdle({ asked = same, world = same }: Alteration, { played: { sent }, after }: Done): boolean {
    if (sent === undefined) return true;
    return asked(sent) === sent && (after === this.world || world(after, this.world, sent) === after);
  }

  async #play(i: number, key: string, alteration: Alteration | undefined): Promise<Done> {
    const before = this.world;
    this.#alteration = alteration;
    this.#read = { followed: {}, known: { ...this.#always } };
    const played = await this.#player.play(i);
    const done = { played, after: this.world, read: this.#read };
    const known = this.done.get(before) ?? new Map<string, readonly Done[]>();
    this.done.set(before, known.set(key, [...(known.get(key) ?? []), done]));
    return done;
  }
}

function agrees(read: Noted, readings: SomeReadings): boolean {
  for (const gap in read) if (read[gap] !== readings[gap as GapId]) return false;
  return true;
}

/** The same readings; each that is asked for is noted. */
function watched<R extends SomeReadings>(readings: R, notes: () => Noted): R {
  return new Proxy(readings, {
    get: (all, gap) => {
      const reading = all[gap as GapId]; // nothing else is asked for
      notes()[gap as GapId] = reading;
      return reading;
    },
  });
}

function same<T>(value: T): T {
  return value;
}
