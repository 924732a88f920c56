// Long work in pieces, between which others are served: a generator yields wherever it may be interrupted.

/** Node's own: a test that lets time stand still replaces the global one, and the work would never end. */
const afterOthers = setImmediate;

/** How long others wait for work that goes on, in milliseconds, besides its last piece. */
const MOST_MS = 10;

/** The time for which work may go on before it lets others in. */
export class Turn {
  #end = performance.now() + MOST_MS;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Resolves when others have been served, and begins anew. */
  async next(): Promise<void> {
    await new Promise<void>(resolve => afterOthers(resolve));
    this.#end = performance.now() + MOST_MS;
  }
}

/** Works on, and lets others in every few milliseconds. */
export async function inPieces<T>(work: Iterator<unknown, T>): Promise<T> {
  const turn = new Turn();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (turn.isOver) await turn.next();
  }
}
