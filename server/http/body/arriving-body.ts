// Receives the bytes of one body. Keeps at most `limit` of them; more is read and discarded for a while, so that the sender gets an answer and not a
// reset connection.

import type { IncomingMessage } from 'node:http';
import { realTime } from '../../engine/real-time.js';
import type { Outstanding } from './outstanding.js';

/** How much of a body that is too large is discarded, in multiples of the limit. */
const DISCARDED_LIMITS = 32;
/** Maximum time for that. */
const DISCARD_MS = 5_000;

/** The whole body, or why there is none: too large, too many others arriving, or a broken connection. */
export type Arrived = Buffer | 'too-large' | 'no-room' | Error;

export class ArrivingBody {
  #chunks: Buffer[] = [];
  #kept = 0;
  #size = 0;
  #isDone = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limit: number,
    private readonly outstanding: Outstanding,
    private readonly done: (arrived: Arrived) => void,
  ) {}

  /** `size`: Content-Length; `NaN` for a chunked body. */
  read(request: IncomingMessage, size: number): void {
    if (size > this.limit) this.#discard();
    request.on('data', (chunk: Buffer) => this.#take(chunk));
    request.on('end', () => this.#finish(this.#size > this.limit ? 'too-large' : this.#bytes()));
    request.on('error', error => this.#finish(this.#timer === undefined ? error : 'too-large'));
  }

  #take(chunk: Buffer): void {
    if (this.#isDone) return;
    this.#size += chunk.length;
    if (this.#size > this.limit) {
      if (this.#timer === undefined) this.#discard();
      if (this.#size > this.limit * DISCARDED_LIMITS) this.#finish('too-large');
      return;
    }
    this.#chunks.push(chunk);
    this.#kept += chunk.length;
    this.outstanding.bodies += chunk.length;
    if (this.outstanding.isFull) this.#finish('no-room');
  }

  #discard(): void {
    this.#release();
    this.#timer = realTime.setTimeout(() => this.#finish('too-large'), DISCARD_MS);
  }

  /** Most bodies come in one piece. */
  #bytes(): Buffer {
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }

  #release(): void {
    this.outstanding.bodies -= this.#kept;
    this.#kept = 0;
    this.#chunks = [];
  }

  #finish(arrived: Arrived): void {
    if (this.#isDone) return;
    this.#isDone = true;
    realTime.clearTimeout(this.#timer);
    this.#release();
    this.done(arrived);
  }
}
