// Some servers at once on one store, and a load that asks all of them by turns: how much they answered, and what each response cost them, the store's
// engine, and everybody else. Knows no requests.

import { watchOthersEverywhere } from '../../tests/support/measuring/machine.js';
import { type Program, type Running, start } from './child.js';
import { sendToAll } from './load.js';
import { engineCpu, type StorePlace } from './stores.js';

export interface ServedLoad {
  /** Requests a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
  /** Microseconds of processor time for each request: of all replicas together, and of the engines. */
  readonly replicas: number;
  readonly engines: number;
  /** The share of all processors that others took. */
  readonly others: number;
}

export class Replicas {
  private constructor(
    private readonly place: StorePlace,
    private readonly running: readonly Running[],
  ) {}

  /** One after the other: the first makes what all of them share. */
  static async start(place: StorePlace, count: number, program: Program): Promise<Replicas> {
    const running: Running[] = [];
    try {
      for (let i = 0; i < count; i += 1) running.push(await start(program));
    } catch (error) {
      await stopAll(running);
      throw error;
    }
    return new Replicas(place, running);
  }

  get urls(): readonly string[] {
    return this.running.map(({ url }) => url);
  }

  async load(requests: string, seconds: number): Promise<ServedLoad> {
    const { engines } = this.place;
    const [cpu, used] = [await this.#cpu(), await engineCpu(engines)];
    const othersSince = watchOthersEverywhere();
    const tally = await sendToAll(this.urls, requests, { seconds });
    const ofEngines = (await engineCpu(engines)) - used;
    const ofReplicas = (await this.#cpu()) - cpu;
    return {
      rate: tally.requests / tally.seconds,
      p50: tally.p50,
      p99: tally.p99,
      errors: tally.errors,
      replicas: ofReplicas / tally.requests,
      engines: ofEngines / tally.requests,
      others: othersSince(ofReplicas + ofEngines + tally.cpu),
    };
  }

  stop(): Promise<void> {
    return stopAll(this.running);
  }

  async #cpu(): Promise<number> {
    const used = await Promise.all(this.running.map(one => one.ask({ ask: 'usage' })));
    return used.reduce((sum, { cpu }) => sum + cpu, 0);
  }
}

async function stopAll(running: readonly Running[]): Promise<void> {
  await Promise.all(running.map(one => one.stop()));
}
