// From settings to a server that listens: scenario, store, session, app. Resolves only when requests are answered.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { DEFAULT_SANDBOX, Session } from './engine/session.js';
import { createApp } from './http/app.js';
import { packageVersion } from './package.js';
import { defaultFolders, type Folders } from './scenario/folders.js';
import { isProblems, type Loaded, loadScenario, type Problems } from './scenario/load.js';
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

/** Starts a server, or tells what is wrong with its scenario. Rejects where it cannot listen. */
export async function start(settings: Settings, log: Logger): Promise<Running | Problems> {
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
      await close(server);
    },
  };
}

async function listen(
  settings: Settings,
  session: Session,
  folders: Folders,
  token: string | undefined,
  log: Logger,
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

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
}

function urlOf(server: Server, host: string): string {
  const { address, port, family } = server.address() as AddressInfo; // it listens on a port, so it is no pipe
  const shown = host === 'localhost' ? host : family === 'IPv6' ? `[${address}]` : address;
  return `http://${shown}:${port}`;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
