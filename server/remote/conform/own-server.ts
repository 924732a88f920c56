// A server that keeps every rule, follows the same readings and has the same names as another: our own, in this process.
// What holds there can be expected elsewhere. Judges nothing.

import { silentLog } from '../../engine/log.js';
import { injecting } from '../../library/inject.js';
import type { SomeReadings } from '../../operations/gaps.js';
import type { Step } from '../../scenario/format/step-format.js';
import { type Played, Player } from '../../scenario/play/player.js';
import type { Target } from '../../scenario/play/target.js';
import { isProblems, showProblem } from '../../scenario/yaml/problem.js';
import { assemble } from '../../server.js';
import { settingsFrom } from '../../settings.js';
import type { NamesThere } from '../name-map.js';
import type { Planned } from '../plan.js';
import { renamedWorld } from '../renamed-world.js';

/** As what it stands in. */
export interface Likeness {
  readonly known: SomeReadings;
  readonly names: NamesThere;
  /** What `${run}` stands for. */
  readonly run: string;
}

export class OwnServer {
  #sandboxes = 0;

  private constructor(
    private readonly fake: Exclude<Awaited<ReturnType<typeof assemble>>, { problems: unknown }>,
    private readonly likeness: Likeness,
  ) {}

  static async like(likeness: Likeness): Promise<OwnServer> {
    const fake = await assemble(settingsFrom(undefined, {}), silentLog);
    if (isProblems(fake)) throw new Error(fake.problems.map(showProblem).join('\n'));
    return new OwnServer(fake, likeness);
  }

  /**
   * Plays a file as it is played elsewhere, in a world of its own: the same steps are left out, and nothing is seen but answers. Where a step
   * is one that is to be without effect, all is put back to what it was before.
   */
  async play({ written, mapped }: Planned, isWithoutEffect: (step: Step) => boolean = () => false): Promise<Played[]> {
    const { session, app } = this.fake;
    const { known, names, run } = this.likeness;
    const name = `own-${this.#sandboxes++}`;
    const origin = { ...written.origin, world: renamedWorld(written.origin.world, names), readings: known };
    let sandbox = await session.create(name, origin);
    const ask = injecting(app);
    const target: Target = {
      url: '',
      context: '',
      send: request => ask({ ...request, headers: { 'X-Fake-Sandbox': name, ...request.headers } }),
      close: async () => {},
    };
    const player = new Player(mapped.loaded, target, { passwords: names.passwords, known, run });
    const played: Played[] = [];
    await player.begin();
    for (const [i, step] of mapped.loaded.steps.entries()) {
      if (mapped.reasons.has(i)) continue;
      const before = sandbox?.state.world ?? origin.world;
      played.push(await player.play(i));
      if (!isWithoutEffect(step)) continue;
      await session.drop(name);
      sandbox = await session.create(name, { ...origin, world: before });
    }
    await session.drop(name);
    return played;
  }

  end(): void {
    this.fake.end();
  }
}
