// The responses of this process that a fault holds until they are released.

interface Held {
  readonly hold: string;
  readonly end: () => void;
}

export class Holds {
  /** By sandbox. */
  readonly #waiting = new Map<string, Set<Held>>();

  /** Calls `end` when the hold is released, unless the returned function is called before. */
  add(sandbox: string, hold: string, end: () => void): () => void {
    const held = { hold, end };
    const waiting = this.#waiting.get(sandbox) ?? new Set();
    this.#waiting.set(sandbox, waiting.add(held));
    return () => {
      waiting.delete(held);
      if (waiting.size === 0 && this.#waiting.get(sandbox) === waiting) this.#waiting.delete(sandbox);
    };
  }

  /** The names of the holds with waiting responses. */
  names(sandbox: string): string[] {
    return [...(this.#waiting.get(sandbox) ?? [])].map(({ hold }) => hold);
  }

  /** Releases the waiting responses of a hold, or all of the sandbox. Returns their number. */
  release(sandbox: string, hold?: string): number {
    const released = [...(this.#waiting.get(sandbox) ?? [])].filter(held => hold === undefined || held.hold === hold);
    for (const { end } of released) end();
    return released.length;
  }
}
