// From settings to a server that listens. Resolves only when requests are answered.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { awaitStore } from './await-store.js';
import type { Log } from './engine/log.js';
import { type ConnectionLimits, limitedServer } from './http/connections.js';
import { usualReaderLimits } from './http/guards/unread-answers.js';
import { isProblems, type Problems } from './scenario/yaml/problem.js';
import { type Assembled, assemble } from './server.js';
import type { Settings } from './settings.js';

const MIB = 1024 * 1024;

export interface Running extends Omit<Assembled, 'app' | 'end' | 'ready' | 'close'> {
  /** Where it answers, without a slash at the end. */
  readonly url: string;
  /** Finishes requests that have come whole, closes all other connections, and resolves when nothing is left: in five seconds at most. */
  stop(): Promise<void>;
}

/** Starts a server, or tells what is wrong with its scenario. Rejects where it cannot listen, and with a `StoreError` where its store cannot be used. */
export async function start(settings: Settings, log: Log): Promise<Running | Problems> {
  const assembled = await assemble(settings, log);
  return isProblems(assembled) ? assembled : listen(assembled, settings, log);
}

/** Listens with what has been put together, at first only to say that it waits for its store. Rejects where it cannot, with nothing left. */
export async function listen(
  { app, end, ready, close, ...assembled }: Assembled,
  settings: Pick<Settings, 'host' | 'port' | 'storeTimeout' | 'maxMemory'> & ConnectionLimits,
  log: Log,
): Promise<Running> {
  const { host, port } = settings;
  const { server, close: closeServer } = limitedServer(settings, app.callback(), log, assembled.outstanding, {
    ...usualReaderLimits,
    plenty: (settings.maxMemory * MIB) / 8,
    most: (settings.maxMemory * MIB) / 4,
  });
  const stop = async () => {
    end();
    if (server.listening) await closeServer();
    await close();
  };
  try {
    server.listen(port, host);
    await once(server, 'listening');
    await awaitStore({ ...assembled, ready }, settings.storeTimeout, log);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...assembled, url: urlOf(server, host), stop };
}

function urlOf(server: Server, host: string): string {
  const { address, port, family } = server.address() as AddressInfo; // it listens on a port, so it is no pipe
  const shown = host === 'localhost' ? host : family === 'IPv6' ? `[${address}]` : address;
  return `http://${shown}:${port}`;
}
