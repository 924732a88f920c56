// The responses of this process that a fault holds until they are released.

/** A held response. */
interface Held {
  readonly hold: string;
  /** Its journal entry. */
  readonly entry: number;
  readonly end: () => void;
}

export class Holds {
  /** By sandbox. */
  readonly #waiting = new Map<string, Set<Held>>();

  /** Calls its `end` when the hold is released, unless the returned function is called before. */
  add(sandbox: string, held: Held): () => void {
    const waiting = this.#waiting.get(sandbox) ?? new Set();
    this.#waiting.set(sandbox, waiting.add(held));
    return () => {
      waiting.delete(held);
      if (waiting.size === 0 && this.#waiting.get(sandbox) === waiting) this.#waiting.delete(sandbox);
    };
  }

  /** The responses that wait, each with its hold. */
  waiting(sandbox: string): Array<Pick<Held, 'hold' | 'entry'>> {
    return [...(this.#waiting.get(sandbox) ?? [])].map(({ hold, entry }) => ({ hold, entry }));
  }

  /** Releases the waiting responses of a hold, or all of the sandbox. Returns their number. */
  release(sandbox: string, hold?: string): number {
    const released = [...(this.#waiting.get(sandbox) ?? [])].filter(held => hold === undefined || held.hold === hold);
    for (const { end } of released) end();
    return released.length;
  }
}
