// Backoff for a writer that loses too many races: it gets a short exclusive turn.
import { realTime } from '../../../engine/real-time.js';

const LOST_RACES = 3;
/** By the engine's clock. A writer that dies during its turn blocks others no longer than this. */
const TURN_MS = 20;

export class Backoff {
  readonly #lost = new Map<string, number>();

  /** Milliseconds of the turn to request with the next append; 0: none. */
  wanted(sandbox: string): number {
    return (this.#lost.get(sandbox) ?? 0) >= LOST_RACES - 1 ? TURN_MS : 0;
  }

  won(sandbox: string): void {
    this.#lost.delete(sandbox);
  }

  lost(sandbox: string): void {
    this.#lost.set(sandbox, (this.#lost.get(sandbox) ?? 0) + 1);
  }

  /** Waits while another writer has its turn, which is usually over early. */
  async wait(): Promise<void> {
    await new Promise(resolve => realTime.setTimeout(resolve, 1 + Math.random() * 2));
  }
}
