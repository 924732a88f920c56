// Performs the requests of one connection one after the other (RFC 9112, 9.3.2).
import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { realTime } from '../../engine/real-time.js';

/** A connection on which more requests wait is closed: its client sends without reading. */
const MAX_WAITING = 1_000;

interface Line {
  last: ServerResponse;
  waiting: number;
}

const lines = new WeakMap<Duplex, Line>();

/** The response to the last request of a connection. */
export function lastResponse(socket: Duplex): ServerResponse | undefined {
  return lines.get(socket)?.last;
}

/** Between two requests of a connection, others have their turn. A closed connection gets no further requests. */
export function inOrder(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) lines.set(socket, { last: response, waiting: 0 });
    else line.last = response;
    if (line === undefined || response.socket !== null) return void listener(request, response);
    line.waiting += 1;
    if (line.waiting > MAX_WAITING) return void socket.destroy();
    response.once('socket', () => {
      // Node gives a response the socket when those before it are sent
      line.waiting -= 1;
      realTime.setImmediate(() => {
        if (!request.destroyed) listener(request, response);
      });
    });
  };
}
