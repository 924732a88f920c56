// Servers on loopback that Pact's verifier asks in the place of the real one, and how they hand an answer on. Knows no pact.
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answered } from '../../scenario/play/target.js';

export interface Loopback {
  /** Without a slash at the end. */
  readonly url: string;
  /** Ends it with every connection, also those that the verifier keeps open. */
  close(): Promise<void>;
}

export async function openLoopback(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // of a server that listens
  const close = async () => {
    const closed = new Promise(resolve => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** They belong to one connection, and are not handed on over another. */
export const OF_CONNECTION: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
]);

/** Every header and every byte as it came. */
export function handOn({ status, fields, bytes }: Answered, answering: ServerResponse): void {
  const kept = fields.filter(([name]) => !OF_CONNECTION.has(name));
  answering.writeHead(status, [...kept, ['content-length', String(bytes.length)] as const].flat());
  answering.end(bytes);
}
