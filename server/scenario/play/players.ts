// The players of the sandboxes of this process: a player continues where its last step ended, as long as the sandbox is still its own. The player is
// loaded with the first play.
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import type { Session } from '../../engine/session/session.js';
import type { Loaded } from '../load/load-scenario.js';
import type { Played, Player, PlaySettings } from './player.js';
import type { Target } from './target.js';

/** Returns the target for a sandbox of this process by name. `url`: the address of the server, once it listens. */
export type TargetOf = (sandbox: string, url: string | undefined) => Target;

export class Players {
  /** By the sandbox that they began; a sandbox created again, even under the same name, has none. */
  readonly #known = new WeakMap<CachedSandbox, Player>();
  /** Sandboxes with a scenario in progress. */
  readonly #busy = new Set<string>();
  /** The address of the server, which links in responses begin with. */
  url: string | undefined;

  constructor(
    private readonly session: Session,
    private readonly targetOf: TargetOf,
  ) {}

  /**
   * Plays a whole scenario, or the step at `index`: the first step starts the scenario again, any other runs on the current state. `busy`: a play is
   * in progress there.
   */
  async play(sandbox: CachedSandbox, loaded: Loaded, index?: number): Promise<readonly Played[] | 'busy'> {
    const { name } = sandbox;
    if (this.#busy.has(name)) return 'busy';
    this.#busy.add(name);
    try {
      const isContinued = index !== undefined && index > 0;
      const player = isContinued ? await this.#playerIn(sandbox, loaded) : await this.#player(loaded, name);
      if (!isContinued) await player.begin();
      const played: Played[] = [];
      for (const i of index === undefined ? loaded.steps.keys() : [index]) played.push(await player.play(i));
      const begun = await this.session.sandboxes.latest(name); // another one after a step that resets
      if (begun !== undefined && (!isContinued || begun !== sandbox)) this.#known.set(begun, player);
      return played;
    } finally {
      this.#busy.delete(name);
    }
  }

  /** The player that began this scenario in a sandbox, or a new one for the current state. */
  async #playerIn(sandbox: CachedSandbox, loaded: Loaded): Promise<Player> {
    const known = this.#known.get(sandbox);
    return known?.loaded === loaded ? known : this.#player(loaded, sandbox.name, { readings: sandbox.readings });
  }

  async #player(loaded: Loaded, sandbox: string, settings: PlaySettings = {}): Promise<Player> {
    const { Player } = await import('./player.js');
    return new Player(loaded, this.targetOf(sandbox, this.url), settings);
  }
}
