// One connection to the server under test: sends bytes in pieces, reads responses strictly, and notices its end.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ApiResponse, IllFormed, ResponseReader } from '../judging/response-reader.js';

/** How a wait ended. */
export type Waited = 'there' | 'closed' | 'late';

export class Wire {
  readonly responses: ApiResponse[] = [];
  /** The error in the bytes received. */
  illFormed: string | undefined;
  /** Everything received, up to a limit. */
  readonly received: Buffer[] = [];
  /** For each expected response, whether it answers a HEAD. */
  readonly #heads: boolean[] = [];
  readonly #reader = new ResponseReader(number => this.#heads[number] ?? false);
  #isClosed = false;
  #wake: () => void = () => {};

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#take(chunk));
    socket.on('error', () => {}); // its end is reported by `close`
    socket.on('end', () => this.#atEnd());
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async to(port: number): Promise<Wire> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return new Wire(socket);
  }

  /** Whether no further request can be sent over it. */
  get isClosed(): boolean {
    return this.#isClosed || this.socket.destroyed || this.#reader.hasEnded;
  }

  /** Whether a response has started and is incomplete. */
  get isWithin(): boolean {
    return this.#reader.isWithin;
  }

  /** Announces whether the next expected response answers a HEAD. */
  expect(isHead: boolean): void {
    this.#heads.push(isHead);
  }

  /** Resolves once the bytes are handed over, or the connection has gone. */
  async write(bytes: Buffer): Promise<void> {
    if (this.socket.destroyed || !this.socket.writable) return;
    await new Promise<void>(resolve => this.socket.write(bytes, () => resolve()));
  }

  /** Ends the sending side; the rest is still read. */
  halfClose(): void {
    if (!this.socket.destroyed) this.socket.end();
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  close(): void {
    this.socket.destroy();
  }

  /** Until this many responses have arrived in all. Milliseconds. */
  async untilAnswers(count: number, within: number): Promise<Waited> {
    return this.#until(() => this.responses.length >= count || this.illFormed !== undefined, within);
  }

  /** Until the server has ended the connection too. */
  async untilClosed(within: number): Promise<Waited> {
    return this.#until(() => false, within);
  }

  async #until(holds: () => boolean, within: number): Promise<Waited> {
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    while (!holds() && !this.#isClosed && !isLate) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
        timer ??= setTimeout(() => {
          isLate = true;
          this.#wake();
        }, within);
      });
    }
    clearTimeout(timer);
    return holds() ? 'there' : this.#isClosed ? 'closed' : 'late';
  }

  #take(chunk: Buffer): void {
    if (this.received.length < 100) this.received.push(chunk);
    this.#read(() => this.#reader.take(chunk));
    this.#wake();
  }

  #atEnd(): void {
    this.#read(() => this.#reader.end());
    this.socket.end();
    this.#wake();
  }

  #read(read: () => ApiResponse[]): void {
    if (this.illFormed !== undefined) return;
    try {
      for (const response of read()) this.responses.push(response);
    } catch (error) {
      if (!(error instanceof IllFormed)) throw error;
      this.illFormed = error.message;
    }
  }
}
