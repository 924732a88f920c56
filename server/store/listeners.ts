// The watchers of the logs of one process. A watched log need not exist.

export class Listeners {
  readonly #of = new Map<string, Set<() => void>>();

  /** Calls `listener` on each event of a log of this name; returns a function that stops it. */
  watch(sandbox: string, listener: () => void): () => void {
    const own = () => listener(); // a listener that is added twice is called twice
    const listeners = this.#of.get(sandbox) ?? new Set();
    listeners.add(own);
    this.#of.set(sandbox, listeners);
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#of.get(sandbox) === listeners) this.#of.delete(sandbox);
    };
  }

  tell(sandbox: string): void {
    if (this.#of.size === 0) return; // usually there is no watcher
    for (const listener of this.#of.get(sandbox) ?? []) listener();
  }

  tellAll(): void {
    for (const sandbox of [...this.#of.keys()]) this.tell(sandbox);
  }
}
