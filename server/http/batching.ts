// Takes requests that arrived in one turn of the event loop through two steps together: the first one for all, then the second one. Each step stays in
// the processor's caches, which saves a third of the time under load. A single request does not wait.
import { realTime } from '../engine/real-time.js';

/** Node's own function: with a mocked global one, requests would never be answered. */
const afterReading = realTime.setImmediate;

/** After this many milliseconds, decided requests are answered first. */
const WRITE_MS = 1;
/** After this many milliseconds, the rest waits until new requests are read and responses are sent. */
const ROUND_MS = 10;

export class Batches<T> {
  #waiting: T[] = [];

  /** `now`: monotonic milliseconds. */
  constructor(
    private readonly decide: (item: T) => void,
    private readonly write: (item: T) => void,
    private readonly now = () => realTime.uptime(),
  ) {}

  /** Adds a complete request: its steps come after everything that has arrived is read, in order. */
  add(item: T): void {
    if (this.#waiting.push(item) === 1) afterReading(this.#run);
  }

  readonly #run = (): void => {
    const round = this.#waiting;
    this.#waiting = [];
    let written = 0;
    let now = this.now();
    const end = now + ROUND_MS;
    let until = now + WRITE_MS;
    for (const [i, item] of round.entries()) {
      this.decide(item);
      now = this.now();
      if (i < round.length - 1 && now < until) continue;
      for (; written <= i; written += 1) this.write(round[written] as T);
      if (now >= end) break;
      until = this.now() + WRITE_MS;
    }
    if (written < round.length) this.#resume(round.slice(written));
  };

  #resume(rest: T[]): void {
    if (this.#waiting.length === 0) afterReading(this.#run); // otherwise requests that were added meanwhile have scheduled it
    this.#waiting = rest.concat(this.#waiting);
  }
}
