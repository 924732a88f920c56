// Who has lost a log to others too often takes a short turn at it, so that nobody starves. Knows neither Redis nor what is appended.

const LOST_RACES = 3;
/** By the engine's clock. One that dies with its turn holds the others up for no longer. */
const TURN_MS = 20;

export class Backoff {
  readonly #lost = new Map<string, number>();

  /** Milliseconds of the turn to ask for with the next append; 0: none. */
  wanted(sandbox: string): number {
    return (this.#lost.get(sandbox) ?? 0) >= LOST_RACES - 1 ? TURN_MS : 0;
  }

  won(sandbox: string): void {
    this.#lost.delete(sandbox);
  }

  lost(sandbox: string): void {
    this.#lost.set(sandbox, (this.#lost.get(sandbox) ?? 0) + 1);
  }

  /** While another has its turn, which mostly is over long before its time. */
  async wait(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, 1 + Math.random() * 2));
  }
}
