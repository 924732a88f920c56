// Loopback servers that Pact's verifier calls instead of the real one, and how they pass a response on.
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RawResponse } from '../../../server/scenario/play/target.js';

export interface Loopback {
  /** Without a slash at the end. */
  readonly url: string;
  /** Ends the server and all its connections, also those that the verifier keeps open. */
  close(): Promise<void>;
}

export async function openLoopback(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening server has an address
  const close = async () => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Hop-by-hop and length headers, in lower case: they are not passed on. */
export const OF_CONNECTION: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/** Passes every header and byte on unchanged. `isBare`: without date, connection and length. */
export function handOn({ status, fields, bytes }: RawResponse, serverResponse: ServerResponse, isBare = false): void {
  const kept = fields.filter(([name]) => !OF_CONNECTION.has(name));
  if (isBare) for (const name of ['date', 'connection', 'content-length']) serverResponse.removeHeader(name);
  const length = isBare ? [] : [['content-length', String(bytes.length)] as const];
  serverResponse.writeHead(status, [...kept, ...length].flat());
  serverResponse.end(bytes);
}
