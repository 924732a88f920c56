// The one place that loads @redis/client, and makes clients of it: each is one connection that comes back by itself. Knows no keys.
import { readFileSync } from 'node:fs';
import type { createClient, RedisClientOptions } from '@redis/client';
import { StoreError } from '../../../engine/store.js';
import type { HostPort, RedisAddress, TlsFiles } from '../url.js';

export type Client = ReturnType<typeof createClient>;

export interface Making {
  readonly address: RedisAddress;
  /** Milliseconds without a sign of life after which a connection is given up and made anew. */
  readonly patience: number;
}

/** Makes clients, which are not connected yet; those that queue keep what they are asked to do while they are not connected. */
export type MakeClient = (host: HostPort, isQueueing: boolean) => Client;

const LONGEST_PAUSE_MS = 250;

/** Rejects with a `StoreError` where the package or a file is missing. */
export async function loadClient({ address, patience }: Making): Promise<MakeClient> {
  const { createClient } = await loadPackage();
  const tls = address.tls && readTls(address.tls);
  return ({ host, port }, isQueueing) => {
    const options: RedisClientOptions = {
      socket: {
        host,
        port,
        ...tls,
        connectTimeout: patience,
        socketTimeout: patience,
        reconnectStrategy: tries => Math.min(10 * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS),
      },
      ...(address.user !== undefined && { username: address.user }),
      ...(address.password !== undefined && { password: address.password }),
      database: address.database,
      disableOfflineQueue: !isQueueing,
      commandOptions: { timeout: 0 }, // its own timer for each command costs two thirds of the speed
      pingInterval: Math.ceil(patience / 3),
      maintNotifications: 'disabled',
    };
    const client: Client = createClient(options);
    client.unref(); // a socket that is still connecting cannot be closed: it shall not keep the process alive. What is under way does, by its timer
    return client;
  };
}

async function loadPackage(): Promise<{ createClient: typeof createClient }> {
  try {
    return await import('@redis/client');
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code))) throw error; // an import rejects with errors of Node
    throw new StoreError('refused', 'a store in Redis needs a package that is not there: npm install @redis/client@6', {
      cause: error,
    });
  }
}

function readTls({ ca, cert, key, servername, isUnchecked }: TlsFiles) {
  return {
    tls: true as const, // the client's types tell TLS from plain by it
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
