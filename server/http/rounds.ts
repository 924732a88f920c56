// Performs requests that arrived in one turn of the event loop one after the other, then answers them: each phase stays in the processor's caches,
// which halves the cost under load. A single request does not wait.
import { realTime } from '../engine/real-time.js';

/** A complete request. */
export interface Participant {
  perform(): void;
  /** Sends the answer, if it is ready. */
  send(): void;
}

/** Node's own function: with a mocked global one, requests would never be answered. */
const afterReading = realTime.setImmediate;

/** After this many milliseconds, performed requests are answered first. */
const SEND_MS = 1;
/** After this many milliseconds, the rest waits until new requests are read and answers are sent. */
const ROUND_MS = 10;

export class Rounds {
  #waiting: Participant[] = [];

  /** `now`: monotonic milliseconds. */
  constructor(private readonly now = () => realTime.uptime()) {}

  /** Performs it after everything that has arrived is read, in order. */
  join(participant: Participant): void {
    if (this.#waiting.push(participant) === 1) afterReading(this.#run);
  }

  readonly #run = (): void => {
    const round = this.#waiting;
    this.#waiting = [];
    let sent = 0;
    let now = this.now();
    const end = now + ROUND_MS;
    let until = now + SEND_MS;
    for (const [i, participant] of round.entries()) {
      participant.perform();
      now = this.now();
      if (i < round.length - 1 && now < until) continue;
      while (sent <= i) {
        round[sent]?.send();
        sent += 1;
      }
      if (now >= end) break;
      until = this.now() + SEND_MS;
    }
    if (sent < round.length) this.#resume(round.slice(sent));
  };

  #resume(rest: Participant[]): void {
    if (this.#waiting.length === 0) afterReading(this.#run); // otherwise requests that joined meanwhile have scheduled it
    this.#waiting = rest.concat(this.#waiting);
  }
}
