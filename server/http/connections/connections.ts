// The HTTP server with its limits: how long a request may take to come, and how many connections there may be. Knows no API.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Socket } from 'node:net';
import type { Log } from '../../engine/log.js';
import type { Settings } from '../../settings.js';
import { Outstanding } from '../body/outstanding.js';
import { answerClientErrors } from '../guards/client-errors.js';
import { UnreadAnswers, usualReaderLimits, watchedBy } from '../guards/unread-answers.js';
import { seldom } from '../seldom.js';
import { ConnectionStates } from './connection-state.js';
import type { Credentials } from './self-signed.js';

export type ConnectionLimits = Pick<Settings, 'requestTimeout' | 'headersTimeout' | 'maxConnections'>;

/** How long a connection is kept that asks nothing further. */
const KEPT_MS = 30_000;
/** How often requests in progress are looked through at least: Node's own measure. */
const CHECK_MS = 30_000;
/** How long a request that has begun to come may take to come whole when the server stops. */
const ARRIVAL_MS = 1_000;
/** How long a request that has come whole may take to be answered then. */
const GRACE_MS = 5_000;

export interface LimitedServer {
  readonly server: Server;
  /** Answers what has come whole, closes all other connections, and resolves when none is left. */
  close(): Promise<void>;
}

/** A server that does not listen yet. Of each limit, 0 means none. */
export function limitedServer(
  limits: ConnectionLimits,
  listener: RequestListener,
  log: Log,
  outstanding = new Outstanding(),
  readers = usualReaderLimits,
  credentials?: Credentials,
): LimitedServer {
  const { maxConnections } = limits;
  const leftToGuards = { requireHostHeader: false }; // which say what is wrong
  const states = new ConnectionStates();
  const unread = new UnreadAnswers(states, outstanding, readers);
  const own = { keepAliveTimeout: KEPT_MS, ServerResponse: watchedBy(unread) };
  const options = { ...timeoutsOf(limits), ...leftToGuards, ...own };
  const take: RequestListener = (request, response) => states.of(request.socket).take(request, response, listener);
  const server = credentials === undefined ? createServer(options, take) : secureServer(options, credentials, take);
  if (maxConnections > 0) server.maxConnections = maxConnections;
  states.follow(server);
  answerClientErrors(server, states);
  unread.guard(server, log);
  const message = `there are ${maxConnections} connections: further ones are closed without an answer (--max-connections)`;
  server.on(
    'drop',
    seldom(() => log.warn(message)),
  );
  return { server, close: () => close(server, states) };
}

/** One that speaks TLS; a connection that does not agree on it in time is closed. */
function secureServer(
  options: ServerOptions & { readonly headersTimeout: number },
  { certificate, key }: Credentials,
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
    for (const socket of sockets) socket.destroy(); // those too that have agreed on nothing yet
  };
  return server;
}

async function close(server: Server, states: ConnectionStates): Promise<void> {
  const closed = once(server, 'close');
  server.keepAliveTimeout = 1; // a connection ends with the answer that it waits for
  server.prependListener('request', (_, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  server.close();
  for (const [socket, { due }] of states) {
    for (const response of due) response.shouldKeepAlive = false;
    if (socket instanceof Socket && socket.bytesRead === 0) socket.destroy();
  }
  const arrival = setTimeout(() => {
    for (const [socket, { due }] of states) if (due.length === 0) socket.destroy();
  }, ARRIVAL_MS);
  const grace = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(arrival);
  clearTimeout(grace);
}

/** Milliseconds. Node looks now and then which requests are late, so it has to look more often than the shorter of the two. */
function timeoutsOf({ requestTimeout, headersTimeout }: ConnectionLimits) {
  const request = requestTimeout * 1000;
  const headers = request > 0 ? Math.min(headersTimeout * 1000, request) : headersTimeout * 1000; // Node takes no longer one
  const shortest = Math.min(...[request, headers].filter(ms => ms > 0), CHECK_MS);
  return { requestTimeout: request, headersTimeout: headers, connectionsCheckingInterval: shortest / 4 };
}
