// Clients and other servers that attack a fallback or a proxy: what reaches the other side, and what it costs.
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { silentLog } from '../../../server/engine/log.js';
import { type Running, start } from '../../../server/process/start.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { type FlagValues, settingsFrom } from '../../../server/settings/settings.js';
import { useClosing } from '../../support/wire/closing.js';
import { entriesIn, send, sendRaw } from '../../support/wire/server.js';

const MIB = 1024 * 1024;
const ways = ['fallback', 'proxy'] as const;

describe('forwarding', () => {
  const closing = useClosing();
  const { upstream } = closing;
  const forwarding = async (way: (typeof ways)[number], target: string, flags: FlagValues = {}): Promise<Running> => {
    const common = { what: 'all', rewrite: true, target, timeout: 30_000, maxConnections: 0, trusting: '' } as const;
    const examine = () => ({ violations: [], agrees: {} }); // as a proxy does, so that more is kept
    const settings = settingsFrom('small-team', { port: '0', fallback: target, ...flags });
    const fake = await start(way === 'proxy' ? { ...settings, forward: { ...common, examine } } : settings, silentLog);
    if (isProblems(fake)) throw new Error(JSON.stringify(fake.problems));
    closing.push(() => fake.stop());
    return fake;
  };
  const opened = async (url: string): Promise<Socket> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {}); // it is broken off in the end
    closing.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };

  /** Bytes in use, without garbage. */
  const used = () => {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  const impossible: ReadonlyArray<readonly [headers: string, flags?: FlagValues]> = [
    ['Host: localhost:99999'],
    ['Host: xn--a'],
    ['Host: a\r\nX-Forwarded-Host: localhost:99999', { 'trust-proxy': true }],
    ['Host: localhost:99999\r\nX-Forwarded-Port: 99999', { 'trust-proxy': true }],
  ];
  for (const way of ways)
    for (const [headers, flags] of impossible)
      it(`rewrites redirects and cookies for a client that names ${JSON.stringify(headers)} (${way})`, async () => {
        const target = await upstream((_, res) =>
          res.writeHead(302, { Location: `${target}/there`, 'Set-Cookie': 'a=b; Path=/' }).end(),
        );
        const fake = await forwarding(way, target, flags);
        const response = await sendRaw(fake.url, `GET /other HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
        expect(response).to.match(/^HTTP\/1\.1 302 /);
        expect(response).to.match(/\r\nLocation: http:\/\/(?:a|xn--a|127\.0\.0\.1:\d+)\/there\r\n/i);
        expect(response).to.match(/\r\nSet-Cookie: a=b; Path=\/\r\n/i);
        expect((await send(`${fake.url}/_fake/health`)).status).to.equal(200);
      });

  const HIDDEN = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
  const LENGTH = `Content-Length: ${HIDDEN.length}`;
  const CHUNKED = 'Transfer-Encoding: chunked';
  const inChunks = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;
  const smuggling: ReadonlyArray<readonly [head: string, body: string]> = [
    [`GET /x HTTP/1.1\r\n${LENGTH}\r\nConnection: content-length`, HIDDEN],
    [`POST /x HTTP/1.1\r\n${LENGTH}\r\nConnection: content-length, transfer-encoding`, HIDDEN],
    [`GET /x HTTP/1.1\r\n${CHUNKED}\r\nConnection: transfer-encoding`, inChunks],
    [`PUT /x HTTP/1.1\r\n${CHUNKED}\r\nTE: trailers\r\nTrailer: Content-Length\r\nConnection: te, trailer`, inChunks],
  ];
  for (const way of ways)
    for (const [head, body] of smuggling)
      it(`sends one request with its body: ${JSON.stringify(head)} (${way})`, async () => {
        const seen: Array<readonly [url: string | undefined, host: string | undefined, body: string]> = [];
        const target = await upstream(async (req, res) => {
          seen.push([req.url, req.headers.host, String(await buffer(req))]);
          res.end('ok');
        });
        const fake = await forwarding(way, target);
        const [line = '', ...headers] = head.split('\r\n');
        const socket = await opened(fake.url);
        socket.write(`${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n${body}`);
        await once(socket, 'data');
        await send(`${fake.url}/y`); // perhaps by the same connection
        const { host } = new URL(target);
        expect(seen).to.deep.equal([
          ['/x', host, HIDDEN],
          ['/y', host, ''],
        ]);
      });

  it('unpacks a small response that becomes large only as fast as it is read', async () => {
    const packed = gzipSync(Buffer.alloc(60 * MIB, ' '));
    const target = await upstream((_, res) =>
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(packed),
    );
    const fake = await forwarding('fallback', target);
    const before = used();
    const readers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const asking = request(`${fake.url}/x`).end();
        const [response] = (await once(asking, 'response')) as [IncomingMessage];
        return response; // not read
      }),
    );
    expect((used() - before) / MIB).to.be.below(150);
    expect((await send(`${fake.url}/_fake/health`)).status).to.equal(200);
    for (const response of readers) response.destroy();
    expect((await buffer((await once(request(`${fake.url}/x`).end(), 'response'))[0])).length).to.equal(60 * MIB);
  });

  it('breaks off a text that is more than 64 MiB when it is unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(65 * MIB, ' '));
    const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
    const fake = await forwarding('fallback', await upstream((_, res) => res.writeHead(200, headers).end(packed)));
    const end = await fetch(`${fake.url}/x`)
      .then(response => response.arrayBuffer())
      .catch((error: unknown) => error);
    expect(end).to.be.an('error');
    expect((await entriesIn(fake)).at(-1)?.forwarded?.problem).to.match(
      /sent an unusable response: it has more than 67108864 bytes when decompressed\.$/,
    );
  });

  it('rewrites a cookie with 10,000 blanks', async () => {
    const sent = `a=b;${' '.repeat(5_000)}Path=/${' '.repeat(5_000)}; Secure`;
    const fake = await forwarding(
      'fallback',
      await upstream((_, res) => res.writeHead(200, { 'Set-Cookie': sent }).end()),
    );
    expect((await fetch(`${fake.url}/x`)).headers.getSetCookie()).to.deep.equal(['a=b; Path=/']);
  });

  for (const way of ways)
    it(`keeps little of half-sent bodies in tiny chunks that the other server does not read (${way})`, async () => {
      const fake = await forwarding(way, await upstream(() => {}));
      const half = Buffer.from('1\r\na\r\n'.repeat(20_000));
      const before = used();
      const sockets = await Promise.all(Array.from({ length: 24 }, () => opened(fake.url)));
      for (const socket of sockets) {
        socket.write('POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
        socket.write(half);
      }
      const sent = () =>
        sockets.reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, 0);
      for (let [same, last] = [0, sent()]; same < 500; same = sent() === last ? same + 1 : 0) {
        last = sent();
        await setImmediate();
      }
      expect((used() - before) / MIB).to.be.below(40);
      expect((await send(`${fake.url}/_fake/health`)).status).to.equal(200);
    });

  it('ends the request to the other server when the client leaves', async () => {
    let arrive = (_: ServerResponse) => {};
    const arrived = new Promise<ServerResponse>(resolve => {
      arrive = resolve;
    });
    const target = await upstream((_, res) => arrive(res));
    const fake = await forwarding('fallback', target);
    const socket = await opened(fake.url);
    socket.write('GET /x HTTP/1.1\r\nHost: a\r\n\r\n');
    const response = await arrived;
    socket.destroy();
    await once(response, 'close');
    expect((await entriesIn(fake)).at(-1)?.forwarded?.problem).to.match(/^The client disconnected /);
  });

  for (const [what, status, target] of [
    ['a server that is away', 502, async () => 'http://127.0.0.1:1'],
    ['one that responds early', 413, () => upstream((_, res) => res.writeHead(413).end('too large'))],
  ] as const)
    it(`responds while a large body is sent to ${what}, and goes on with the connection`, async () => {
      const fake = await forwarding('fallback', await target());
      const socket = await opened(fake.url);
      const body = Buffer.alloc(3 * MIB, 'a');
      socket.write(`POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
      socket.write('GET /_fake/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      const text = String(await buffer(socket));
      expect(text.match(/HTTP\/1\.1 (\d+)/g)).to.deep.equal([`HTTP/1.1 ${status}`, 'HTTP/1.1 200']);
    });

  it('sends the head of an event stream before its first event', async () => {
    const target = await upstream((_, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    });
    const fake = await forwarding('fallback', target);
    const [response] = (await once(request(`${fake.url}/x`).end(), 'response')) as [IncomingMessage];
    expect(response.headers['content-type']).to.equal('text/event-stream');
    response.destroy();
  });
});
