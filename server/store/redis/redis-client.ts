// Makes the clients of @redis/client for one server, a Cluster or Sentinels. The only importer of the package.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CommandParser } from '@redis/client';
import { StoreError } from '../../engine/store.js';
import { APPEND, COMPACT, CREATE, DROP, SINCE } from './scripts.js';
import type { HostPort, RedisAddress } from './url.js';

const require = createRequire(import.meta.filename);

/** The commands of one server; those of the others have the same form. In a Cluster, `scan` and `ping` are for all masters. */
export type RedisConnection = ReturnType<typeof serverClient>;
export type ScriptName = keyof ReturnType<typeof scripts>;

/** Milliseconds between two tries to connect, at most. */
export const LONGEST_PAUSE_MS = 250;

/** Makes a client, and one for subscriptions if the first has none. `timeout`: milliseconds without a response after which a connection is replaced. */
export function clientMaker(address: RedisAddress, timeout: number): () => [RedisConnection, ...RedisConnection[]] {
  const { createCluster, createSentinel } = loadPackage();
  const { kind, hosts, master = '' } = address;
  const settings = settingsOf(address, timeout);
  const withLogin = { ...settings, ...loginOf(address) };
  // one of its own: Redis closes a connection with subscriptions that has 32 MB of unread replies (client-output-buffer-limit)
  if (kind === 'server') return () => [serverClient(withLogin, hosts[0]), serverClient(withLogin, hosts[0])];
  const make = () =>
    kind === 'cluster'
      ? createCluster({
          rootNodes: hosts.map(host => ({ socket: { ...host } })),
          defaults: withLogin,
          scripts: scripts(),
          minimizeConnections: true, // while a node is away, the others can be used
          topologyRefreshOnReconnectionAttemptStrategy: LONGEST_PAUSE_MS,
        })
      : createSentinel({
          name: master,
          sentinelRootNodes: [...hosts],
          nodeClientOptions: withLogin,
          sentinelClientOptions: settings,
          scripts: scripts(),
          reserveClient: true, // else calls wait for each other
          maxCommandRediscovers: 0, // a call fails at once while the master is away
          scanInterval: 1000,
          passthroughClientErrorEvents: true,
        });
  return () => [make() as unknown as RedisConnection]; // their types differ in what is not used here
}

function serverClient(settings: ReturnType<typeof settingsOf>, host: HostPort | undefined) {
  return loadPackage().createClient({ ...settings, socket: { ...settings.socket, ...host }, scripts: scripts() });
}

function loginOf({ user, password, database }: RedisAddress) {
  return { ...(user !== undefined && { username: user }), ...(password !== undefined && { password }), database };
}

function settingsOf({ tls }: RedisAddress, timeout: number) {
  return {
    socket: {
      ...(tls && readTls(tls)),
      connectTimeout: timeout,
      socketTimeout: timeout,
      reconnectStrategy: (tries: number) => Math.min(10 * 2 ** tries, LONGEST_PAUSE_MS), // the client's own gives up after a timeout
    },
    disableOfflineQueue: true, // a call fails at once while the connection is lost
    commandOptions: { timeout: 0 }, // the client's own timer for each command would cost two thirds of the throughput
    pingInterval: Math.ceil(timeout / 3),
    maintNotifications: 'disabled' as const,
  };
}

function scripts() {
  const { defineScript } = loadPackage();
  const script = (SCRIPT: string) =>
    defineScript({
      SCRIPT,
      parseCommand: (parser: CommandParser, keys: readonly string[], args: readonly string[]) => {
        parser.pushKeysLength([...keys]);
        parser.push(...args);
      },
      transformReply: (reply: unknown) => reply,
    });
  return {
    create: script(CREATE),
    append: script(APPEND),
    since: script(SINCE),
    compact: script(COMPACT),
    drop: script(DROP),
  };
}

function loadPackage(): typeof import('@redis/client') {
  try {
    return require('@redis/client') as typeof import('@redis/client');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause; // require() throws Node's errors
    const message = 'the Redis store needs a package that is not installed: npm install @redis/client@6';
    throw new StoreError('refused', message, { cause });
  }
}

function readTls({ servername, insecure, ...files }: Readonly<Record<string, string>>) {
  const read = Object.entries(files).map(([setting, path]) => [setting, readPem(setting, path)] as const);
  return {
    tls: true as const, // the client's types decide by it between TLS and plain
    rejectUnauthorized: insecure !== 'true',
    ...(servername !== undefined && { servername }),
    ...Object.fromEntries(read),
  };
}

function readPem(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StoreError('refused', `the file of ${setting} cannot be read: ${path}`, { cause });
  }
}
