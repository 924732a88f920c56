// The HTTP server with its limits: time for a request to arrive, and number of connections.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { Log } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import { respondToClientErrors } from './client-errors.js';
import { ConnectionStates } from './connection-state.js';
import { throttled } from './log-throttle.js';
import type { PemPair } from './self-signed.js';

/** As in the settings: seconds, and a number of connections. 0: none. */
export interface ConnectionLimits {
  readonly requestTimeout: number;
  readonly headersTimeout: number;
  readonly maxConnections: number;
}

/** Keep-alive timeout of an idle connection. */
const KEPT_MS = 30_000;
/** Minimum interval for checking requests in progress: Node's default. */
const CHECK_MS = 30_000;
/** Time for a client that reads nothing of its response. */
const READER_MS = 30_000;
/** Bytes that a connection buffers: newer versions of Node buffer more, and tiny chunks take many times their size. */
const BUFFER = 16 * 1024;
/** Descriptors left for files, the store and other servers. */
const SPARE = 100;
/** At shutdown: time for requests to arrive and to be answered. */
const GRACE_MS = 1_000;

export interface LimitedServer {
  readonly server: Server;
  /** Answers complete requests, closes all other connections, and resolves when none is left. */
  close(): Promise<void>;
}

/** A server that does not listen yet. A limit of 0 means none. `patience`: milliseconds for a client that reads nothing of its response. */
export function limitedServer(
  limits: ConnectionLimits,
  listener: RequestListener,
  log: Log,
  credentials?: PemPair,
  patience = READER_MS,
): LimitedServer {
  const maxConnections = Math.min(
    limits.maxConnections || Number.POSITIVE_INFINITY,
    Math.max(1, descriptorLimit() - SPARE),
  );
  const leftToGuards = { requireHostHeader: false }; // which has the reason
  const states = new ConnectionStates();
  const own = { keepAliveTimeout: KEPT_MS, highWaterMark: BUFFER };
  const options = { ...timeoutsOf(limits), ...leftToGuards, ...own };
  const take = states.inOrder(listener);
  const server = credentials === undefined ? createServer(options, take) : secureServer(options, credentials, take);
  if (Number.isFinite(maxConnections)) server.maxConnections = maxConnections;
  states.follow(server);
  respondToClientErrors(server, states);
  disconnectSlowReaders(server, states, patience, log);
  const message = `all ${maxConnections} connections are in use, so further ones are closed without a response (--max-connections)`;
  server.on(
    'drop',
    throttled(() => log.warn(message)),
  );
  return { server, close: () => close(server, states) };
}

/** Disconnects clients that stop reading their responses, which would otherwise be kept for ever. */
function disconnectSlowReaders(server: Server, states: ConnectionStates, patience: number, log: Log): void {
  const warn = throttled(() => log.warn('a client that stopped reading its responses was disconnected'));
  // When a timer has run out, Node waits once more if something was read since the last write: hence half of the time.
  server.setTimeout(patience / 2, socket => {
    const isUnread = socket.writableLength > 0;
    if (isUnread) warn();
    if (isUnread || states.of(socket).isIdle) socket.destroy(); // otherwise a request arrives, or a response is on its way
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

/** The descriptors that the process may have open; without `/proc` it is not known. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Milliseconds. Node checks for late requests at an interval, which must be shorter than both timeouts. */
function timeoutsOf({ requestTimeout, headersTimeout }: ConnectionLimits) {
  const request = requestTimeout * 1000;
  const headers = request > 0 ? Math.min(headersTimeout * 1000, request) : headersTimeout * 1000; // the maximum of Node's timers
  const shortest = Math.min(...[request, headers].filter(ms => ms > 0), CHECK_MS);
  return { requestTimeout: request, headersTimeout: headers, connectionsCheckingInterval: shortest / 4 };
}
