// The sandbox `default`, which receives requests that lost the name of their own: the journal has them, the generator does not
// know.

import type { Findings } from '../judging/findings.js';
import { type Entry, replayed, type Shadow } from '../judging/judged.js';
import type { Control } from './control.js';

export class Strays {
  #since = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly control: Control,
    private readonly shadow: Shadow,
    private readonly findings: Findings,
  ) {}

  /** Applies the new entries. */
  catchUp(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      for (const entry of await this.control.entries('default', this.#since)) this.#take(entry);
    });
    return this.#reading;
  }

  /** To be called while no lane sends: compares the worlds. */
  async settle(): Promise<void> {
    await this.#reading;
    const world = await this.control.worldAfter('default', this.#since, entry => this.#take(entry));
    const problem = this.shadow.difference(world);
    if (problem !== undefined) this.findings.add({ kind: 'the world of default', problem });
  }

  #take(entry: Entry): void {
    if (entry.id !== this.#since + 1)
      this.findings.add({ kind: 'strays', problem: `entry ${entry.id} comes after ${this.#since}` });
    this.#since = entry.id;
    const problem = replayed(this.shadow, entry);
    if (problem !== undefined) this.findings.add({ kind: 'strays', problem });
  }

  /** After the sandbox was started anew. */
  begin(): void {
    this.#since = 0;
    this.shadow.reset();
  }
}
