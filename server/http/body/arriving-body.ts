// The bytes of one body while they arrive. At most `limit` of them are kept; the rest is read and discarded for a while, so that the sender gets its
// answer and not a reset connection.
import type { IncomingMessage } from 'node:http';
import type { Outstanding } from './outstanding.js';

/** How much of a body that is too large is discarded before it is answered, in multiples of the limit. */
const DISCARDED_LIMITS = 32;
/** How long that may take. */
const DISCARD_MS = 5_000;

/** The whole body, or why there is none: it is too large, too many others are arriving, or its connection broke. */
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

  /** `size`: as announced; `NaN` where the body comes in chunks. */
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
    this.#timer = setTimeout(() => this.#finish('too-large'), DISCARD_MS);
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
    clearTimeout(this.#timer);
    this.#release();
    this.done(arrived);
  }
}
