// A proxy before a server, which can break connections or change responses: another server, for commands that ask over a socket.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Interposed {
  readonly url: string;
  stop(): Promise<void>;
}

/** Returns whether it has responded itself, or broken the connection. */
export type Interference = (request: IncomingMessage, res: ServerResponse) => boolean;

/** `encode`: changes bodies, which are then said to be gzip. */
export async function interposed(
  target: string,
  interfere: Interference,
  encode?: (body: Buffer) => Buffer,
): Promise<Interposed> {
  const server = createServer(async (request, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (interfere(request, res)) return;
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const response = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>, // no header of these requests is repeated
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await response.arrayBuffer());
    const coding = encode === undefined ? {} : { 'Content-Encoding': 'gzip' };
    res.writeHead(response.status, { 'Content-Type': response.headers.get('content-type') ?? '', ...coding });
    res.end(encode?.(body) ?? body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port, so it is not a pipe
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
