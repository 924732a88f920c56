// Starts a server that listens. Resolves when requests are answered.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../engine/log.js';
import { type ConnectionLimits, limitedServer } from '../http/connections/connections.js';
import { isProblems, type Problems } from '../scenario/yaml/problem.js';
import type { Settings } from '../settings/settings.js';
import { awaitStore } from './await-store.js';
import { type Assembled, assemble } from './server.js';
import { type TlsCredentials, tlsCredentials } from './tls-credentials.js';

export interface Running extends Omit<Assembled, 'app' | 'end' | 'ready' | 'close'> {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** For HTTPS: its certificate in PEM, and the file of it. */
  readonly tls?: Pick<TlsCredentials, 'certificate' | 'file'>;
  /** Answers complete requests, closes all other connections, and resolves when nothing is left: in about a second. */
  stop(): Promise<void>;
}

/** Starts a server, or returns the errors of its scenario. Rejects if it cannot listen, and with a `StoreError` if its store cannot be used. */
export async function start(settings: Settings, log: Log): Promise<Running | Problems> {
  const assembled = await assemble(settings, log);
  return isProblems(assembled) ? assembled : listen(assembled, settings, log);
}

export type ListenSettings = Pick<
  Settings,
  'host' | 'port' | 'storeTimeout' | 'tls' | 'tlsCert' | 'tlsKey' | 'allowedHosts'
> &
  ConnectionLimits;

/**
 * Listens, at first only to report that it waits for its store. Rejects if it cannot, with nothing left; with a `BadCertificate` for an invalid
 * certificate.
 */
export async function listen(
  { app, end, ready, close, ...assembled }: Assembled,
  settings: ListenSettings,
  log: Log,
): Promise<Running> {
  const { host, port } = settings;
  const credentials = await credentialsOf(settings, close);
  const { server, close: closeServer } = limitedServer(settings, app.callback(), log, credentials);
  const stop = async () => {
    end();
    if (server.listening) await closeServer();
    await close();
    credentials?.drop();
  };
  try {
    server.listen(port, host);
    await once(server, 'listening');
    await awaitStore(ready(), assembled.session.settings.store, settings.storeTimeout, log);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = urlOf(server, host, credentials === undefined ? 'http' : 'https');
  assembled.context.players.url = url;
  return {
    ...assembled,
    url,
    ...(credentials !== undefined && { tls: credentials }),
    stop,
  };
}

/** If they are invalid, nothing is left. */
async function credentialsOf(
  settings: ListenSettings,
  close: () => Promise<void>,
): Promise<TlsCredentials | undefined> {
  try {
    return tlsCredentials(settings);
  } catch (error) {
    await close();
    throw error;
  }
}

function urlOf(server: Server, host: string, scheme: 'http' | 'https'): string {
  const { address, port, family } = server.address() as AddressInfo; // it listens on a port, so it is no pipe
  const shown = host === 'localhost' ? host : family === 'IPv6' ? `[${address}]` : address;
  return `${scheme}://${shown}:${port}`;
}
