// Runs long work in pieces and serves other requests in between: a generator yields wherever it may be interrupted.
import { realTime } from './real-time.js';

/** Node's own function: with a mocked global one the work would never end. */
const afterOthers = realTime.setImmediate;

/** Maximum time in milliseconds before others are served, besides the last piece. */
const MAX_MS = 10;

/** The end of the queue for slices: one in each turn of the event loop, whatever work there is. */
let last: Promise<void> = Promise.resolve();

export class Turn {
  #end = realTime.uptime() + MAX_MS;

  get isOver(): boolean {
    return realTime.uptime() >= this.#end;
  }

  /** Resolves after others were served, with a new time slice. */
  async next(): Promise<void> {
    last = last.then(() => new Promise<void>(resolve => void afterOthers(resolve)));
    await last;
    this.#end = realTime.uptime() + MAX_MS;
  }
}

/** Runs the work, and serves others every few milliseconds. */
export async function inPieces<T>(work: Iterator<unknown, T>): Promise<T> {
  const turn = new Turn();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (turn.isOver) await turn.next();
  }
}
