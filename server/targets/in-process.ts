// A fake in this process as the target of a player: asked through the whole server but the socket, and seen from within.
// Each has one sandbox of its own.

import type { Assembled } from '../assemble.js';
import { collection } from '../domain/form.js';
import type { CollectionName } from '../domain/form-shapes.js';
import type { Fault } from '../engine/fault.js';
import type { Sandbox } from '../engine/sandbox.js';
import type { Change } from '../engine/state.js';
import { injecting } from '../fake/inject.js';
import type { SomeReadings } from '../operations/gaps.js';
import type { Backstage, Insight, Target } from '../scenario/play/target.js';
import type { Loaded } from '../scenario/story.js';

/** Where it would be if it were served, for `curl`. */
const SHOWN_URL = 'http://127.0.0.1:8080';

/** A target in a sandbox of a fake that has been put together. */
export function inProcess({ app, session }: Assembled, sandbox: string): Target {
  const ask = injecting(app);
  return {
    url: SHOWN_URL,
    context: '',
    send: request => ask({ ...request, headers: { 'X-Fake-Sandbox': sandbox, ...request.headers } }),
    backstage: new Inside(session, sandbox),
    close: async () => {},
  };
}

class Inside implements Backstage {
  constructor(
    private readonly session: Assembled['session'],
    private readonly name: string,
  ) {}

  async begin({ origin }: Loaded, readings: SomeReadings): Promise<void> {
    await this.end();
    await this.session.create(this.name, { ...origin, readings: { ...origin.readings, ...readings } });
  }

  async arm(faults: readonly Fault[]): Promise<void> {
    await this.session.change(this.#sandbox, ({ state }) => {
      const change: Change = { type: 'faults-set', faults: [...state.faults, ...faults] };
      return { changes: [change], result: undefined };
    });
  }

  async record(name: CollectionName, key: string): Promise<unknown> {
    return collection(name).read(this.#sandbox.state.world, key);
  }

  async part(name: 'licence' | 'nextPageId'): Promise<unknown> {
    return this.#sandbox.state.world[name];
  }

  async insight(): Promise<Insight | undefined> {
    return this.#sandbox.journal.last;
  }

  async end(): Promise<void> {
    await this.session.drop(this.name);
  }

  get #sandbox(): Sandbox {
    const sandbox = this.session.find(this.name);
    if (sandbox === undefined) throw new Error(`the sandbox ${this.name} is gone while it is played in`);
    return sandbox;
  }
}
