// A minimal load balancer: passes each request on to the next of several servers, and returns its response.
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

interface Balancer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** `urls`: of the servers, without a slash at the end. */
export async function balancing(urls: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(urls[turn++ % urls.length] ?? '');
    const { method, url: path, rawHeaders: headers } = incoming;
    const asked = request({ hostname, port, method, path, headers: [...headers], agent });
    asked.on('response', response => {
      outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders);
      pipeline(response, outgoing, () => {});
    });
    asked.on('error', () => outgoing.destroy());
    pipeline(incoming, asked, () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port, so it is no pipe
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
