// Disconnects clients that do not read their responses, which would otherwise be kept for ever.
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Admission } from '../../engine/admission.js';
import type { Log } from '../../engine/log.js';
import type { ConnectionStates } from './connection-state.js';
import { throttled } from './log-throttle.js';

export interface ReaderLimits {
  /** Time in milliseconds within which some bytes of a response must be read. */
  readonly patience: number;
  /** The shorter time while more than `plenty` bytes wait. */
  readonly haste: number;
  readonly plenty: number;
  /** While more bytes than this wait, the longest waiting are disconnected at once. */
  readonly most: number;
}

const MIB = 1024 * 1024;

export const usualReaderLimits: ReaderLimits = { patience: 30_000, haste: 1_000, plenty: 64 * MIB, most: 128 * MIB };

const EVENTS = 'text/event-stream';

interface Waiting {
  isHurried: boolean;
  /** It no longer waits. */
  readonly release: () => void;
}

export class UnreadResponses {
  /** In the order in which they began to wait. */
  readonly #sockets = new Map<Socket, Waiting>();
  #tell = () => {};

  constructor(
    private readonly states: ConnectionStates,
    private readonly admission: Admission,
    private readonly limits: ReaderLimits,
  ) {}

  /** Disconnects slow readers on a server, and logs that. */
  guard(server: Server, log: Log): void {
    this.#tell = throttled(() => log.warn('a client that stopped reading its responses was disconnected'));
    server.on('timeout', socket => this.#cutOff(socket)); // as for an idle keep-alive connection
  }

  /** Watches a response that waits for its reader, until it is taken: written completely, or up to here. */
  watch(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null || socket.writableLength === 0 || this.#sockets.has(socket)) return;
    const bytes = socket.writableLength;
    const release = () => {
      if (!this.#sockets.delete(socket)) return;
      this.admission.responses -= bytes;
      this.states.of(socket).setUnread(false);
    };
    this.admission.responses += bytes;
    this.#sockets.set(socket, { isHurried: false, release });
    this.states.of(socket).setUnread(true);
    const taken = () => {
      response.off('finish', taken).off('drain', taken).off('close', release);
      socket.setTimeout(0); // Node sets its own timeout for keep-alive
      release();
    };
    response.prependListener('finish', taken).prependListener('drain', taken).on('close', release);
    socket.setTimeout(this.limits.patience);
    if (this.admission.responses > this.limits.plenty) this.#hurry();
  }

  #hurry(): void {
    const { most, haste } = this.limits;
    for (const [socket, waiting] of this.#sockets) {
      if (this.admission.responses > most) this.#cutOff(socket);
      else if (!waiting.isHurried) {
        waiting.isHurried = true; // its time starts now
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

/** Watches the responses of a server while what is written waits for its reader. Feeds of events have a bound of their own. */
export function watchedBy(unread: UnreadResponses): typeof ServerResponse {
  return class<R extends IncomingMessage> extends ServerResponse<R> {
    override write(...parts: unknown[]): boolean {
      const isTaken: boolean = Reflect.apply(super.write, this, parts);
      if (!isTaken && this.getHeader('content-type') !== EVENTS) unread.watch(this);
      return isTaken;
    }

    override end(...parts: unknown[]): this {
      Reflect.apply(super.end, this, parts);
      unread.watch(this);
      return this;
    }
  };
}
