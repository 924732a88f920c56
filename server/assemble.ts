// From settings to everything that answers but the socket: scenario, store, session, app. A server and a fake within a process both stand on it.
import { randomBytes } from 'node:crypto';
import type { Witnesses } from './derive/ledger.js';
import { DEFAULT_SANDBOX, Session } from './engine/session.js';
import { createApp } from './http/app.js';
import type { Log } from './http/log.js';
import { packageVersion } from './package.js';
import { defaultFolders, type Folders, packageRoot } from './scenario/folders.js';
import { loadScenario } from './scenario/load.js';
import { isProblems, type Problems } from './scenario/problem.js';
import type { Loaded } from './scenario/story.js';
import type { Settings } from './settings.js';
import { memoryStore } from './store/memory.js';
import { inProcess } from './targets/in-process.js';

export interface Assembled {
  readonly app: ReturnType<typeof createApp>;
  readonly loaded: Loaded;
  readonly session: Session;
  readonly folders: Folders;
  /** The token that the control API takes, where one is due. */
  readonly controlToken?: string;
  /** Lets go of what would go on by itself, and of answers that a fault keeps back. */
  end(): void;
}

const JOURNAL_BYTES = 16 * 1024 * 1024;
const SWEEP_MS = 5_000;

/** Puts everything together, or tells what is wrong with the scenario, which `load` reads. */
export async function assemble(settings: Settings, log: Log, load = loadScenario): Promise<Assembled | Problems> {
  const folders = defaultFolders(process.cwd(), settings);
  const loaded = load(settings.scenario, folders);
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
  const sweep = setInterval(() => void session.expire(), Math.min(SWEEP_MS, settings.sandboxTtl * 500));
  sweep.unref();
  const ending = new AbortController();
  return {
    app: appFor(settings, session, folders, controlToken, log, ending.signal),
    loaded,
    session,
    folders,
    ...(controlToken !== undefined && { controlToken }),
    end: () => {
      clearInterval(sweep);
      ending.abort();
    },
  };
}

function appFor(
  settings: Settings,
  session: Session,
  folders: Folders,
  token: string | undefined,
  log: Log,
  ending: AbortSignal,
): Assembled['app'] {
  const startedAt = process.uptime();
  const version = packageVersion();
  const app = createApp({
    session,
    folders,
    version,
    log,
    allowedHosts: settings.allowedHosts,
    maxBody: settings.maxBody,
    answering: { explain: settings.explain, ending },
    control: settings.control ? { ...(token !== undefined && { token }) } : 'off',
    targetOf: sandbox => inProcess({ app, session }, sandbox),
    witnesses: shippedWitnesses,
    health: () => ({
      status: 'ok',
      version,
      scenario: session.origin.scenario,
      uptime: Math.round((process.uptime() - startedAt) * 1000) / 1000,
      store: session.settings.store.name,
    }),
  });
  return app;
}

let seen: Promise<Witnesses> | undefined;

/** What the shipped scenarios witness. They are played when it is first asked, and the same for every server of this process. */
function shippedWitnesses(): Promise<Witnesses> {
  seen ??= import('./witnessing.js').then(({ witnesses }) => witnesses(defaultFolders(packageRoot())));
  return seen;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
