// The HTTP server with its limits: time for a request to arrive, and number of connections.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Log } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import { respondToClientErrors } from './client-errors.js';
import { inOrder, lastResponse } from './in-order.js';
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
const SWEEP_MS = 20;

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
  const options = {
    ...timeoutsOf(limits),
    keepAliveTimeout: KEPT_MS,
    highWaterMark: BUFFER,
    requireHostHeader: false, // a guard says why
  };
  const performing = inOrder(listener);
  const server =
    credentials === undefined
      ? createServer(options, performing)
      : createSecureServer({ ...options, cert: credentials.certificate, key: credentials.key }, performing);
  if (Number.isFinite(maxConnections)) server.maxConnections = maxConnections;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  respondToClientErrors(server);
  disconnectSlowReaders(server, patience, log);
  const message = `all ${maxConnections} connections are in use, so further ones are closed without a response (--max-connections)`;
  server.on(
    'drop',
    throttled(() => log.warn(message)),
  );
  return { server, close: () => close(server, sockets) };
}

/** Disconnects clients that stop reading their responses, which would otherwise be kept for ever. */
function disconnectSlowReaders(server: Server, patience: number, log: Log): void {
  const warn = throttled(() => log.warn('a client that stopped reading its responses was disconnected'));
  // When a timer has run out, Node waits once more if something was read since the last write: hence half of the time.
  server.setTimeout(patience / 2, socket => {
    const isUnread = socket.writableLength > 0;
    if (isUnread) warn();
    if (isUnread || lastResponse(socket)?.closed) socket.destroy(); // otherwise a request arrives, or a response is on its way
  });
}

/** Also ends connections before their TLS handshake, and those that never sent anything. */
async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = realTime.setInterval(() => server.closeIdleConnections(), SWEEP_MS); // those that have their response
  const grace = realTime.setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, GRACE_MS);
  await closed;
  realTime.clearInterval(sweep);
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
  return {
    requestTimeout: request,
    headersTimeout: headers,
    handshakeTimeout: headers || KEPT_MS,
    connectionsCheckingInterval: shortest / 4,
  };
}
