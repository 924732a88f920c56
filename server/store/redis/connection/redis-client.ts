// Loads @redis/client and makes its clients, each with one connection that reconnects by itself. The only importer of the package.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { createClient } from '@redis/client';
import { StoreError } from '../../../engine/store.js';
import type { HostPort, RedisAddress, TlsFiles } from './url.js';

const require = createRequire(import.meta.filename);

export type Client = ReturnType<typeof createClient>;
/** Makes unconnected clients. */
export type MakeClient = (host: HostPort) => Client;

const LONGEST_PAUSE_MS = 250;

/** `patience`: milliseconds without a response after which a connection is replaced. Throws a `StoreError` if the package or a file is missing. */
export function clientMaker(address: RedisAddress, patience: number): MakeClient {
  const create = loadPackage();
  const { user: username, password, database } = address;
  const tls = address.tls && readTls(address.tls);
  return ({ host, port }) => {
    const client: Client = create({
      socket: {
        host,
        port,
        ...tls,
        connectTimeout: patience,
        socketTimeout: patience,
        reconnectStrategy: tries => Math.min(10 * 2 ** tries, LONGEST_PAUSE_MS), // the client's own gives up after a timeout
      },
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      database,
      disableOfflineQueue: true, // so that it is known which commands were not sent
      commandOptions: { timeout: 0 }, // the client's own timer for each command would cost two thirds of the throughput
      pingInterval: Math.ceil(patience / 3),
      maintNotifications: 'disabled',
    });
    client.unref(); // a connecting socket cannot be closed, so it must not keep the process alive; pending commands do, by their timers
    return client;
  };
}

function loadPackage(): typeof createClient {
  try {
    return (require('@redis/client') as { createClient: typeof createClient }).createClient;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause; // require() throws Node's errors
    throw new StoreError(
      'refused',
      'the Redis store needs a package that is not installed: npm install @redis/client@6',
      {
        cause,
      },
    );
  }
}

function readTls({ ca, cert, key, servername, isUnchecked }: TlsFiles) {
  return {
    tls: true as const, // the client's types decide by it between TLS and plain
    rejectUnauthorized: !isUnchecked,
    ...(ca !== undefined && { ca: readPem('ca', ca) }),
    ...(cert !== undefined && { cert: readPem('cert', cert) }),
    ...(key !== undefined && { key: readPem('key', key) }),
    ...(servername !== undefined && { servername }),
  };
}

function readPem(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StoreError('refused', `the file of ${setting} cannot be read: ${path}`, { cause });
  }
}
