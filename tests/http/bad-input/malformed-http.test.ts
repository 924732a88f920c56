// Invalid HTTP: bad lines and lengths, headers without end, broken connections. The server survives and answers the next request.
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { entriesIn, send, sendRaw, useServer } from '../../support/wire/server.js';
import { malformedBy, shapes } from './malformed.js';
import { bytesOf, freshSandbox, gotFrom, pathOf, type Sent, worldOf } from './wire.js';

const ADD = pathOf('groups.add-users');
const JOIN = '{"group":"customers","users":["alice"]}';

describe('malformed HTTP', () => {
  const server = useServer();
  const survives = async () => expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);

  for (const shape of shapes) {
    it(`is refused without any effect: ${JSON.stringify(shape).slice(0, 100)}`, async () => {
      const sandbox = await freshSandbox(server);
      const before = await worldOf(server, sandbox);
      const headers = `Connection: close\r\n${shape.headers ?? ''}`;
      const { bytes, statuses } = malformedBy({ ...shape, headers }, sandbox);
      expect(gotFrom(await sendRaw(server.url, bytes)).status).to.be.oneOf(statuses);
      expect(await worldOf(server, sandbox)).to.equal(before);
      for (const { refused } of await entriesIn(server, sandbox)) expect(refused).to.equal('body-cut-short');
      await survives();
    });
  }

  it('TLS on a plain port is refused with 400', async () => {
    expect(await sendRaw(server.url, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03')).to.match(/^HTTP\/1\.1 400 /);
  });

  for (const version of ['', ' HTTP/1.0'])
    it(`a request without a host is refused with 421${version || ', if it has no version'}`, async () => {
      const got = await sendRaw(server.url, `POST ${ADD}${version}\r\n${version && 'Content-Length: 2\r\n'}\r\n`);
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
            'Transfer-Encoding: "gzip, Chunked" is not supported: only chunked is. To compress the body, use Content-Encoding.',
        },
      },
    );
  });

  it('a second request inside the body of the first is only a body', async () => {
    const sandbox = await freshSandbox(server);
    const smuggled = `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nX-Fake-Sandbox: ${sandbox}\r\nContent-Length: ${JOIN.length}\r\n\r\n${JOIN}`;
    const got = gotFrom(await sendRaw(server.url, bytesOf({ body: smuggled }, sandbox)));
    expect(got.status).to.equal(400);
    expect(got.message).to.match(/^The body is not JSON: Un/);
    expect(await entriesIn(server, sandbox)).to.have.length(1);
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
