// Answers that are written and not taken by their readers. A reader that takes nothing for a while is cut off: its answer would be held for ever.
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../../engine/log.js';
import type { Outstanding } from '../body/outstanding.js';
import type { ConnectionStates } from '../connections/connection-state.js';
import { seldom } from '../seldom.js';

export interface ReaderLimits {
  /** Milliseconds in which something of an answer has to be taken. */
  readonly patience: number;
  /** While more bytes than `plenty` wait, so many milliseconds. */
  readonly haste: number;
  readonly plenty: number;
  /** While more bytes than this wait, those that have waited longest are cut off at once. */
  readonly most: number;
}

const MIB = 1024 * 1024;

export const usualReaderLimits: ReaderLimits = { patience: 30_000, haste: 1_000, plenty: 64 * MIB, most: 128 * MIB };

interface Waiting {
  isHurried: boolean;
  /** It waits no longer. */
  readonly release: () => void;
}

export class UnreadAnswers {
  /** In the order in which they began to wait. */
  readonly #sockets = new Map<Socket, Waiting>();
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
    this.#sockets.set(socket, { isHurried: false, release });
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
    const { most, haste } = this.limits;
    for (const [socket, waiting] of this.#sockets) {
      if (this.outstanding.answers > most) this.#cutOff(socket);
      else if (!waiting.isHurried) {
        waiting.isHurried = true; // from now on its time is running
        socket.setTimeout(haste);
      }
    }
  }

  #cutOff(socket: Socket): void {
    const waiting = this.#sockets.get(socket);
    if (waiting !== undefined) this.#tell();
    socket.destroy();
    waiting?.release();
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
