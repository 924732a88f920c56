// One play of a file on our own server, step by step. A world is immutable, and our own server answers alike in the same world: what has come of a step in
// it is not asked again.
import type { HttpRequest } from '../../../derive/sending/call.js';
import type { World } from '../../../domain/world.js';
import type { DecisionContext } from '../../../engine/request/stage.js';
import { answerOn } from '../../../http/answer-on.js';
import { type Played, Player, type PlaySettings } from '../../../scenario/play/player.js';
import type { Target, WorldView } from '../../../scenario/play/target.js';
import type { Mapped } from '../../names/mapped-steps.js';
import type { Alteration } from './alterations/altered-requests.js';

/** What has come of a step, and the world after it. */
interface Done {
  readonly played: Played;
  readonly after: World;
}

/** What has come of the steps of one file, by the world in which they were played, the step, and its alteration if it had one. */
export type DoneInWorlds = WeakMap<World, Map<string, Done>>;

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

  constructor(
    { begun, settings, viewOf }: OwnConditions,
    { loaded }: Mapped,
    private readonly done: DoneInWorlds,
  ) {
    this.world = begun.world;
    const perform = async (request: HttpRequest) => {
      const { answer, after } = answerOn({ ...begun, world: this.world }, request);
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
    this.#player = new Player(loaded, { ...target, send }, { ...settings, view: viewOf(target) });
  }

  async step(i: number, alteration?: Alteration): Promise<Played> {
    const known = this.done.get(this.world) ?? new Map<string, Done>();
    this.done.set(this.world, known);
    const right = known.get(`${i}`);
    const isAltered = alteration !== undefined && !(right !== undefined && this.#isIdle(alteration, right));
    const key = isAltered ? `${i} ${alteration.name}` : `${i}`;
    const found = known.get(key) ?? (await this.#play(i, isAltered ? alteration : undefined));
    known.set(key, found);
    this.world = found.after;
    return found.played;
  }

  /** Whether an alteration changes nothing of a step that is played in the present world. */
  #isIdle({ asked = same, world = same }: Alteration, { played: { sent }, after }: Done): boolean {
    if (sent === undefined) return true;
    return asked(sent) === sent && (after === this.world || world(after, this.world, sent) === after);
  }

  async #play(i: number, alteration: Alteration | undefined): Promise<Done> {
    this.#alteration = alteration;
    const played = await this.#player.play(i);
    return { played, after: this.world };
  }
}

function same<T>(value: T): T {
  return value;
}
