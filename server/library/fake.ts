// A fake within a program: with a socket, or without. Both are the same server; what makes it is elsewhere.
import { randomBytes } from 'node:crypto';
import { awaitStore } from '../await-store.js';
import { createLog } from '../create-log.js';
import type { Log } from '../engine/log.js';
import { DEFAULT_SANDBOX } from '../engine/sandbox/session.js';
import { StoreError, ttlOf } from '../engine/store.js';
import { SANDBOX_NAME } from '../operations/address.js';
import { isProblems } from '../scenario/yaml/problem.js';
import { type Assembled, assemble } from '../server.js';
import type { Settings } from '../settings.js';
import { listen } from '../start.js';
import type { Fake, Leaked, Sandbox, SandboxOptions } from './api.js';
import { FakeError, fileProblems } from './fake-error.js';
import { fetching } from './fetch.js';
import { injecting } from './inject.js';
import { type Inside, scenariosOf, stopped } from './inside.js';
import { type CreateOptions, type StartOptions, settingsOf } from './options.js';
import { originWith } from './origin.js';
import { HeldSandbox } from './sandbox.js';
import { telling } from './telling.js';

/** Names no host that there could be (RFC 6761): only the fake's own `fetch` finds it. */
const NO_SOCKET = 'http://fake.localhost';

/** Starts a fake that listens, on a free port of loopback unless told otherwise. Resolves once it serves; rejects with a `FakeError`. */
export async function startFake(options: StartOptions = {}): Promise<Fake> {
  const settings = settingsOf(options, 'startFake');
  const log = createLog(settings.log, process.stderr);
  const assembled = await assembledFrom(settings, log);
  const { url, stop } = await listen(assembled, settings, log).catch(error => {
    throw error instanceof StoreError ? failureOf(error) : cannotListen(error as NodeJS.ErrnoException, settings); // else Node's own, of listening
  });
  return fakeOf(assembled, settings, url, stop);
}

/** The same without a socket: it is asked by its `fetch` and by the clients of its sandboxes. Rejects with a `FakeError`. */
export async function createFake(options: CreateOptions = {}): Promise<Fake> {
  const settings = settingsOf(options, 'createFake');
  const log = createLog(settings.log, process.stderr);
  const assembled = await assembledFrom(settings, log);
  const end = async () => {
    assembled.end();
    await assembled.close();
  };
  await awaitStore(assembled, settings.storeTimeout, log).catch(async error => {
    await end();
    throw failureOf(error);
  });
  return fakeOf(assembled, settings, NO_SOCKET, end);
}

async function assembledFrom(settings: Settings, log: Log): Promise<Assembled> {
  const scenarios = scenariosOf(settings);
  const assembled = await assemble(settings, log, name => scenarios.load(name)).catch(error => {
    throw failureOf(error);
  });
  if (!isProblems(assembled)) return assembled;
  throw new FakeError(
    `The scenario ${JSON.stringify(settings.scenario)} does not load`,
    fileProblems(assembled.problems),
  );
}

/** A failure of the store in the library's own form, and any other error as it is. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  return new FakeError('The store of sandboxes cannot be used', [{ message: `${error.message}.`, pointer: '/store' }], {
    cause: error,
  });
}

function fakeOf(assembled: Assembled, settings: Settings, url: string, end: () => Promise<void>): Fake {
  let ended: Promise<void> | undefined;
  const names = newNames();
  const check = () => {
    if (ended !== undefined) throw stopped();
  };
  const through = injecting(assembled.app, { url });
  const inside: Inside = {
    assembled,
    scenarios: scenariosOf(settings),
    url,
    ask: async (request, signal) => {
      check();
      return through(request, signal);
    },
    check,
    nameFor: name => (name === undefined ? names() : checkedName(name)),
  };
  const stop = () => {
    ended ??= end();
    return ended;
  };
  return {
    url,
    fetch: fetching(inside.ask, url),
    sandbox: (name, options) => heldSandbox(inside, name, options),
    ...telling(inside),
    leaks: async () => {
      check();
      return leaksOf(assembled);
    },
    ...(assembled.controlToken !== undefined && { controlToken: assembled.controlToken }),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function leaksOf({ session }: Assembled): Promise<Leaked> {
  const journal = (await session.latest(DEFAULT_SANDBOX))?.journal; // dropped, it has none
  return { count: journal?.leaks.count ?? 0, entries: journal?.entries().filter(({ leaked }) => leaked) ?? [] };
}

function heldSandbox(inside: Inside, name?: string, options?: SandboxOptions): Sandbox {
  inside.check();
  const wanted = inside.nameFor(name);
  const { session } = inside.assembled;
  if (options === undefined) {
    const begun = session.settings.createOnUse ? undefined : begunIn(session, wanted);
    return new HeldSandbox(inside, wanted, undefined, begun);
  }
  const origin = originWith(options, inside);
  const ttl = options.ttl && ttlOf(options.ttl);
  return new HeldSandbox(inside, wanted, origin, replaced(inside, wanted, origin, ttl), ttl);
}

/** Begun at once, as the next; where others may have made it already, nothing says so at once. */
function begunIn(session: Assembled['session'], name: string): Promise<unknown> | undefined {
  if (session.settings.store.isShared) return session.ensure(name, session.origin);
  return session.peek(name) === undefined ? session.create(name, session.origin) : undefined;
}

/** Begun at once, so that who asks over HTTP meets it too. */
async function replaced(
  { assembled: { session } }: Inside,
  name: string,
  origin: SandboxOrigin,
  ttl: number | undefined,
): Promise<void> {
  const dropping = session.drop(name);
  const making = session.create(name, origin, ttl);
  await dropping;
  await making;
}

type SandboxOrigin = ReturnType<typeof originWith>;

/** Names that no other process gives either: servers may share a store. */
function newNames(): () => string {
  const some = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `sandbox-${some}-${count}`;
  };
}

function checkedName(name: string): string {
  if (SANDBOX_NAME.test(name)) return name;
  const shown = JSON.stringify(String(name).slice(0, 80));
  const message = `${shown} is no name of a sandbox: it takes 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen.`;
  throw new FakeError('There can be no such sandbox', [{ message }]);
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: Settings): FakeError {
  const { code, message } = error;
  const why =
    code === 'EADDRINUSE'
      ? 'the port is in use; without a port it takes a free one'
      : code === 'EACCES'
        ? 'this user may not use the port; choose one above 1023'
        : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
          ? 'the host is no address of this machine'
          : message;
  return new FakeError(`startFake cannot listen on ${host}:${port}`, [{ message: `${why}.` }], { cause: error });
}
