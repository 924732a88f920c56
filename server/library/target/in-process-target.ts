// A fake in this process as the target of a player: asked through the whole server but the socket, and seen from within.
// Each has one sandbox of its own.

import { DEFAULT_URL } from '../../derive/served-at.js';
import { collection } from '../../domain/form/form.js';
import type { CollectionName } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { arm as armed, type Fault, tooManyFaults } from '../../engine/faults/fault.js';
import type { Sandbox } from '../../engine/sandbox/cached-sandbox.js';
import type { Session } from '../../engine/sandbox/session.js';
import type { Change } from '../../engine/sandbox/state.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { type PatchFlaw, patchProblems } from '../../scenario/checks/world-patch.js';
import type { Loaded } from '../../scenario/load/story.js';
import { type Insight, type SandboxControl, type Target, Unreachable } from '../../scenario/play/target.js';
import { injecting } from '../port/inject.js';

/** Names the sandbox. It is the player's own, so a request that names another does not leave it. */
const HEADER = 'x-fake-sandbox';

/** What of a fake that has been put together a player needs. */
export interface Playable {
  readonly app: Parameters<typeof injecting>[0];
  readonly session: Session;
}

/** A target in a sandbox of a fake in this process. */
export function inProcess({ app, session }: Playable, sandbox: string): Target {
  const ask = injecting(app);
  const control = new Inside(session, sandbox);
  return {
    url: DEFAULT_URL, // where it would be if it were served, for `curl`
    context: '',
    send: async request => {
      await control.note();
      const headers = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== HEADER);
      return ask({ ...request, headers: { ...Object.fromEntries(headers), [HEADER]: sandbox } });
    },
    control,
    close: async () => {},
  };
}

class Inside implements SandboxControl {
  /** The id of the last journal entry before the request. */
  #before = 0;

  constructor(
    private readonly session: Session,
    private readonly name: string,
  ) {}

  async begin({ origin }: Loaded, readings: SomeReadings): Promise<SomeReadings> {
    const begun = { ...origin, readings: { ...origin.readings, ...readings } };
    const ttl = (await this.session.latest(this.name))?.ttl;
    let made: Sandbox | undefined;
    while (made === undefined) {
      await this.end();
      made = await this.session.create(this.name, begun, ttl); // a request in between may have made one of that name
    }
    return made.readings;
  }

  /** From now on what is asked counts. */
  async note(): Promise<void> {
    this.#before = (await this.session.latest(this.name))?.journal.last?.id ?? 0;
  }

  async arm(faults: readonly Fault[]): Promise<string | undefined> {
    const changed = await this.session.change(await this.#sandbox(), ({ state }) => {
      const all = [...state.faults, ...armed(faults)];
      const result = tooManyFaults(all);
      const changes: Change[] = result === undefined ? [{ type: 'faults-set', faults: all }] : [];
      return { changes, result };
    });
    return changed === 'gone' ? undefined : changed.result;
  }

  async patch(patch: WorldPatch): Promise<readonly PatchFlaw[]> {
    const changed = await this.session.change(await this.#sandbox(), ({ state }) => {
      const result = patchProblems(state.world, patch);
      const changes: Change[] = result.length > 0 ? [] : [{ type: 'world-patched', patch }];
      return { changes, result };
    });
    if (changed === 'gone') throw new Unreachable(`the sandbox ${this.name} is gone while it is played in`);
    return changed.result;
  }

  async record(name: CollectionName, key: string): Promise<unknown> {
    return collection(name).read((await this.#sandbox()).state.world, key);
  }

  async part(name: 'licence' | 'nextPageId'): Promise<unknown> {
    return (await this.#sandbox()).state.world[name];
  }

  async insight(): Promise<Insight | undefined> {
    const { last } = (await this.#sandbox()).journal;
    return last === undefined || last.id === this.#before ? undefined : last;
  }

  async end(): Promise<void> {
    await this.session.drop(this.name);
  }

  async #sandbox(): Promise<Sandbox> {
    const sandbox = await this.session.latest(this.name);
    if (sandbox === undefined) throw new Unreachable(`the sandbox ${this.name} is gone while it is played in`);
    return sandbox;
  }
}
