// Who plays in which sandbox of this process: a player goes on where its last step ended, as long as the sandbox is the one that it has begun.
// Knows targets only by their port. What plays is loaded with the first play: most servers end without one.
import type { Sandbox } from '../../engine/sandbox/cached-sandbox.js';
import type { Session } from '../../engine/sandbox/session.js';
import type { Loaded } from '../load/story.js';
import type { Played, Player, PlaySettings } from './player.js';
import type { Target } from './target.js';

/** Gives the target that is a sandbox of this process, by its name. */
export type TargetOf = (sandbox: string) => Target;

export class Players {
  /** By the sandbox that they have begun: one that is made anew, and be it under the same name, has none. */
  readonly #known = new WeakMap<Sandbox, Player>();
  /** Sandboxes in which a scenario is being played. */
  readonly #busy = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly targetOf: TargetOf,
  ) {}

  /**
   * Plays a scenario from its beginning to its end, or, where `index` is given, one step of it: the first on the scenario begun afresh, any
   * other on the sandbox as it is. `busy`: another one is being played there.
   */
  async play(sandbox: Sandbox, loaded: Loaded, index?: number): Promise<readonly Played[] | 'busy'> {
    const { name } = sandbox;
    if (this.#busy.has(name)) return 'busy';
    this.#busy.add(name);
    try {
      if (index !== undefined && index > 0) return [await (await this.#playerIn(sandbox, loaded)).play(index)];
      const player = await this.#player(loaded, name);
      await player.begin();
      const begun = await this.session.latest(name);
      if (begun !== undefined) this.#known.set(begun, player);
      const played: Played[] = [];
      for (const i of index === undefined ? loaded.steps.keys() : [index]) played.push(await player.play(i));
      return played;
    } finally {
      this.#busy.delete(name);
    }
  }

  /** The player that has begun this scenario in a sandbox; else one that takes the sandbox as it is. */
  async #playerIn(sandbox: Sandbox, loaded: Loaded): Promise<Player> {
    const known = this.#known.get(sandbox);
    return known?.loaded === loaded ? known : this.#player(loaded, sandbox.name, { readings: sandbox.readings });
  }

  async #player(loaded: Loaded, sandbox: string, settings: PlaySettings = {}): Promise<Player> {
    const { Player } = await import('./player.js');
    return new Player(loaded, this.targetOf(sandbox), settings);
  }
}
