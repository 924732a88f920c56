// From settings to a server that listens: scenario, store, session, app. Resolves only when requests are answered.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DEFAULT_SANDBOX, Session } from './engine/session.js';
import { createApp } from './http/app.js';
import type { Log } from './http/log.js';
import { packageVersion } from './package.js';
import { defaultFolders, type Folders } from './scenario/folders.js';
import { loadScenario } from './scenario/load.js';
import { isProblems, type Problems } from './scenario/problem.js';
import type { Loaded } from './scenario/story.js';
import type { Settings } from './settings.js';
import { memoryStore } from './store/memory.js';

export interface Running {
  /** Where it answers, without a slash at the end. */
  readonly url: string;
  readonly loaded: Loaded;
  readonly session: Session;
  readonly folders: Folders;
  /** The token that the control API takes, where one is due. */
  readonly controlToken?: string;
  /** Finishes what is in flight, closes idle connections, and resolves when nothing is left. */
  stop(): Promise<void>;
}

const JOURNAL_BYTES = 16 * 1024 * 1024;
const SWEEP_MS = 5_000;
/** How long a request that is in flight may take to end when the server stops. */
const GRACE_MS = 30_000;

/** Starts a server, or tells what is wrong with its scenario. Rejects where it cannot listen. */
export async function start(settings: Settings, log: Log): Promise<Running | Problems> {
  const folders = defaultFolders(process.cwd(), settings);
  const loaded = loadScenario(settings.scenario, folders);
  if (isProblems(loaded)) return loaded;
  const session = new Session({
    store: memoryStore(),
    origin: loaded.origin,
    readings: settings.readings,
    journal: { entries: settings.journal, bytes: JOURNAL_BYTES },
    maxSandboxes: settings.maxSandboxes,
    sandboxTtl: settings.sandboxTtl * 1000,
    createOnUse: settings.createOnUse,
    machineTime: () => new Date(),
  });
  await session.open(DEFAULT_SANDBOX);
  const controlToken = settings.control
    ? (settings.controlToken ?? (isLoopback(settings.host) ? undefined : randomBytes(18).toString('base64url')))
    : undefined;
  const server = await listen(settings, session, folders, controlToken, log);
  const sockets = socketsOf(server);
  const sweep = setInterval(() => void session.expire(), Math.min(SWEEP_MS, settings.sandboxTtl * 500));
  sweep.unref();
  return {
    url: urlOf(server, settings.host),
    loaded,
    session,
    folders,
    ...(controlToken !== undefined && { controlToken }),
    stop: async () => {
      clearInterval(sweep);
      await close(server, sockets);
    },
  };
}

async function listen(
  settings: Settings,
  session: Session,
  folders: Folders,
  token: string | undefined,
  log: Log,
): Promise<Server> {
  const startedAt = process.uptime();
  const version = packageVersion();
  const app = createApp({
    session,
    folders,
    version,
    log,
    allowedHosts: settings.allowedHosts,
    maxBody: settings.maxBody,
    explain: settings.explain,
    control: settings.control ? { ...(token !== undefined && { token }) } : 'off',
    health: () => ({
      status: 'ok',
      version,
      scenario: session.origin.scenario,
      uptime: Math.round((process.uptime() - startedAt) * 1000) / 1000,
      store: session.settings.store.name,
    }),
  });
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 30_000 },
    app.callback(),
  );
  server.listen(settings.port, settings.host);
  await once(server, 'listening');
  return server;
}

/** Answers what is in flight. A connection over which nothing was ever sent is no request, and Node waits for it forever. */
async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.keepAliveTimeout = 1; // a connection ends with the answer that it waits for
  server.prependListener('request', (_, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  server.close();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  const patience = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(patience);
}

/** The connections of a server that are open. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

function urlOf(server: Server, host: string): string {
  const { address, port, family } = server.address() as AddressInfo; // it listens on a port, so it is no pipe
  const shown = host === 'localhost' ? host : family === 'IPv6' ? `[${address}]` : address;
  return `http://${shown}:${port}`;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
