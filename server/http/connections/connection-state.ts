// The requests of one connection: they are performed in their order (RFC 9112, 9.3.2). Further ones wait in the socket, not in memory.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { realTime } from '../../engine/real-time.js';

/** Node's own function: with a mocked global one, waiting requests would never be performed. */
const afterOthers = realTime.setImmediate;
/** Waiting requests of one connection are performed for this many milliseconds before others have their turn. */
const TURN_MS = 1;

/** Reading stops while this many requests wait. Those received together with the last of them wait too. */
const MAX_WAITING = 64;

export class ConnectionState {
  /** Pending and finished responses, in order. */
  readonly #responses = new Set<ServerResponse>();
  #last: ServerResponse | undefined;
  #waiting = 0;
  #turnEnd = 0;
  #isPaused = false;

  constructor(private readonly socket: Duplex) {
    socket.on('resume', () => {
      if (this.#isPaused) socket.pause(); // Node resumes the socket after each request
    });
  }

  /** Adds a pending response. Responses end in order, so finished ones are removed with the next request: a listener for each would cost more. */
  addResponse(response: ServerResponse): void {
    for (const earlier of this.#responses) {
      if (!earlier.closed) break;
      this.#responses.delete(earlier);
    }
    this.#responses.add(response);
    this.#last = response;
  }

  /**
   * Runs a request when all earlier ones are answered, and other connections have had their turn: otherwise a thousand requests in one packet would
   * keep everybody waiting. A closed connection gets no further requests.
   */
  accept(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    this.addResponse(response);
    if (response.socket !== null) return void listener(request, response); // a response gets its socket when its turn comes
    this.#waiting += 1;
    this.#adjust();
    response.once('socket', () => {
      this.#waiting -= 1;
      this.#adjust();
      const perform = () => {
        if (!request.destroyed) listener(request, response);
      };
      if (realTime.uptime() < this.#turnEnd) return perform();
      afterOthers(() => {
        this.#turnEnd = realTime.uptime() + TURN_MS;
        perform();
      });
    });
  }

  /** Whether a request has arrived, at least its head. */
  get isUsed(): boolean {
    return this.#last !== undefined;
  }

  /** Whether all requests are answered, and no other has begun. */
  get isIdle(): boolean {
    return this.isUsed && this.incomplete === undefined && this.due.length === 0;
  }

  /** The response to a request that has not arrived completely. */
  get incomplete(): ServerResponse | undefined {
    return this.#last?.req.complete === false ? this.#last : undefined;
  }

  /** Responses to complete requests. */
  get due(): ServerResponse[] {
    const { incomplete } = this;
    return [...this.#responses].filter(response => response !== incomplete && !response.closed);
  }

  #adjust(): void {
    const enough = this.#isPaused ? MAX_WAITING / 2 : MAX_WAITING;
    const isPaused = this.#waiting >= enough;
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.socket.pause();
    else this.socket.resume();
  }
}

/** The states of all open connections of a server. */
export class ConnectionStates {
  readonly #states = new Map<Duplex, ConnectionState>();

  /** Tracks each connection of a server; with TLS, after the handshake. */
  follow(server: Server | SecureServer): void {
    server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#states.set(socket, new ConnectionState(socket));
      socket.once('close', () => this.#states.delete(socket));
    });
  }

  /** A listener to which the requests of each connection come in order. */
  inOrder(listener: RequestListener): RequestListener {
    return (request, response) => this.of(request.socket).accept(request, response, listener);
  }

  of(socket: Duplex): ConnectionState {
    return this.#states.get(socket) ?? new ConnectionState(socket); // it was closed meanwhile
  }

  [Symbol.iterator](): Iterator<[Duplex, ConnectionState]> {
    return this.#states.entries();
  }
}
