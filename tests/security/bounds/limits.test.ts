// Limits on the size of a request and the number of connections: each limit, its response, and no effect on other clients.
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Log } from '../../../server/engine/log.js';
import { limitedServer } from '../../../server/http/connections/connections.js';
import type { Running } from '../../../server/process/start.js';
import { built } from '../../support/processes/built.js';
import { endAll, launch } from '../../support/processes/command-line.js';
import { RawConnection, requestBytes } from '../../support/wire/raw-connection.js';
import { listening, send, sendJson, sendRaw, serving, useServer } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';
import { problemIn, seenIn } from '../asking.js';

const SET = '/rest/cwxapiextension/latest/groups/set-users';
const HEALTH = '/_fake/health';
const healthy = async ({ url }: Running) => expect((await send(url + HEALTH)).status).to.equal(200);

describe('size', () => {
  const server = useServer();
  const get = (lines: string, target: string = HEALTH) =>
    sendRaw(server.url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`);
  const headers = (count: number) => Array.from({ length: count }, (_, at) => `a${at}:\r\n`).join('');

  const size = 'The request line and headers are too large: together they can have at most 16 KiB.';
  const number = 'The request has too many headers: at most 200 are allowed.';
  const tooMuch: Record<string, [lines: string, target: string, ...details: string[]]> = {
    'a header': [`X: ${'a'.repeat(17_000)}\r\n`, HEALTH, size],
    'headers together': [`X: ${'a'.repeat(9000)}\r\nY: ${'a'.repeat(9000)}\r\n`, HEALTH, size],
    'a target': ['', `/${'a'.repeat(17_000)}`, size],
    'headers by number': [headers(199), HEALTH, number],
    'headers by a thousand': [headers(1500), HEALTH, number, size], // newer versions of Node count more bytes for each
  };
  for (const [what, [lines, target, ...details]] of Object.entries(tooMuch))
    it(`refuses too much of ${what}: 431`, async () => {
      const seen = seenIn(await get(lines, target));
      expect(seen.status).to.equal(431);
      expect(problemIn(seen).detail).to.be.oneOf(details);
      await healthy(server);
    });

  it('allows 200 headers and a target of 15 KiB', async () => {
    expect(seenIn(await get(headers(198))).status).to.equal(200);
    expect(seenIn(await get('', `${HEALTH}?${'a'.repeat(15_000)}`)).status).to.equal(200);
  });

  it('cannot hide a header behind a thousand others', async () => {
    const lines = `${headers(1100)}Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 0\r\n`;
    const reset = `POST /_fake/v1/sandboxes/default/reset HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`;
    expect(seenIn(await sendRaw(server.url, `${reset}${lines}\r\n`)).status).to.equal(431);
  });

  it('refuses too large a body with 413, and then ends, however long the client goes on sending', async () => {
    const small = await serving(undefined, { 'max-body': '1000' });
    const packed = Buffer.concat(Array(50).fill(gzipSync(''))).toString('latin1');
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const endless: ReadonlyArray<readonly [framing: string, piece: string]> = [
      ['Content-Length: 10000000', ' '.repeat(10_000)],
      ['Transfer-Encoding: chunked', chunk(' '.repeat(1000))],
      ['Transfer-Encoding: chunked\r\nContent-Encoding: gzip', chunk(packed)],
    ];
    for (const [framing, piece] of endless) {
      const connection = await RawConnection.to(small.url);
      connection.write(
        `POST ${SET} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`,
      );
      const timer = setInterval(() => connection.write(piece), 5);
      const { status, headers: answered } = seenIn(await connection.untilClosed());
      clearInterval(timer);
      expect({ status, connection: answered.connection }, framing).to.deep.equal({ status: 413, connection: 'close' });
    }
    await healthy(small);
    await small.stop();
  });

  it('allows pages of 1,048,576 characters, and patches of 5,000 records', async () => {
    const large = await serving('small-team', { 'max-body': '20000000' });
    const patch = async (pages: object) => {
      const { status, text } = await sendJson(`${large.url}/_fake/v1/sandboxes/default/world`, 'PATCH', { pages });
      return { status, text };
    };
    const page = (body: string) => ({ '70000': { space: 'ds', title: 'large', body } });
    const body = 'a'.repeat(1024 * 1024);
    expect((await patch(page(body))).status).to.equal(204);
    const longer = await patch(page(`${body}a`));
    expect(longer.status).to.equal(422);
    expect(longer.text).to.include('/pages/70000/body must have at most 1048576 characters');
    const more = await patch(Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [80_000 + i, {}])));
    expect(more.status).to.equal(422);
    expect(more.text).to.include('/pages has 5001 records, but this fake accepts at most 5000.');
    await large.stop();
  });
});

describe('connections', () => {
  after(endAll);

  it('are refused beyond a number, and reported once in the log; the existing ones go on', async () => {
    const warned: string[] = [];
    const log: Log = { info: () => {}, error: () => {}, warn: message => void warned.push(message) };
    const limits = { requestTimeout: 60, headersTimeout: 20, maxConnections: 2 };
    const { server } = limitedServer(limits, (_, response) => response.end('hello'), log);
    const url = await listening(server);
    const kept = await Promise.all([RawConnection.to(url), RawConnection.to(url)]);
    for (let i = 0; i < 5; i += 1) expect(await sendRaw(url, '').catch(() => '')).to.equal('');
    for (const connection of kept) {
      connection.write(requestBytes('GET', '/'));
      expect(await connection.until(received => received.endsWith('hello'))).to.match(/^HTTP\/1\.1 200 /);
    }
    expect(warned).to.deep.equal([
      'all 2 connections are in use, so further ones are closed without a response (--max-connections)',
    ]);
    kept[0]?.close();
    await until(async () => (await sendRaw(url, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n').catch(() => '')) !== '');
    kept[1]?.close();
    server.close();
    await once(server, 'close');
  });

  it('beyond the descriptors of the process are closed, and the server goes on', async () => {
    await built();
    const { url, says, signal } = await launch([], { shell: 'ulimit -n 256' });
    const { hostname, port } = new URL(url);
    const idle = Array.from({ length: 400 }, () =>
      connect(Number(port), hostname)
        .on('error', () => {})
        .resume(),
    );
    await says(/all 156 connections are in use/);
    await until(() => idle.filter(socket => socket.closed).length >= 400 - 156);
    for (const socket of idle.slice(0, 200)) socket.destroy();
    await until(async () => (await fetch(url + HEALTH).catch(() => undefined))?.status === 200);
    for (const socket of idle) socket.destroy();
    expect((await signal('SIGTERM')).code).to.equal(0);
  });
});
