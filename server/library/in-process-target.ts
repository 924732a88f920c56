// A fake in this process as a target of scenarios: requests go through the whole server except the socket, and its sandbox is visible. Each target
// has its own sandbox.

import { DEFAULT_URL } from '../derive/served-at.js';
import { collection } from '../domain/form.js';
import type { CollectionName } from '../domain/form-shapes.js';
import type { WorldPatch } from '../domain/patch.js';
import { arm as armed, type Fault, tooManyFaults } from '../engine/faults/fault.js';
import type { Sandbox } from '../engine/sandbox/sandbox.js';
import type { Session } from '../engine/sandbox/session.js';
import type { Change } from '../engine/sandbox/state.js';
import type { SomeReadings } from '../operations/gaps.js';
import { patchProblems } from '../scenario/checks/world-patch.js';
import type { Loaded } from '../scenario/load/story.js';
import { type Insight, type SandboxControl, type Target, Unreachable } from '../scenario/play/target.js';
import type { ValidationError } from '../scenario/yaml/problem.js';
import { injecting } from './inject.js';

/** Adds the sandbox's header to a request; a request that names another sandbox still uses this one. */
const HEADER = 'x-fake-sandbox';

/** The parts of a fake that a player needs. */
export interface Playable {
  readonly app: Parameters<typeof injecting>[0];
  readonly session: Session;
}

/** A target in a sandbox of a fake in this process. */
export function inProcess({ app, session }: Playable, sandbox: string): Target {
  const ask = injecting(app);
  const control = new Inside(session, sandbox);
  return {
    url: DEFAULT_URL, // where it would be served, for `curl`
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
      made = await this.session.create(this.name, begun, ttl); // a request in between may have created it
    }
    return made.readings;
  }

  /** From now on, entries are the player's own. */
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

  async patch(patch: WorldPatch): Promise<readonly ValidationError[]> {
    const changed = await this.session.change(await this.#sandbox(), ({ state }) => {
      const result = patchProblems(state.world, patch);
      const changes: Change[] = result.length > 0 ? [] : [{ type: 'world-patched', patch }];
      return { changes, result };
    });
    if (changed === 'gone') throw new Unreachable(`the sandbox ${this.name} was dropped during the play`);
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
    if (sandbox === undefined) throw new Unreachable(`the sandbox ${this.name} was dropped during the play`);
    return sandbox;
  }
}
