// A raw connection.
import type { Socket } from 'node:net';
import { type Answer, answersIn } from './answers.js';

/** Maximum kept size of an answer. */
const MAX_BYTES = 4 * 1024 * 1024;

export class Line {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #isClosed = false;
  /** Resolves when it is closed by either side. */
  readonly closed: Promise<void>;
  readonly #heard = new Set<() => void>();

  /** `socket` must be connected. */
  constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', chunk => {
      if (this.#size < MAX_BYTES) this.#chunks.push(chunk);
      this.#size += chunk.length;
      this.#tell();
    });
    socket.on('error', () => socket.destroy()); // a reset is an end like others; that it is closed is what counts
    socket.on('end', () => socket.destroy());
    this.closed = new Promise(resolve => {
      socket.once('close', () => {
        this.#isClosed = true;
        this.#tell();
        resolve();
      });
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The remote address. */
  get remote(): string {
    return this.socket.remoteAddress ?? '';
  }

  get answers(): readonly Answer[] {
    return answersIn(Buffer.concat(this.#chunks), this.#isClosed);
  }

  write(bytes: string | Buffer): void {
    if (this.socket.writable) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Stops reading. */
  pause(): void {
    this.socket.pause();
  }

  /** Resolves with the responses after `count` complete ones, when the connection closes, or after `ms`. */
  async answered(count: number, ms: number): Promise<readonly Answer[]> {
    await this.#until(() => this.#isClosed || this.answers.filter(({ isWhole }) => isWhole).length >= count, ms);
    return this.answers;
  }

  /** Whether it is closed within `ms`. */
  async closes(ms: number): Promise<boolean> {
    await this.#until(() => this.#isClosed, ms);
    return this.#isClosed;
  }

  end(): void {
    this.socket.destroy();
  }

  #tell(): void {
    for (const heard of this.#heard) heard();
  }

  #until(isReached: () => boolean, ms: number): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (isReached()) done();
      };
      const done = () => {
        clearTimeout(timer);
        this.#heard.delete(look);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#heard.add(look);
      look();
    });
  }
}
