// Answers requests that are malformed, too large or too slow, and closes their connections. Such requests are in no journal.

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { realTime } from '../../engine/real-time.js';
import { PROBLEM, problemText } from '../incoming/problem-details.js';
import type { ConnectionState, ConnectionStates } from './connection-state.js';

/** Time to wait for earlier responses of a connection, and then for its other end, which may still be sending. */
const PATIENCE_MS = 2_000;

/** An error of Node or of its parser, which has a reason in words. */
interface ClientError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** Answers instead of Node. If a response has begun, the connection ends. */
export function respondToClientErrors(server: Server, states: ConnectionStates): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    states.of(request.socket).addResponse(response); // Node would answer by itself, and once more for unreadable bytes after it
    refuseExpectation(request, response);
  });
  const ending = new WeakSet<Duplex>();
  server.on('clientError', (error: ClientError, socket) => {
    if (ending.has(socket)) return; // Node reports each further chunk
    ending.add(socket);
    socket.on('error', () => {}); // it may be gone already
    void end(socket, states.of(socket), error);
  });
}

function refuseExpectation({ headers }: IncomingMessage, response: ServerResponse): void {
  const shown = JSON.stringify(headers.expect?.slice(0, 100));
  const detail = `Unsupported Expect header ${shown}: only 100-continue is supported.`;
  const body = problemText({ status: 417, title: 'Expectation Failed', detail });
  response.writeHead(417, { 'Content-Type': PROBLEM, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

async function end(socket: Duplex, { incomplete, due }: ConnectionState, error: ClientError): Promise<void> {
  const isUnparsed = error.code?.startsWith('HPE_') !== true; // a parser has read something, although Bun counts no bytes
  const isSilent = socket instanceof Socket && socket.bytesRead === 0 && isUnparsed;
  if (error.code === 'ECONNRESET' || isSilent || !socket.writable) return void socket.destroy();
  if (due.length > 0) await withPatience(Promise.all(due.map(closed)));
  const isAnswered = incomplete?.headersSent === true || due.some(({ writableFinished }) => !writableFinished);
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (isSlow) socket.pause(); // the rest comes too late
  if (socket.writable) socket.end(isAnswered ? undefined : responseTo(error));
  if (!isSlow && !isAnswered) await withPatience(closed(socket)); // a client that is still sending would lose the response
  if (!(socket instanceof Socket)) return void socket.destroy();
  socket.setTimeout(PATIENCE_MS); // a client that does not read would keep it open
  socket.destroySoon();
}

function closed(what: Duplex | ServerResponse): Promise<void> {
  return new Promise(resolve => {
    if (what.destroyed) resolve();
    else what.once('close', () => resolve());
  });
}

async function withPatience(awaited: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise(resolve => {
    timer = realTime.setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([awaited, enough]);
  realTime.clearTimeout(timer);
}

function responseTo(error: ClientError): string {
  const [status, detail] = refusalOf(error);
  const title = STATUS_CODES[status] ?? '';
  const body = problemText({ status, title, detail });
  const head = `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM}\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return `${head}\r\nConnection: close\r\n\r\n${body}`;
}

function refusalOf({ code, reason = 'it is not HTTP/1.1' }: ClientError): readonly [status: number, detail: string] {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return [408, 'The request did not arrive in time (--headers-timeout, --request-timeout).'];
    case 'HPE_HEADER_OVERFLOW':
      return [431, 'The request line and headers are too large: together they can have at most 16 KiB.'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return [413, 'The chunk extensions are too large: together they can have at most 16 KiB.'];
    default:
      return [400, `The request cannot be read: ${reason}.`];
  }
}
