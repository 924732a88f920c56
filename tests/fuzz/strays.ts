// The sandbox `default`, into which requests fall that have lost the name of their own: nobody knows beforehand which, and the journal tells.
import type { Control } from './control.js';
import type { Findings } from './findings.js';
import { replayed, type Shadow } from './judged.js';

export class Strays {
  #since = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly control: Control,
    private readonly shadow: Shadow,
    private readonly findings: Findings,
  ) {}

  /** Takes in what has come since. */
  catchUp(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      for (const entry of await this.control.entries('default', this.#since)) {
        if (entry.id !== this.#since + 1)
          this.findings.add({ kind: 'strays', problem: `entry ${entry.id} comes after ${this.#since}` });
        this.#since = entry.id;
        const problem = replayed(this.shadow, entry);
        if (problem !== undefined) this.findings.add({ kind: 'strays', problem });
      }
    });
    return this.#reading;
  }

  /** To be called when nothing is in flight: the worlds are compared. */
  async settle(): Promise<void> {
    await this.catchUp();
    const problem = this.shadow.difference(await this.control.world('default'));
    if (problem !== undefined) this.findings.add({ kind: 'the world of default', problem });
  }

  /** When the sandbox has begun anew. */
  begin(): void {
    this.#since = 0;
    this.shadow.reset();
  }
}
