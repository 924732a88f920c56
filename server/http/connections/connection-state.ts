// What is under way on one connection: its requests are performed one after the other, in the order in which they came (RFC 9112, 9.3.2). Further ones
// wait in the socket, not in memory.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The socket is read no further while so many requests wait for their turn. Those that came with the last of them in one piece wait too. */
const MAX_WAITING = 64;

export class ConnectionState {
  /** In their order, the responses that are due or under way; and some that are over. */
  readonly #responses = new Set<ServerResponse>();
  #last: ServerResponse | undefined;
  #waiting = 0;
  #isUnread = false;
  #isPaused = false;

  constructor(private readonly socket: Duplex) {
    socket.on('resume', () => {
      if (this.#isPaused) socket.pause(); // Node resumes it for each request that it has done with
    });
  }

  /** Notes a response that is due. */
  note(response: ServerResponse): void {
    this.#forgetClosed();
    this.#responses.add(response);
    this.#last = response;
  }

  /** Lets a request begin when everything before it has been answered. A closed connection gets no further requests. */
  take(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    this.note(response);
    if (response.socket !== null) return void listener(request, response); // until its turn a response has none
    this.#waiting += 1;
    this.#adjust();
    response.once('socket', () => {
      this.#waiting -= 1;
      this.#adjust();
      if (!request.destroyed) listener(request, response);
    });
  }

  /** Whether an answer waits for its reader: until it is taken, nothing further is read. */
  setUnread(isUnread: boolean): void {
    this.#isUnread = isUnread;
    this.#adjust();
  }

  /** The response to a request that has not come whole. */
  get incomplete(): ServerResponse | undefined {
    return this.#last?.req.complete === false ? this.#last : undefined;
  }

  /** Responses to requests that have come whole. */
  get due(): ServerResponse[] {
    const { incomplete } = this;
    return [...this.#responses].filter(response => response !== incomplete && !response.closed);
  }

  /** Responses end in their order, so that it is enough to look with the next request: a listener for each end costs every request more. */
  #forgetClosed(): void {
    for (const response of this.#responses) {
      if (!response.closed) return;
      this.#responses.delete(response);
    }
  }

  #adjust(): void {
    const enough = this.#isPaused ? MAX_WAITING / 2 : MAX_WAITING;
    const isPaused = this.#isUnread || this.#waiting >= enough;
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    if (isPaused) this.socket.pause();
    else this.socket.resume();
  }
}

/** The states of all connections of a server that are open. */
export class ConnectionStates {
  readonly #states = new Map<Duplex, ConnectionState>();

  /** Keeps a state for each connection of a server; of one that speaks TLS, once that is agreed on. */
  follow(server: Server | SecureServer): void {
    server.on(server instanceof SecureServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#states.set(socket, new ConnectionState(socket));
      socket.once('close', () => this.#states.delete(socket));
    });
  }

  of(socket: Duplex): ConnectionState {
    return this.#states.get(socket) ?? new ConnectionState(socket); // it has been closed meanwhile
  }

  [Symbol.iterator](): Iterator<[Duplex, ConnectionState]> {
    return this.#states.entries();
  }
}
