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
  /** While more bytes than `plenty` wait, so many milliseconds. Of twice as many, those that have waited longest are cut off at once. */
  readonly haste: number;
  readonly plenty: number;
}

export const usualReaderLimits: ReaderLimits = { patience: 30_000, haste: 1_000, plenty: 64 * 1024 * 1024 };

export class UnreadAnswers {
  /** In the order in which they began to wait, each with what ends that. */
  readonly #sockets = new Map<Socket, () => void>();
  #tell = () => {};

  constructor(
    private readonly states: ConnectionStates,
    private readonly outstanding: Outstanding,
    private readonly limits: ReaderLimits,
  ) {}

  /** Cuts off readers on a server that take nothing, and tells the log. */
  guard(server: Server, log: Log): void {
    this.#tell = seldom(() => log.warn('a reader took nothing of its answers and was cut off'));
    server.on('timeout', socket => this.#cutOff(socket)); // so ends one that is kept and asks nothing further
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
    this.#sockets.set(socket, release);
    this.states.of(socket).setUnread(true);
    response.prependOnceListener('finish', () => {
      socket.setTimeout(0); // Node sets its own for a connection that is kept
      release();
    });
    response.once('close', release);
    const { patience, haste, plenty } = this.limits;
    if (this.outstanding.answers <= plenty) socket.setTimeout(patience);
    else for (const waiting of this.#sockets.keys()) waiting.setTimeout(haste);
    for (const waiting of this.outstanding.answers > 2 * plenty ? this.#sockets.keys() : []) {
      if (this.outstanding.answers <= 2 * plenty) break;
      this.#cutOff(waiting);
    }
  }

  #cutOff(socket: Socket): void {
    const release = this.#sockets.get(socket);
    if (release !== undefined) this.#tell();
    socket.destroy();
    release?.();
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
