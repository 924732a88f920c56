// A message that flows by, with the beginning of its body.
import { isUtf8 } from 'node:buffer';
import type { Headers } from '../../outgoing/outgoing.js';

export class SeenMessage {
  #bytes = Buffer.alloc(0);
  #size = 0;
  /** Whether its end has come. */
  isComplete = false;

  /** `headers`: names in lower case. `limit`: the bytes to keep. */
  constructor(
    readonly headers: Headers,
    private readonly limit: number,
  ) {}

  /** Copies the bytes: a chunk of one byte may hold a large buffer. */
  add(chunk: Buffer): void {
    const { length } = this.bytes;
    const added = chunk.subarray(0, this.limit - length);
    if (length + added.length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], Math.min(2 * (length + added.length), this.limit));
    added.copy(this.#bytes, length);
    this.#size += chunk.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  /** The bytes of the whole body, kept or not. */
  get size(): number {
    return this.#size;
  }

  /** Whether `bytes` is the whole body. */
  get isWhole(): boolean {
    return this.isComplete && this.limit > 0 && this.#size <= this.limit;
  }

  /** `undefined` if it is not text. */
  get text(): string | undefined {
    return isUtf8(this.bytes) ? this.bytes.toString('utf8') : undefined;
  }
}
