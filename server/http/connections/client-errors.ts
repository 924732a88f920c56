// Answers requests that are malformed, too large or too slow, or for a proxy, and closes their connections. Such requests are in no journal.
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { realTime } from '../../engine/real-time.js';
import { PROBLEM, problemText } from '../incoming/problem-details.js';
import { lastResponse } from './in-order.js';

/** Time for the other end to read the response: a client that is still sending would lose it if the connection closed at once. */
const PATIENCE_MS = 2_000;

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** An error of Node or of its parser, which has a reason in words. */
interface ClientError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** Answers instead of Node. Responses to earlier requests of the connection come first, and nothing follows them. */
export function respondToClientErrors(server: Server): void {
  const ending = new WeakSet<Duplex>();
  server.on('clientError', (error: ClientError, socket) => {
    if (ending.has(socket)) return; // Node reports each further chunk
    ending.add(socket);
    socket.on('error', () => {}); // it may be gone already
    if (error.code === TIMEOUT) socket.once('finish', () => socket.destroy()); // the rest comes too late to be performed
    const last = lastResponse(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else if (last === undefined) end(socket, responseTo(error));
    else if (!last.closed && last.socket === null) last.once('socket', () => end(socket));
    else if (!last.req.complete) end(socket, last.headersSent ? '' : responseTo(error));
    else if (!last.closed) last.once('close', () => end(socket));
    else end(socket, responseTo(error));
  });
  server.on('connect', (_, socket) => {
    socket.on('error', () => {});
    const last = lastResponse(socket);
    if (last === undefined || last.closed) end(socket, NO_PROXY);
    else last.once('close', () => end(socket, NO_PROXY));
  });
}

function end(socket: Duplex, text = ''): void {
  if (socket.destroyed) return;
  socket.end(text);
  const timer = realTime.setTimeout(() => socket.destroy(), PATIENCE_MS);
  socket.once('close', () => realTime.clearTimeout(timer));
}

function responseTo(error: ClientError): string {
  return responseOf(...refusalOf(error));
}

function responseOf(status: number, detail: string): string {
  const title = STATUS_CODES[status] ?? '';
  const body = problemText({ status, title, detail });
  const head = `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM}\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return `${head}\r\nConnection: close\r\n\r\n${body}`;
}

function refusalOf({ code, reason = 'it is not HTTP/1.1' }: ClientError): readonly [status: number, detail: string] {
  switch (code) {
    case TIMEOUT:
      return [408, 'The request did not arrive in time (--headers-timeout, --request-timeout).'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The request line and headers are too large: together they can have at most 16 KiB.'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'The chunk extensions are too large: together they can have at most 16 KiB.'];
    default:
      return [400, `The request cannot be read: ${reason}.`];
  }
}

/** Node would close the connection without a word, before the responses to earlier requests. */
const NO_PROXY = responseOf(501, 'CONNECT is not supported: this server is not a proxy. Send requests to its own URL.');
