// A mutex for each name.
import type { OrLater } from '../../../engine/store.js';

export class Mutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs a task after all earlier tasks of this name, whether or not they failed. */
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

  /** Resolves when no task is running. */
  async ended(): Promise<void> {
    while (this.#last.size > 0) await Promise.allSettled(this.#last.values());
  }
}
