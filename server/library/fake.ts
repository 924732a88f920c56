// The three ways to get a fake: with a socket, without one, or one that runs elsewhere. All use the same port.
import { randomBytes } from 'node:crypto';
import {
  listingScenarios,
  readingControlOpenapi,
  readingGuide,
  readingLedger,
  readingMetrics,
  readingOpenapi,
} from '../control/actions/about-actions.js';
import { readingCoverage } from '../control/actions/coverage-action.js';
import { readingJournal } from '../control/actions/journal-actions.js';
import { listingStates } from '../control/actions/provider-state-actions.js';
import { creationProblems, creationSchema, listingSandboxes } from '../control/actions/sandbox-actions.js';
import { bodyErrors } from '../control/body-errors.js';
import { DEFAULT_URL } from '../derive/served-at.js';
import type { Log } from '../engine/log.js';
import { StoreError } from '../engine/store.js';
import { sandboxNameError } from '../operations/address.js';
import { parsedUrl, withoutEndingSlashes } from '../outgoing/parsed-url.js';
import { awaitStore } from '../process/await-store.js';
import { createLog } from '../process/create-log.js';
import { type Assembled, assemble } from '../process/server.js';
import { listen } from '../process/start.js';
import { BadCertificate } from '../process/tls-credentials.js';
import { defaultFolders, type Folders } from '../scenario/files/folders.js';
import { loadingScenario } from '../scenario/load/load.js';
import { ScenarioCache } from '../scenario/load/scenario-cache.js';
import { isProblems, type ValidationError } from '../scenario/yaml/problem.js';
import type { Settings } from '../settings/settings.js';
import {
  type CheckScenario,
  type CreateOptions,
  type StartOptions,
  settingsOf,
  tlsProblems,
  unknownKeys,
} from './options.js';
import type { ControlPort } from './port/control-port.js';
import { FakeError, fileProblems } from './port/fake-error.js';
import { fetching } from './port/fetch.js';
import { InProcessPort } from './port/in-process-port.js';
import { injecting } from './port/inject.js';
import type { ConnectOptions, Fake, Leaked, Sandbox, SandboxOptions } from './sandbox/api.js';
import { FakeSandbox } from './sandbox/sandbox.js';

/** A host name that cannot exist (RFC 6761): only the fake's own `fetch` resolves it. */
const NO_SOCKET = 'http://fake.localhost';

/** Starts a fake on a port; default: a free port of loopback. Resolves when it serves; rejects with a `FakeError`. */
export async function startFake(options: StartOptions = {}): Promise<Fake> {
  const settings = settingsOf(options, 'startFake', process.env, scenarioErrors);
  const log = createLog(settings.log, process.stderr);
  const assembled = await assembledFrom(settings, log);
  const { url, stop, tls } = await listen(assembled, settings, log).catch(error => {
    if (error instanceof BadCertificate)
      throw new FakeError('startFake cannot serve HTTPS', [{ message: `${error.message}.` }], { cause: error });
    throw error instanceof StoreError ? storeFailure(error) : cannotListen(error as NodeJS.ErrnoException, settings); // otherwise Node's own error of listening
  });
  const fake = inProcess(assembled, settings, url, stop);
  return tls === undefined ? fake : { ...fake, certificate: tls.certificate };
}

/** Creates a fake without a socket: use its `fetch` and the clients of its sandboxes. Rejects with a `FakeError`. */
export async function createFake(options: CreateOptions = {}): Promise<Fake> {
  const given = settingsOf(options, 'createFake', process.env, scenarioErrors);
  const settings = { ...given, allowedHosts: [...given.allowedHosts, new URL(NO_SOCKET).host] };
  const log = createLog(settings.log, process.stderr);
  const assembled = await assembledFrom(settings, log);
  const end = async () => {
    assembled.end();
    await assembled.close();
  };
  await awaitStore(assembled.ready(), assembled.session.settings.store, settings.storeTimeout, log).catch(
    async error => {
      await end();
      throw storeFailure(error);
    },
  );
  return inProcess(assembled, settings, NO_SOCKET, end);
}

/**
 * Connects to a running fake by its URL: all methods work as in its own process. `stop` closes the connections and leaves the fake running. Rejects
 * with a `FakeError` if there is no fake, or if it needs another token. Defaults: the URL and the token in the environment variables `CWX_FAKE_URL`
 * and `CWX_FAKE_CONTROL_TOKEN`, else `http://127.0.0.1:8080` without a token.
 */
export async function connectFake(url?: string, options: ConnectOptions = {}): Promise<Fake> {
  const { CWX_FAKE_URL, CWX_FAKE_CONTROL_TOKEN } = process.env;
  if (url === undefined)
    return connectFake(CWX_FAKE_URL || DEFAULT_URL, {
      ...(CWX_FAKE_CONTROL_TOKEN && { token: CWX_FAKE_CONTROL_TOKEN }),
      ...options,
    });
  const { token, ...tls } = options;
  const problems = [
    ...(parsedUrl(url) ? [] : [{ message: 'The URL is invalid: expected a URL such as http://127.0.0.1:8080.' }]),
    ...unknownKeys(options, ['token', 'cert', 'key', 'ca'], 'connectFake'),
    ...tlsProblems(tls, '/cert'),
    ...(token === undefined || typeof token === 'string'
      ? []
      : [{ message: 'it must be a string', pointer: '/token' }]),
  ];
  if (problems.length > 0) throw new FakeError('Invalid options for connectFake', problems);
  const { HttpPort } = await import('./port/http-port.js');
  const port = await HttpPort.open(withoutEndingSlashes(url), token, tls);
  return fakeOver(port, async () => port.stop(), token);
}

async function assembledFrom(settings: Settings, log: Log): Promise<Assembled> {
  const scenarios = scenariosOf(settings);
  const assembled = await assemble(settings, log, name => scenarios.load(name)).catch(error => {
    throw storeFailure(error);
  });
  if (!isProblems(assembled)) return assembled;
  throw new FakeError(
    `The scenario ${JSON.stringify(settings.scenario)} cannot be loaded`,
    fileProblems(assembled.problems),
  );
}

const kept = new Map<string, ScenarioCache>();

/** Scenarios are loaded once in a process for all fakes with the same folders. */
function scenariosOf(settings: Parameters<CheckScenario>[1]): ScenarioCache {
  const folders: Folders = defaultFolders(process.cwd(), settings);
  const key = JSON.stringify([process.cwd(), folders]);
  const known = kept.get(key) ?? new ScenarioCache(folders, loadingScenario);
  kept.set(key, known);
  return known;
}

const scenarioErrors: CheckScenario = (scenario, settings) => {
  const loaded = scenariosOf(settings).load(scenario);
  return isProblems(loaded) ? fileProblems(loaded.problems) : [];
};

/** A failure of the store as a `FakeError`; other errors unchanged. */
function storeFailure(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  return new FakeError('The store of sandboxes is unavailable', [{ message: `${error.message}.`, pointer: '/store' }], {
    cause: error,
  });
}

function inProcess(assembled: Assembled, settings: Settings, url: string, end: () => Promise<void>): Fake {
  const scenarios = scenariosOf(settings);
  const context = { ...assembled.context, open: async (scenario: string) => scenarios.load(scenario) };
  const port = new InProcessPort(url, context, injecting(assembled.app, { url }));
  let ended: Promise<void> | undefined;
  const stop = () => {
    port.stop();
    ended ??= end();
    return ended;
  };
  return fakeOver(port, stop, assembled.controlToken);
}

function fakeOver(port: ControlPort, stop: () => Promise<void>, controlToken: string | undefined): Fake {
  const names = newNames();
  return {
    url: port.url,
    fetch: fetching((request, signal) => port.ask(request, signal), port.url),
    sandbox: (name, options) => sandboxOf(port, name === undefined ? names() : name, options),
    health: () => port.health(),
    scenarios: async () => (await port.invoke(listingScenarios)).scenarios,
    states: () => port.invoke(listingStates),
    sandboxes: async () => (await port.invoke(listingSandboxes)).sandboxes,
    openapi: () => port.invoke(readingOpenapi),
    controlOpenapi: () => port.invoke(readingControlOpenapi),
    ledger: () => port.invoke(readingLedger),
    guide: () => port.invoke(readingGuide),
    metrics: () => port.invoke(readingMetrics),
    coverage: since => port.invoke(readingCoverage, { query: { since } }),
    leaks: () => leaksOf(port),
    ...(controlToken !== undefined && { controlToken }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function leaksOf(port: ControlPort): Promise<Leaked> {
  const { leaks, entries } = await port.invoke(readingJournal);
  return { count: leaks?.count ?? 0, entries: entries.filter(({ leaked }) => leaked) };
}

function sandboxOf(port: ControlPort, name: string, options: SandboxOptions | undefined): Sandbox {
  port.check();
  const problems = [...nameProblems(name), ...(options === undefined ? [] : optionProblems(options))];
  if (problems.length > 0) throw new FakeError('The sandbox cannot be created', problems);
  return new FakeSandbox(port, name, { creation: options });
}

/** Errors in options that need no fake; a missing scenario is found when the sandbox is created. */
function optionProblems(options: SandboxOptions): ValidationError[] {
  const given: unknown = JSON.parse(JSON.stringify(options)); // as sent to the fake
  const { errors, fitting } = bodyErrors(creationSchema, given);
  return [...errors, ...creationProblems(fitting as Parameters<typeof creationProblems>[0])]; // each member fits
}

/** Names that are unique across processes: servers may share a store. */
function newNames(): () => string {
  const some = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `sandbox-${some}-${count}`;
  };
}

function nameProblems(name: string): ValidationError[] {
  const error = sandboxNameError(name);
  if (error === undefined) return [];
  return [{ message: `${JSON.stringify(String(name).slice(0, 80))} is not a valid sandbox name: ${error}.` }];
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: Settings): FakeError {
  const { code, message } = error;
  const why =
    code === 'EADDRINUSE'
      ? 'the port is in use: choose another, or omit port to use a free one'
      : code === 'EACCES'
        ? 'this user is not allowed to listen on the port: choose one above 1023'
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? 'the host is not an address of this machine'
          : message;
  return new FakeError(`startFake cannot listen on ${host}:${port}`, [{ message: `${why}.` }], { cause: error });
}
