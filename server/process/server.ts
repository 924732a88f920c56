// Assembles a server from settings, without the socket: scenario, store, session, app. Used with and without a socket.

import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { join, resolve } from 'node:path';
import type { ControlContext } from '../control/actions/control-context.js';
import type { Health } from '../control/actions/health.js';
import { actions } from '../control/actions.js';
import { controlOpenapi } from '../control/control-openapi.js';
import { Admission } from '../engine/admission.js';
import { Feeds, usualFeedLimits } from '../engine/events/feeds.js';
import { usualStreamSettings } from '../engine/events/stream-settings.js';
import { Holds } from '../engine/faults/holds.js';
import type { CoverageCounter } from '../engine/journal/coverage.js';
import type { Log } from '../engine/log.js';
import { realTime } from '../engine/real-time.js';
import { hideEverywhere, redactUrl } from '../engine/secrets.js';
import type { SandboxStore } from '../engine/session/cached-sandbox.js';
import { Session } from '../engine/session/session.js';
import { StoreError } from '../engine/store.js';
import { type AppParts, createApp } from '../http/app.js';
import { createForward, type Forward, type ForwardParts } from '../http/forward.js';
import { Metrics } from '../http/metrics/metrics.js';
import type { MetricSources } from '../http/metrics/prometheus.js';
import { inProcess } from '../library/target/in-process-target.js';
import { withoutEndingSlashes } from '../outgoing/parsed-url.js';
import { defaultFolders, type Folders } from '../scenario/files/folders.js';
import { loadScenario } from '../scenario/load/load.js';
import type { Loaded } from '../scenario/load/load-scenario.js';
import { ScenarioCache } from '../scenario/load/scenario-cache.js';
import { TextCache } from '../scenario/load/text-cache.js';
import { Players } from '../scenario/play/players.js';
import { ProviderSetups } from '../scenario/states/provider-setups.js';
import { isProblems, type Problems } from '../scenario/yaml/problem.js';
import { MAX_BYTES_RUNNING } from '../scenario/yaml/text.js';
import type { Settings } from '../settings/settings.js';
import { observers } from './observers.js';
import { openStore } from './open-store.js';
import { packageVersion } from './package.js';
import { writeWhole } from './whole-file.js';

export interface Assembled {
  readonly app: ReturnType<typeof createApp>;
  readonly loaded: Loaded;
  readonly session: Session;
  /** Event feeds of its sandboxes. */
  readonly feeds: Feeds;
  /** The context of its actions. */
  readonly context: ControlContext;
  /** Bytes of waiting bodies and responses. */
  readonly admission: Admission;
  /** The control token, if needed. */
  readonly controlToken?: string;
  /** Resolves when its store is available and `default` exists; for a store that is not shared it has been awaited. */
  ready(): Promise<void>;
  /** Stops timers, event feeds, and responses that a fault delays. */
  end(): void;
  /** Closes the store, after the last request. */
  close(): Promise<void>;
}

const MIB = 1024 * 1024;
const JOURNAL_BYTES = 16 * MIB;
/** Maximum number of users' tokens that are hidden wherever they appear. */
const MAX_HIDDEN_TOKENS = 100;

/** Assembles everything, or returns the errors of the scenario, which `load` reads. */
export async function assemble(settings: Settings, log: Log, load = loadScenario): Promise<Assembled | Problems> {
  const folders = defaultFolders(process.cwd(), settings);
  const loaded = load(settings.scenario, folders);
  if (isProblems(loaded)) return loaded;
  const store = await openStore(settings, loaded.origin, log);
  const readiness = { isReady: false };
  const feeds = new Feeds(name => session.sandboxes.follow(name), { ...usualFeedLimits, ...settings.events });
  const holds = new Holds();
  const metrics = new Metrics();
  const admission = new Admission((settings.maxMemory * MIB) / 8);
  const session: Session = new Session({
    store,
    origin: loaded.origin,
    ...(settings.profile && { profile: settings.profile }),
    readings: settings.readings,
    ...(settings.pinned && { pinned: settings.pinned }),
    journal: { entries: settings.journal, bytes: JOURNAL_BYTES },
    maxSandboxes: settings.maxSandboxes,
    maxMemory: settings.maxMemory * MIB,
    maxRecords: settings.maxSandbox,
    sandboxTtl: settings.sandboxTtl * 1000,
    createOnUse: settings.createOnUse,
    observer: observers(feeds, holds, metrics, log),
  });
  const ready = once(() => begin(session, readiness));
  if (!session.sandboxes.isShared) await ready().catch(error => closeThenThrow(store, error));
  const controlToken = tokenFor(settings);
  const unhide = hideTokens(loaded, controlToken);
  const unsweep = startExpiry(session, metrics, log);
  const leave = leaveCoverage(settings.coverage, session.coverage, log);
  const varied = await variedBy(settings, log);
  const ending = new AbortController();
  setMaxListeners(0, ending.signal); // one for each response that waits
  const counted = { session, feeds, metrics, readiness };
  const forward = forwardOf(settings, { ...counted, log, token: controlToken });
  const edge = { forward, admission, holds, ...varied, ending: ending.signal };
  return {
    ...serving(settings, counted, edge, folders, controlToken, log),
    admission,
    ready,
    loaded,
    session,
    feeds,
    ...(controlToken !== undefined && { controlToken }),
    end: () => {
      unsweep();
      feeds.end();
      ending.abort();
    },
    close: () => {
      forward?.close();
      leave();
      unhide();
      return store.close();
    },
  };
}

/** How responses are explained and varied, by the settings or the environment of a test suite. */
async function variedBy({ explain, vary }: Settings, log: Log): Promise<Pick<AppParts, 'explain' | 'vary'>> {
  const names = vary ?? (process.env.CWX_FAKE_VARY ?? '').split(',').filter(name => name !== '');
  if (names.length === 0) return { explain };
  const { isVariation, variationNames, varying } = await import('../derive/document/variations.js'); // few fakes need it
  const unknown = names.filter(name => !isVariation(name));
  if (unknown.length > 0) log.warn(`CWX_FAKE_VARY has ${unknown.join(', ')}: expected ${variationNames.join(', ')}`);
  return { explain: explain && !names.includes('headers'), vary: varying(names.filter(isVariation)) };
}

async function begin(session: Session, readiness: { isReady: boolean }): Promise<void> {
  await session.begin();
  readiness.isReady = true;
}

function hideTokens({ origin }: Loaded, controlToken?: string): () => void {
  const tokens = [...origin.world.tokens.keys()].slice(0, MAX_HIDDEN_TOKENS);
  return hideEverywhere(controlToken === undefined ? tokens : [...tokens, controlToken]);
}

function once<T>(begin: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= begin();
    return begun;
  };
}

/** nobody else closes it */
async function closeThenThrow(store: SandboxStore, error: unknown): Promise<never> {
  await store.close();
  throw error;
}

/** What the app shares with its surroundings. */
interface Edge extends Pick<AppParts, 'admission' | 'forward' | 'holds' | 'explain' | 'vary'> {
  readonly ending: AbortSignal;
}

/** `undefined`: no requests are forwarded. */
function forwardOf(
  { forward, fallback, fallbackTls, fallbackTimeout, rewrite, maxConnections, explain, restApi }: Settings,
  others: Omit<ForwardParts, 'explain' | 'restApi'>,
): Forward | undefined {
  const parts = { ...others, explain, restApi };
  if (forward !== undefined) return createForward(forward, parts);
  if (fallback === undefined) return undefined;
  const limits = { timeout: fallbackTimeout * 1000, maxConnections, tls: fallbackTls };
  const trusting = 'trust its CA with NODE_EXTRA_CA_CERTS';
  return createForward({ what: 'rest', rewrite, target: withoutEndingSlashes(fallback), ...limits, trusting }, parts);
}

function serving(
  settings: Settings,
  counted: MetricSources & { readonly readiness: { readonly isReady: boolean } },
  { ending, ...edge }: Edge,
  folders: Folders,
  token: string | undefined,
  log: Log,
): Pick<Assembled, 'app' | 'context'> {
  const { session, feeds, metrics, readiness } = counted;
  const startedAt = process.uptime();
  const version = packageVersion();
  const streams = { ...usualStreamSettings, ...settings.events };
  const { store } = session.settings;
  const health = (): Health => ({
    status: readiness.isReady && store.trouble === undefined ? 'ok' : 'waiting',
    version,
    scenario: session.origin.scenario,
    uptime: Math.round((process.uptime() - startedAt) * 1000) / 1000,
    memory: session.sandboxes.memory,
    sandboxes: settings.createOnUse ? 'auto' : 'explicit',
    store: store.name,
    ...(settings.forward?.what === 'all' && { forwardsTo: redactUrl(settings.forward.target) }),
    ...(store.trouble !== undefined && { trouble: store.trouble }),
  });
  const small = { ...folders, largest: MAX_BYTES_RUNNING };
  const scenarios = new ScenarioCache(small);
  const texts = new TextCache(small);
  const open = (name: string) => scenarios.open(name);
  const context: ControlContext = {
    session,
    folders,
    open,
    players: new Players(session, (sandbox, url) => inProcess({ app, context }, sandbox, url)),
    openText: texts.open,
    isLoaded: name => name === '' || scenarios.has(name),
    setups: new ProviderSetups({ session, origin: () => session.origin, folders: small, load: open }),
    version,
    feeds,
    holds: edge.holds,
    metrics: async () => (await import('../http/metrics/prometheus.js')).metricsText(counted),
    health,
    controlOpenapi: root => controlOpenapi(actions, version, root),
  };
  const app: Assembled['app'] = createApp({
    session,
    version,
    log,
    metrics,
    allowedHosts: [
      ...settings.allowedHosts,
      ...(settings.baseUrl === undefined ? [] : [new URL(settings.baseUrl).hostname]),
    ],
    maxBody: settings.maxBody,
    cors: settings.cors,
    maxUnread: (settings.maxMemory * MIB) / 4,
    restApi: settings.restApi,
    inFront: settings,
    ...edge,
    ending,
    control: settings.control ? { context, token, streams } : 'off',
    health,
  });
  return { app, context };
}

/** Generated beyond loopback, unless the control API is open. */
function tokenFor({ control, controlToken, host }: Settings): string | undefined {
  if (control === false) return undefined;
  const isOpen = control === 'open' || isLoopback(host);
  return controlToken ?? (isOpen ? undefined : randomBytes(18).toString('base64url'));
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

const SWEEP_MS = 5_000;

/** Starts the timer; returns a function that stops it. */
function startExpiry(session: Session, metrics: Metrics, log: Log): () => void {
  let logged = { ...metrics.left };
  const sweep = async () => {
    await session.sandboxes.expire();
    const expired = metrics.left.expired - logged.expired;
    const evicted = metrics.left.evicted - logged.evicted;
    logged = { ...metrics.left };
    if (expired > 0) log.info('idle sandboxes have expired', { expired });
    if (evicted > 0) log.info('sandboxes were evicted because of --max-sandboxes', { evicted });
  };
  const failed = (error: unknown) => {
    if (error instanceof StoreError) log.warn('idle sandboxes could not be checked; trying again', { err: error });
    else log.error('a bug in cwx-fake while expiring sandboxes', { err: error });
  };
  const timer = realTime.setInterval(
    () => void sweep().catch(failed),
    Math.min(SWEEP_MS, session.settings.sandboxTtl / 2),
  );
  timer.unref();
  return () => realTime.clearInterval(timer);
}

/** A test runner may kill its workers: counts of the last milliseconds may be missing. */
const COVERAGE_EVERY_MS = 50;

/** Writes after changes and at the end of the process; without a folder never. Returns a function for the last write. */
function leaveCoverage(folder: string | undefined, counter: CoverageCounter, log: Log): () => void {
  if (folder === undefined) return () => {};
  const file = join(resolve(folder), `coverage-${process.pid}-${randomBytes(4).toString('hex')}.json`);
  let written = -1;
  const write = () => {
    if (counter.requests === written) return;
    written = counter.requests;
    try {
      writeWhole(file, `${JSON.stringify(counter.present())}\n`);
    } catch (error) {
      log.warn('the coverage could not be written', { file, err: error });
    }
  };
  const timer = realTime.setInterval(write, COVERAGE_EVERY_MS).unref();
  process.once('exit', write);
  write(); // also for a fake without requests
  return () => {
    realTime.clearInterval(timer);
    process.off('exit', write);
    write();
  };
}
