// The HTTP server with its limits: time for a request to arrive, and number of connections.

import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Socket } from 'node:net';
import { Admission } from '../../engine/admission.js';
import type { Log } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import { respondToClientErrors } from './client-errors.js';
import { ConnectionStates } from './connection-state.js';
import { throttled } from './log-throttle.js';
import type { PemPair } from './self-signed.js';
import { UnreadResponses, usualReaderLimits, watchedBy } from './unread-responses.js';

/** As in the settings: milliseconds, and a number of connections. */
export interface ConnectionLimits {
  readonly requestTimeout: number;
  readonly headersTimeout: number;
  readonly maxConnections: number;
}

/** Keep-alive timeout of an idle connection. */
const KEPT_MS = 30_000;
/** Bytes of a connection with its buffers, and with a request that has arrived in part. */
const CONNECTION = 16 * 1024;
const SECURE_CONNECTION = 64 * 1024;
/** Minimum interval for checking requests in progress: Node's default. */
const CHECK_MS = 30_000;
/** At shutdown: time for requests to arrive and to be answered. */
const GRACE_MS = 1_000;

export interface LimitedServer {
  readonly server: Server;
  /** Answers complete requests, closes all other connections, and resolves when none is left. */
  close(): Promise<void>;
}

/** A server that does not listen yet. A limit of 0 means none. */
export function limitedServer(
  limits: ConnectionLimits,
  listener: RequestListener,
  log: Log,
  admission = new Admission(),
  readers = usualReaderLimits,
  credentials?: PemPair,
): LimitedServer {
  const { maxConnections } = limits;
  const leftToGuards = { requireHostHeader: false }; // which has the reason
  const states = new ConnectionStates();
  const unread = new UnreadResponses(states, admission, readers);
  const own = { keepAliveTimeout: KEPT_MS, ServerResponse: watchedBy(unread) };
  const options = { ...timeoutsOf(limits), ...leftToGuards, ...own };
  const take: RequestListener = (request, response) => states.of(request.socket).accept(request, response, listener);
  const server = credentials === undefined ? createServer(options, take) : secureServer(options, credentials, take);
  if (maxConnections > 0) server.maxConnections = maxConnections;
  states.follow(server);
  countConnections(server, admission, credentials === undefined ? CONNECTION : SECURE_CONNECTION, log);
  respondToClientErrors(server, states);
  unread.guard(server, log);
  const message = `all ${maxConnections} connections are in use, so further ones are closed without a response (--max-connections)`;
  server.on(
    'drop',
    throttled(() => log.warn(message)),
  );
  return { server, close: () => close(server, states) };
}

/** Counts the memory of connections, and closes those for which there is no room. */
function countConnections(server: Server, admission: Admission, bytes: number, log: Log): void {
  const warn = throttled(() => log.warn('connections use too much memory, so further ones are closed (--max-memory)'));
  server.on('connection', (socket: Socket) => {
    admission.connections += bytes;
    socket.once('close', () => {
      admission.connections -= bytes;
    });
    if (!admission.isCrowded) return;
    warn();
    socket.destroy();
  });
}

/** A TLS server; a connection without a timely handshake is closed. */
function secureServer(
  options: ServerOptions & { readonly headersTimeout: number },
  { certificate, key }: PemPair,
  take: RequestListener,
): Server {
  const handshakeTimeout = options.headersTimeout || KEPT_MS;
  const server = createSecureServer({ ...options, handshakeTimeout, cert: certificate, key }, take);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAll();
    for (const socket of sockets) socket.destroy(); // also those before the TLS handshake
  };
  return server;
}

async function close(server: Server, states: ConnectionStates): Promise<void> {
  const closed = once(server, 'close');
  server.keepAliveTimeout = 1; // a connection ends with its pending response
  server.prependListener('request', (_, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  server.close();
  for (const [socket, { due, isUsed }] of states) {
    for (const response of due) response.shouldKeepAlive = false;
    if (socket instanceof Socket && socket.bytesRead === 0 && !isUsed) socket.destroy(); // Bun counts no bytes
  }
  const grace = realTime.setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  realTime.clearTimeout(grace);
}

/** Milliseconds. Node checks for late requests at an interval, which must be shorter than both timeouts. */
function timeoutsOf({ requestTimeout, headersTimeout }: ConnectionLimits) {
  const request = requestTimeout * 1000;
  const headers = request > 0 ? Math.min(headersTimeout * 1000, request) : headersTimeout * 1000; // the maximum of Node's timers
  const shortest = Math.min(...[request, headers].filter(ms => ms > 0), CHECK_MS);
  return { requestTimeout: request, headersTimeout: headers, connectionsCheckingInterval: shortest / 4 };
}
