// The proxy of a company's network: the only one who finds its hosts. Forwards HTTP, and tunnels HTTPS, to servers of this machine.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface CompanyProxy {
  readonly url: string;
  /** `GET http://host/path`, or `CONNECT host:port`, with the credentials shown. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** `account`: the `user:password` that it asks for. */
export async function companyProxy(account?: string): Promise<CompanyProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = account && `Basic ${Buffer.from(account).toString('base64')}`;
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    const { port, pathname, search } = new URL(req.url ?? '');
    const { 'proxy-authorization': shown, ...headers } = req.headers;
    if (shown !== wanted) return res.writeHead(407).end();
    const asking = request(
      { port, host: '127.0.0.1', method: req.method, path: pathname + search, headers },
      response => {
        res.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(res);
      },
    );
    return req.pipe(asking.on('error', () => res.destroy()));
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (req, socket: Socket) => {
    seen.push(`CONNECT ${req.url}`);
    if (req.headers['proxy-authorization'] !== wanted)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const there = connect(Number(req.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    socket.on('error', () => there.destroy());
    return there.on('error', () => socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
