// The HTTP server with its limits: how long a request may take to come, and how many connections there may be. Knows no API.
import { createServer, type RequestListener, type Server } from 'node:http';
import { answerClientErrors } from './http/client-errors.js';
import type { Log } from './http/log.js';
import type { Settings } from './settings.js';

export type ConnectionLimits = Pick<Settings, 'requestTimeout' | 'headersTimeout' | 'maxConnections'>;

/** How long a connection is kept that asks nothing further. */
const KEPT_MS = 30_000;
/** How often requests in progress are looked through at least: Node's own measure. */
const CHECK_MS = 30_000;
/** How often the log is told of connections that were turned away, at most. */
const TOLD_MS = 60_000;

/** A server that does not listen yet. Of each limit, 0 means none. */
export function limitedServer(limits: ConnectionLimits, listener: RequestListener, log: Log): Server {
  const { maxConnections } = limits;
  const leftToGuards = { requireHostHeader: false }; // which say what is wrong
  const server = createServer({ ...timeoutsOf(limits), ...leftToGuards, keepAliveTimeout: KEPT_MS }, listener);
  if (maxConnections > 0) server.maxConnections = maxConnections;
  answerClientErrors(server);
  let toldAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - toldAt < TOLD_MS) return;
    toldAt = performance.now();
    log.warn(`there are ${maxConnections} connections: further ones are closed without an answer (--max-connections)`);
  });
  return server;
}

/** Milliseconds. Node looks now and then which requests are late, so it has to look more often than the shorter of the two. */
function timeoutsOf({ requestTimeout, headersTimeout }: ConnectionLimits) {
  const request = requestTimeout * 1000;
  const headers = request > 0 ? Math.min(headersTimeout * 1000, request) : headersTimeout * 1000; // Node takes no longer one
  const shortest = Math.min(...[request, headers].filter(ms => ms > 0), CHECK_MS);
  return { requestTimeout: request, headersTimeout: headers, connectionsCheckingInterval: shortest / 4 };
}
