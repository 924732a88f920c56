// Requests over HTTP are sent unchanged, and every network error is reported in words.

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { type Connection, connection } from '../../../server/library/port/http-connection.js';
import { Unreachable } from '../../../server/scenario/play/target.js';
import { CLOSED, CUT_SHORT, REFUSED } from '../../support/wire/connection-failures.js';
import { failure } from '../../support/worlds/failure.js';

const servers: Server[] = [];
const connections: Connection[] = [];

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // it listens on a port
}
const serverResponse = (listener: RequestListener, host?: string) => listening(createHttpServer(listener), host);
const breaking = (listener: (socket: Socket) => void) => listening(createServer(listener));
const connected = (url: string) => {
  const made = connection(url);
  connections.push(made);
  return made;
};
const whole = /no complete response within 2\.4 s$/;
const repeating = (socket: Socket, ms: number, text: string, first = '') => {
  socket.write(first);
  const timer = setInterval(() => socket.write(text), ms);
  socket.on('error', () => {}).on('close', () => clearInterval(timer));
};
const get = { method: 'GET', path: '/', headers: {} };
const failureAt = async (url: string) => (await failure(connected(url).send(get), Unreachable)).message;

describe('a request over HTTP', () => {
  afterEach(() => {
    for (const open of connections.splice(0)) open.close();
    for (const server of servers.splice(0)) server.close();
  });

  it('is sent with its own headers and those of the connection', async () => {
    let heard: IncomingMessage | undefined;
    const port = await serverResponse((request, response) => {
      heard = request;
      request.resume();
      response.end();
    });
    const headers = { 'X-A': '1', authorization: 'x', Accept: '' };
    await connected(`http://127.0.0.1:${port}/base`).send({
      method: 'POST',
      path: '/a/../b%2F?x=[1]',
      headers,
      body: 'ü',
    });
    expect(heard).to.deep.include({ method: 'POST', url: '/base/a/../b%2F?x=[1]' });
    expect(heard?.rawHeaders).to.have.members([
      ...['content-length', '2', 'X-A', '1', 'authorization', 'x', 'Accept', ''],
      ...['host', `127.0.0.1:${port}`, 'connection', 'keep-alive'],
    ]);
  });

  it('returns status, headers in lower case, and the body as text', async () => {
    const port = await serverResponse((_, response) => {
      response.writeHead(201, { 'X-Up': 'A', 'Set-Cookie': ['a=1', 'b=2'] });
      response.end('{"ü":1}');
    });
    const { status, headers, text } = await connected(`http://127.0.0.1:${port}`).send(get);
    expect({ status, text }).to.deep.equal({ status: 201, text: '{"ü":1}' });
    expect(headers).to.include({ 'x-up': 'A', 'set-cookie': 'a=1, b=2' });
  });

  it('follows no redirection', async () => {
    const port = await serverResponse((_, response) => response.writeHead(302, { Location: '/elsewhere' }).end());
    expect((await connected(`http://127.0.0.1:${port}`).send(get)).status).to.equal(302);
  });

  it('reaches an IPv6 address', async function () {
    const port = await serverResponse((request, response) => response.end(request.headers.host), '::1').catch(
      () => undefined,
    );
    if (port === undefined) return this.skip(); // this machine has no IPv6
    expect((await connected(`http://[::1]:${port}`).send(get)).text).to.equal(`[::1]:${port}`);
  });

  it('reports a refused connection', async () => {
    const port = await breaking(() => {});
    servers.splice(0)[0]?.close();
    const url = `http://127.0.0.1:${port}`;
    expect(await failureAt(url)).to.equal(`${url} does not respond: ${REFUSED}`);
  });

  it('reports an unknown host', async () => {
    expect(await failureAt('http://no-such-host.invalid')).to.equal(
      'http://no-such-host.invalid does not respond: the host name could not be resolved',
    );
  });

  const closes = new RegExp(`${CLOSED}$`);
  const ends = new RegExp(`${CUT_SHORT}$`);
  const OK = 'HTTP/1.1 200 OK\r\n';
  const broken: ReadonlyArray<readonly [what: string, listener: (socket: Socket) => void, message: RegExp]> = [
    ['hangs up', socket => socket.on('data', () => socket.destroy()), closes],
    ['speaks no HTTP', socket => socket.end('220 mail.example ESMTP\r\n'), /the response is not HTTP$/],
    ['ends in the middle of the body', socket => socket.end(`${OK}Content-Length: 10\r\n\r\nabc`), ends],
  ];
  for (const [what, listener, message] of broken) {
    it(`reports a server that ${what}`, async () => {
      expect(await failureAt(`http://127.0.0.1:${await breaking(listener)}`)).to.match(message);
    });
  }

  const slow: ReadonlyArray<readonly [what: string, listener: (socket: Socket) => void, message: RegExp]> = [
    ['never responds', () => {}, /no response within 0\.6 s$/],
    ['sends a byte now and then', socket => repeating(socket, 20, 'a', `${OK}Content-Length: 999\r\n\r\n`), whole],
  ];
  for (const [what, listener, message] of slow)
    it(`gives up a server that ${what}`, async () => {
      const port = await breaking(socket => void socket.once('data', () => listener(socket)));
      const hasty = connection(`http://127.0.0.1:${port}`, undefined, 600);
      connections.push(hasty);
      expect((await failure(hasty.send(get), Unreachable)).message).to.match(message);
    });

  it('has a limit for the size of a response', async () => {
    const port = await serverResponse((_, response) => response.end(Buffer.alloc(64 * 1024 * 1024 + 1)));
    expect(await failureAt(`http://127.0.0.1:${port}`)).to.match(/the response is too large$/);
  });

  it('reports https to a server without TLS', async () => {
    const port = await serverResponse((_, response) => response.end());
    expect(await failureAt(`https://127.0.0.1:${port}`)).to.match(
      /does not use TLS: should the URL begin with http:\/\/\?$/,
    );
  });
});
