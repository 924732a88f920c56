// Receives the bytes of one body. Keeps at most `limit` of them; more is read and discarded for a while, so that the sender gets a response and not a
// reset connection.

import type { IncomingMessage } from 'node:http';
import type { Admission } from '../../engine/admission.js';
import { realTime } from '../../engine/real-time.js';
import { Turn } from '../../engine/time-slicing.js';

/** How much of a body that is too large is discarded, in multiples of the limit. */
const DISCARDED_LIMITS = 32;
/** Maximum time for that. */
const DISCARD_MS = 5_000;

/** The whole body, or why there is none: too large, too many others arriving, or a broken connection. */
export type ArrivedBody = Buffer | 'too-large' | 'no-room' | Error;

/** Bytes of a body in progress besides its block: what the allocator keeps of the buffers that Node reads into. */
const READING = 40 * 1024;
/** Node takes a microsecond or two for each piece, and reads as many as have arrived: after this many small ones other connections are served. */
const PIECES_IN_A_TURN = 1_000;
const SMALL_PIECE = 64;
/** The first block for a body in pieces. */
const MIN_BLOCK = 4096;

const NONE = Buffer.alloc(0);

export class ArrivingBody {
  /** The body in one block with room for more: a buffer for each piece costs a hundred times a piece of one byte. */
  #block: Buffer = NONE;
  /** Counted bytes. */
  #kept = 0;
  #size = 0;
  /** Small pieces of this turn. */
  #pieces = 0;
  /** Absent once it is called: an idle connection keeps its last request, and with it this object, but not the parsed body that the callback leads to. */
  #done: ((arrived: ArrivedBody) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limit: number,
    private readonly admission: Admission,
    done: (arrived: ArrivedBody) => void,
  ) {
    this.#done = done;
  }

  /** `size`: Content-Length; `NaN` for a chunked body. */
  read(request: IncomingMessage, size: number): void {
    if (size > this.limit) this.#discard();
    request.on('data', (chunk: Buffer) => {
      if (chunk.length < SMALL_PIECE) this.#letOthers(request);
      this.#take(chunk);
    });
    request.on('end', () => this.#finish(this.#size > this.limit ? 'too-large' : this.#block.subarray(0, this.#size)));
    request.on('error', error => this.#finish(this.#timer === undefined ? error : 'too-large'));
  }

  #take(chunk: Buffer): void {
    if (this.#done === undefined) return;
    this.#size += chunk.length;
    if (this.#size > this.limit) {
      if (this.#timer === undefined) this.#discard();
      if (this.#size > this.limit * DISCARDED_LIMITS) this.#finish('too-large');
      return;
    }
    const before = this.#size - chunk.length;
    if (before === 0)
      this.#block = chunk; // most bodies come in one piece
    else {
      if (this.#size > this.#block.length) this.#enlarge(before);
      chunk.copy(this.#block, before);
    }
    this.#count(this.#block.length + READING);
    if (this.admission.isFull) this.#finish('no-room');
  }

  #letOthers({ socket }: IncomingMessage): void {
    this.#pieces += 1;
    if (this.#pieces !== PIECES_IN_A_TURN) return;
    const pause = () => socket.pause();
    socket.on('resume', pause); // Node resumes the socket for each piece
    pause(); // the rest of what was read from it still comes
    void new Turn().next().then(() => {
      this.#pieces = 0;
      socket.off('resume', pause).resume();
    });
  }

  #enlarge(used: number): void {
    const wanted = Math.min(Math.max(2 * this.#size, MIN_BLOCK), this.limit);
    const larger = Buffer.allocUnsafeSlow(wanted);
    this.#block.copy(larger, 0, 0, used);
    this.#block = larger;
  }

  #count(bytes: number): void {
    this.admission.bodies += bytes - this.#kept;
    this.#kept = bytes;
  }

  #discard(): void {
    this.#release();
    this.#timer = realTime.setTimeout(() => this.#finish('too-large'), DISCARD_MS);
  }

  #release(): void {
    this.#count(0);
    this.#block = NONE;
  }

  #finish(arrived: ArrivedBody): void {
    const done = this.#done;
    if (done === undefined) return;
    this.#done = undefined;
    realTime.clearTimeout(this.#timer);
    this.#release();
    done(arrived);
  }
}
