// Invalid HTTP: bad lines and lengths, headers without end, broken connections. The server survives and answers the next request.
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { entriesIn, send, sendRaw, useServer } from '../../support/wire/server.js';
import { bytesOf, freshSandbox, gotFrom, pathOf, type Sent, worldOf } from './wire.js';

const ADD = pathOf('groups.add-users');
const head = (lines: string, line = `POST ${ADD} HTTP/1.1`) =>
  `${line}\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`;
const JOIN = '{"group":"customers","users":["alice"]}';

describe('malformed HTTP', () => {
  const server = useServer();
  const survives = async () => expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);

  const bad: ReadonlyArray<readonly [what: string, bytes: string, status: number]> = [
    ['no request at all', 'GARBAGE\r\n\r\n', 400],
    ['no version, and so no host', `POST ${ADD}\r\n\r\n`, 421],
    ['another protocol', `POST ${ADD} SPDY/3\r\n\r\n`, 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a blank in the path', head('', `POST ${ADD} x HTTP/1.1`), 400],
    ['a path that does not begin with a slash', head('', 'POST rest HTTP/1.1'), 400],
    ['bytes that are not ASCII in the path', head('', 'POST /caf\xe9 HTTP/1.1'), 400],
    ['no host', `POST ${ADD} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
    ['two lengths that agree', `${head('Content-Length: 2\r\nContent-Length: 2\r\n')}{}`, 400],
    ['a length that is not a number', `${head('Content-Length: two\r\n')}{}`, 400],
    ['a length below zero', `${head('Content-Length: -2\r\n')}{}`, 400],
    ['a length beyond all numbers', `${head('Content-Length: 99999999999999999999999\r\n')}{}`, 400],
    ['another transfer encoding', `${head('Transfer-Encoding: gzip\r\n')}{}`, 400],
    ['a transfer encoding before the chunks', `${head('Transfer-Encoding: gzip, chunked\r\n')}0\r\n\r\n`, 400],
    [
      'another transfer encoding in a header of its own',
      `${head('Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`,
      400,
    ],
    ['a header without a colon', head('Content-Type\r\n'), 400],
    ['a header name with a blank', head('Content Type: x\r\n'), 400],
    ['a header without a name', head(': x\r\n'), 400],
    ['a zero byte in a header', head('X: a\0b\r\n'), 400],
    ['a line end alone in a header', head('X: a\rb\r\n'), 400],
  ];
  for (const [what, bytes, status] of bad) {
    it(`${what}: ${status}, without any effect`, async () => {
      const sandbox = await freshSandbox(server);
      const before = await worldOf(server, sandbox);
      const named = bytes.replace('Host: localhost\r\n', `$&X-Fake-Sandbox: ${sandbox}\r\n`);
      const got = gotFrom(await sendRaw(server.url, Buffer.from(named, 'latin1')));
      expect(got.status).to.equal(status);
      expect(await worldOf(server, sandbox)).to.equal(before);
      for (const { refused } of await entriesIn(server, sandbox)) expect(refused).to.equal('body-cut-short');
      await survives();
    });
  }

  it('an HTTP/1.0 request without a host is refused with 421', async () => {
    const got = await sendRaw(server.url, `POST ${ADD} HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}`);
    expect(got).to.match(/^HTTP\/1\.1 421 /);
    expect(await entriesIn(server, 'default')).to.deep.equal([]);
  });

  it('an unsupported transfer encoding closes the connection, and the error names a supported one', async () => {
    const framed = `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    const got = gotFrom(await sendRaw(server.url, `${framed}GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`));
    expect({ status: got.status, connection: got.headers.get('connection'), body: JSON.parse(got.text) }).to.deep.equal(
      {
        status: 400,
        connection: 'close',
        body: {
          status: 400,
          title: 'Bad Request',
          detail:
            'Transfer-Encoding: "gzip, Chunked" is not supported, only chunked; compress the body with Content-Encoding instead.',
        },
      },
    );
  });

  it('a second request inside the body of the first is only a body', async () => {
    const sandbox = await freshSandbox(server);
    const smuggled = `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nX-Fake-Sandbox: ${sandbox}\r\nContent-Length: ${JOIN.length}\r\n\r\n${JOIN}`;
    const got = gotFrom(await sendRaw(server.url, bytesOf({ body: smuggled }, sandbox)));
    expect([got.status, got.message.slice(0, 24)]).to.deep.equal([400, 'The body is not JSON: Un']);
    expect(await entriesIn(server, sandbox)).to.have.length(1);
  });

  it('invalid chunks close the connection, and change nothing', async () => {
    const sandbox = await freshSandbox(server);
    const before = await worldOf(server, sandbox);
    for (const chunks of [
      'zz\r\n{}\r\n0\r\n\r\n',
      '-1\r\n',
      '2\r\n{}}}\r\n0\r\n\r\n',
      'fffffffffffffffff\r\n',
      '2 \r\n{}\r\n0\r\n\r\n\0',
    ]) {
      const framed =
        head(`X-Fake-Sandbox: ${sandbox}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`) + chunks;
      expect(await sendRaw(server.url, framed)).to.match(/^HTTP\/1\.1 400 /);
    }
    expect(await worldOf(server, sandbox)).to.equal(before);
    await survives();
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
    packed: { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } },
    'of another type': { body, headers: { 'content-type': 'text/plain' } },
    'that is too large': { body: Buffer.alloc(2_000_000, ' ') },
    'that is too large, in chunks': { body: Buffer.alloc(2_000_000, ' '), framing: 'chunked' },
    'that is waited for': { body, headers: { expect: '100-continue' } },
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
