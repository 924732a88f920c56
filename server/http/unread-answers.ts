// Answers that are written and not taken by their readers. A reader that takes nothing for a while is cut off: its answer would be held for ever.
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionStates } from './connection-state.js';
import type { Log } from './log.js';
import type { Outstanding } from './outstanding.js';
import { seldom } from './seldom.js';

export interface ReaderLimits {
  /** Milliseconds in which something of an answer has to be taken. */
  readonly patience: number;
  /** While more bytes than `plenty` wait, so many milliseconds. */
  readonly haste: number;
  readonly plenty: number;
}

export const usualReaderLimits: ReaderLimits = { patience: 30_000, haste: 1_000, plenty: 64 * 1024 * 1024 };

export class UnreadAnswers {
  /** With whether their readers are given less time. */
  readonly #sockets = new Map<Socket, 'patient' | 'hasty'>();

  constructor(
    private readonly states: ConnectionStates,
    private readonly outstanding: Outstanding,
    private readonly limits: ReaderLimits,
  ) {}

  /** Cuts off readers on a server that take nothing, and tells the log. */
  guard(server: Server, log: Log): void {
    const tell = seldom(() => log.warn('a reader took nothing of its answers and was cut off'));
    server.on('timeout', socket => {
      if (this.#sockets.has(socket)) tell();
      socket.destroy(); // so does one that is kept and asks nothing further
    });
  }

  /** Watches an answer that has been written, unless all of it has been taken. */
  watch(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null || socket.writableLength === 0 || this.#sockets.has(socket)) return;
    const bytes = socket.writableLength;
    const release = () => {
      if (!this.#sockets.delete(socket)) return;
      this.outstanding.answers -= bytes;
      this.states.of(socket).setUnread(false);
    };
    this.outstanding.answers += bytes;
    this.#sockets.set(socket, 'patient');
    this.states.of(socket).setUnread(true);
    response.prependOnceListener('finish', () => {
      socket.setTimeout(0); // Node sets its own for a connection that is kept
      release();
    });
    response.once('close', release);
    socket.setTimeout(this.limits.patience);
    if (this.outstanding.answers > this.limits.plenty) this.#hurry();
  }

  #hurry(): void {
    for (const [socket, pace] of this.#sockets) {
      if (pace === 'hasty') continue; // its time is running
      this.#sockets.set(socket, 'hasty');
      socket.setTimeout(this.limits.haste);
    }
  }
}

/** Responses of a server that are watched when they have been written. */
export function watchedBy(unread: UnreadAnswers): typeof ServerResponse {
  return class<R extends IncomingMessage> extends ServerResponse<R> {
    override end(...parts: unknown[]): this {
      Reflect.apply(super.end, this, parts);
      unread.watch(this);
      return this;
    }
  };
}
