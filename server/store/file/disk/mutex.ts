// One thing after the other for each name, and different names side by side. Knows nothing of what is done.
import type { OrLater } from '../../../engine/store.js';

export class Mutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does something when all is done that was asked for before under this name, whether or not that went well. */
  take<T>(name: string, work: () => OrLater<T>): Promise<T> {
    const before = this.#last.get(name);
    const turn = before === undefined ? (async () => work())() : before.then(work, work);
    this.#last.set(name, turn);
    const leave = () => {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    };
    turn.then(leave, leave);
    return turn;
  }

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
