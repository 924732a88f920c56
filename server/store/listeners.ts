// Who watches the logs of one process. A log that is watched need not be there.

export class Listeners {
  readonly #of = new Map<string, Set<() => void>>();

  /** Calls `listener` whenever something is told of a log of this name; returns what ends that. */
  watch(sandbox: string, listener: () => void): () => void {
    const own = () => listener(); // one that watches twice hears twice
    const listeners = this.#of.get(sandbox) ?? new Set();
    listeners.add(own);
    this.#of.set(sandbox, listeners);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#of.get(sandbox) === listeners) this.#of.delete(sandbox);
    };
  }

  tell(sandbox: string): void {
    if (this.#of.size === 0) return; // nobody watches anything, as most of the time
    for (const listener of this.#of.get(sandbox) ?? []) listener();
  }
}
