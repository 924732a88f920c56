// Invalid HTTP: bad lines and lengths, two ends of one request, broken connections. The server survives and answers the next request.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { RawConnection } from '../../support/wire/raw-connection.js';
import { entriesIn, send, sendRaw, useServer } from '../../support/wire/server.js';
import { bytesOf, freshSandbox, gotFrom, pathOf, type Sent, worldOf } from './wire.js';

const ADD = pathOf('groups.add-users');
const JOIN = '{"group":"customers","users":["alice"]}';

describe('malformed HTTP', () => {
  const server = useServer();
  const survives = async () => expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);

  const line = `POST ${ADD} HTTP/1.1`;
  const JUNK = 'x'.repeat(20_000);
  const malformed: ReadonlyArray<readonly [line: string, headers?: string, statuses?: readonly number[]]> = [
    ['GARBAGE'],
    ['PRI * HTTP/2.0'],
    ['POST rest HTTP/1.1'],
    [`POST ${ADD} x HTTP/1.1`],
    [`POST ${ADD} SPDY/3`],
    [`POST ${ADD} HTTP/1.1 x`],
    [`POST ${ADD} HTTP/1.`],
    [`BREW ${ADD} HTTP/1.1`],
    [`POST ${ADD}\u00e9 HTTP/1.1`],
    [`POST ${ADD}\0 HTTP/1.1`],
    [`POST /${JUNK} HTTP/1.1`, '', [414, 431]],
    [line, 'X: a\rb\r\n'],
    [line, 'X: a\0b\r\n'],
    [line, 'X: \u0001\r\n'],
    [line, 'X : a\r\n'],
    [line, ': a\r\n'],
    [line, 'X\r\n'],
    [line, 'X\u00e9: a\r\n'],
    [line, 'X(y): a\r\n'],
    [line, `X: ${JUNK}\r\n`, [431]],
    [line, 'Expect: the-worst\r\n', [417]],
  ];
  for (const [first, headers = '', statuses = [400]] of malformed)
    it(`is refused without any effect: ${JSON.stringify(first + headers).slice(0, 100)}`, async () => {
      const sandbox = await freshSandbox(server);
      const own = `X-Fake-Sandbox: ${sandbox}\r\nContent-Type: application/json\r\nContent-Length: ${JOIN.length}\r\n`;
      const bytes = `${first}\r\nHost: localhost\r\nConnection: close\r\n${own}${headers}\r\n${JOIN}`;
      const received = await sendRaw(server.url, Buffer.from(bytes, 'latin1'));
      expect(gotFrom(received).status).to.be.oneOf(statuses);
      expect(await entriesIn(server, sandbox)).to.deep.equal([]);
      await survives();
    });

  it('TLS on a plain port is refused with 400', async () => {
    expect(await sendRaw(server.url, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03')).to.match(/^HTTP\/1\.1 400 /);
  });

  it('a request without a version and a host is refused with 421', async () => {
    expect(await sendRaw(server.url, `POST ${ADD}\r\n\r\n`)).to.match(/^HTTP\/1\.1 421 /);
    expect(await entriesIn(server)).to.deep.equal([]);
  });
});

describe('broken connections', () => {
  const server = useServer();

  /** Sends bytes and breaks the connection, with FIN or with a reset. */
  async function breakOff(bytes: Buffer, how: 'end' | 'reset'): Promise<void> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {}); // whatever the server makes of it
    await once(socket, 'connect');
    await new Promise(resolve => socket.write(bytes, resolve));
    socket.resume();
    const closed = once(socket, 'close');
    if (how === 'end') socket.end();
    else socket.resetAndDestroy();
    await closed;
  }

  const body = Buffer.from(JSON.stringify({ group: 'customers', users: ['alice'], padding: 'x'.repeat(5000) }));
  const ways: Readonly<Record<string, Sent>> = {
    'with a length': { body },
    'in chunks': { body, framing: 'chunked' },
    'that is too large, in chunks': { body: Buffer.alloc(2_000_000, ' '), framing: 'chunked' },
  };
  for (const [what, sent] of Object.entries(ways)) {
    for (const how of ['end', 'reset'] as const) {
      it(`in the middle of a body ${what} (${how}): no effect, and the next request is answered`, async () => {
        const sandbox = await freshSandbox(server);
        const before = await worldOf(server, sandbox);
        const bytes = bytesOf(sent, sandbox, 'keep-alive');
        const start = bytes.indexOf('\r\n\r\n') + 4;
        for (const at of [start, start + 1, Math.floor((start + bytes.length) / 2), bytes.length - 1]) {
          await breakOff(bytes.subarray(0, at), how);
        }
        expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);
        expect(await worldOf(server, sandbox)).to.equal(before);
        let entries = await entriesIn(server, sandbox);
        while (how === 'end' && entries.length < 4) entries = await entriesIn(server, sandbox); // a reset may overtake the request itself
        for (const { refused } of entries) expect(refused).to.be.oneOf(['body-cut-short', 'body-too-large']);
      });
    }
  }

  it('in the middle of the head: no request is recorded', async () => {
    const sandbox = await freshSandbox(server);
    const bytes = bytesOf({ body }, sandbox, 'keep-alive');
    for (const at of [0, 1, 20, bytes.indexOf('\r\n\r\n') + 2])
      for (const how of ['end', 'reset'] as const) await breakOff(bytes.subarray(0, at), how);
    expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);
    expect(await entriesIn(server, sandbox)).to.deep.equal([]);
  });

  it('after a whole request, before its response: it takes effect once', async () => {
    const sandbox = await freshSandbox(server);
    await breakOff(bytesOf({}, sandbox, 'keep-alive'), 'end');
    let entries = await entriesIn(server, sandbox);
    while (entries.length === 0) entries = await entriesIn(server, sandbox);
    expect(entries.map(({ response }) => response.status)).to.deep.equal([200]);
  });
});

/** Whoever reads the end of the first request elsewhere answers this one. */
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CHUNKS = `0\r\n\r\n${HIDDEN}`;
const LENGTH = `Content-Length: ${CHUNKS.length}\r\n`;

const refused: Record<string, [headers: string, body: string]> = {
  'a length before chunks': [`${LENGTH}Transfer-Encoding: chunked\r\n`, CHUNKS],
  'a length after chunks': [`Transfer-Encoding: chunked\r\n${LENGTH}`, CHUNKS],
  'two lengths': [`Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`, HIDDEN],
  'two lengths in one header': [`Content-Length: 0, ${HIDDEN.length}\r\n`, HIDDEN],
  'a length with a sign': [`Content-Length: +${HIDDEN.length}\r\n`, HIDDEN],
  'a blank before the colon of a length': [`Content-Length : ${HIDDEN.length}\r\n`, HIDDEN],
  'a blank before the colon of a coding': [`Transfer-Encoding : chunked\r\n${LENGTH}`, CHUNKS],
  'an unknown coding': [`Transfer-Encoding: xchunked\r\n${LENGTH}`, CHUNKS],
  'a coding after chunked': [`Transfer-Encoding: chunked, identity\r\n${LENGTH}`, CHUNKS],
  'a folded coding': [`Transfer-Encoding:\r\n chunked\r\n${LENGTH}`, CHUNKS],
  'a carriage return within a header': [`X-A: b\rTransfer-Encoding: chunked\r\n${LENGTH}`, CHUNKS],
  'a negative length': [`Content-Length: -${HIDDEN.length}\r\n`, HIDDEN],
  'a hexadecimal length': [`Content-Length: 0x${HIDDEN.length.toString(16)}\r\n`, HIDDEN],
  'a length in two parts': ['Content-Length: 3 9\r\n', HIDDEN],
  'a length beyond all numbers': [`Content-Length: ${'9'.repeat(23)}\r\n`, HIDDEN],
  'an empty length': ['Content-Length: \r\n', HIDDEN],
  'a coding before chunked': ['Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n', CHUNKS],
  'chunked twice': ['Transfer-Encoding: chunked, chunked\r\n', CHUNKS],
  'a coding behind a vertical tab': ['Transfer-Encoding:\u000bchunked\r\n', CHUNKS],
  'a chunk size that is no number': ['Transfer-Encoding: chunked\r\n', `zz\r\n${CHUNKS}`],
  'a negative chunk size': ['Transfer-Encoding: chunked\r\n', `-1\r\n${CHUNKS}`],
  'a chunk size beyond all numbers': ['Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n${CHUNKS}`],
  'chunks with line feeds alone': ['Transfer-Encoding: chunked\r\n', `0\n\n${HIDDEN}`],
  'a chunk size with 0x': ['Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${HIDDEN}`],
  'a chunk longer than its size': ['Transfer-Encoding: chunked\r\n', `1\r\nab${CHUNKS}`],
};

describe('a request that ends in two places', () => {
  const server = useServer();

  for (const [what, [headers, body]] of Object.entries(refused))
    it(`is refused, and nothing behind it is answered: ${what}`, async () => {
      const connection = await RawConnection.to(server.url);
      connection.write(`POST /_fake/health HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}${HIDDEN}`);
      const received = await connection.untilClosed();
      expect(received.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 400']);
      expect(received).not.to.include('hidden');
    });
});
