// Both body readers give the same result and keep no more than the limit. Each case is sent with a length, in chunks,
// and with another content type, which koa-bodyparser reads.
import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import Koa from 'koa';
import { Admission } from '../../../server/engine/admission.js';
import type { Body } from '../../../server/engine/request/request.js';
import { BodyReader, isUnread } from '../../../server/http/body/body.js';
import type { Arrival } from '../../../server/http/exchange/exchange.js';
import { RawConnection } from '../../support/wire/raw-connection.js';
import { listening, sendRaw } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';
import { inChunks } from '../bad-input/wire.js';

const LIMIT = 4096;
const proto = '{"__proto__":{"admin":true},"a":1}';

interface Case {
  readonly what: string;
  readonly body: string | Buffer;
  readonly kind: Body['kind'];
  readonly type?: string;
  readonly encoding?: string;
}
const cases: readonly Case[] = [
  { what: 'an object', body: '{"a":[1,"ü",null]}', kind: 'json' },
  { what: 'a list', body: '[1,2]', kind: 'json' },
  { what: 'a charset', body: '{"a":"ü"}', kind: 'json', type: 'application/json; charset=utf-8' },
  { what: 'another charset', body: '{"a":"ü"}', kind: 'json', type: 'application/json; charset=iso-8859-1' },
  { what: 'no JSON', body: '{"a":', kind: 'not-json' },
  { what: 'no JSON, with text to show', body: '{"a":ü}', kind: 'not-json' },
  { what: 'a number', body: '5', kind: 'json' },
  { what: 'a text', body: '"x"', kind: 'json' },
  { what: 'true', body: 'true', kind: 'json' },
  { what: 'false', body: 'false', kind: 'json' },
  { what: 'zero', body: '0', kind: 'json' },
  { what: 'an empty text', body: '""', kind: 'json' },
  { what: 'null', body: 'null', kind: 'json' },
  { what: 'an empty body', body: '', kind: 'absent' },
  { what: 'blanks', body: ' \n', kind: 'not-json' },
  { what: 'gzip', body: gzipSync('{"a":1}'), kind: 'json', encoding: 'gzip' },
  { what: 'gzip that is none', body: '{"a":1}', kind: 'cut-short', encoding: 'gzip' },
  { what: 'an encoding that is not read', body: '{"a":1}', kind: 'encoding', encoding: 'zstd' },
  { what: 'a mark at the head', body: '\ufeff{"a":1}', kind: 'json' },
  { what: 'a mark alone', body: '\ufeff', kind: 'absent' },
  { what: 'two marks', body: '\ufeff\ufeff{}', kind: 'not-json' },
  { what: 'a mark before a body that is not JSON', body: '\ufeff{', kind: 'not-json' },
  { what: 'a __proto__ key', body: proto, kind: 'json' },
  { what: 'a __proto__ value', body: '{"a":"__proto__"}', kind: 'json' },
  { what: 'an escaped __proto__ key', body: proto.replace('__p', '\\u005f_p'), kind: 'json' },
  { what: 'a constructor key', body: '{"constructor":{"prototype":{"admin":true}}}', kind: 'json' },
  { what: 'bad UTF-8 in a text', body: Buffer.from([0x22, 0xff, 0x22]), kind: 'not-utf8' },
  { what: 'bad UTF-8 outside of texts', body: Buffer.from([0x7b, 0xff, 0x7d]), kind: 'not-utf8' },
  { what: 'bad UTF-8 that begins like zlib', body: Buffer.from([0x78, 0xff]), kind: 'not-utf8' },
  { what: 'the replacement character itself', body: '"\ufffd"', kind: 'json' },
  { what: 'half a pair of surrogates', body: '"\\ud800"', kind: 'json' },
  { what: 'a type of a vendor', body: '{"a":1}', kind: 'json', type: 'application/vnd.api+json' },
  { what: 'text', body: '{"a":1}', kind: 'json', type: 'text/plain' },
  { what: 'a form', body: 'a=b', kind: 'not-json', type: 'application/x-www-form-urlencoded' },
  { what: 'a key twice', body: '{"a":1,"a":2}', kind: 'json' },
  { what: 'numbers beyond what is exact', body: '[9007199254740993,1e400,-0]', kind: 'json' },
  { what: 'some depth', body: `${'['.repeat(200)}${']'.repeat(200)}`, kind: 'json' },
  { what: 'the greatest size', body: `"${'a'.repeat(LIMIT - 2)}"`, kind: 'json' },
  { what: 'one byte more', body: `"${'a'.repeat(LIMIT - 1)}"`, kind: 'too-large' },
  { what: 'much more', body: Buffer.alloc(20 * LIMIT, ' '), kind: 'too-large' },
];

/** Bytes that a body in progress takes besides its own. */
const READING = 40 * 1024;

describe('the readers of bodies', () => {
  const admission = new Admission();
  let server: Server;
  let url: string;
  let read: Body | undefined;
  before(async () => {
    const app = new Koa();
    const reader = new BodyReader(LIMIT, admission);
    app.silent = true; // a client that closes in the middle of a body breaks the connection
    app.use(async ctx => {
      const arrival = await new Promise<Arrival>(resolve => reader.read(ctx, resolve));
      if (isUnread(arrival)) ctx.set('Connection', 'close');
      read = reader.parse(arrival);
      ctx.status = 204;
    });
    server = createServer(app.callback());
    url = await listening(server);
  });
  after(done => {
    server.close(done);
  });

  async function readAs(headers: string, bytes: Buffer, method = 'POST'): Promise<Body | undefined> {
    read = undefined;
    const head = `${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
    expect(await sendRaw(url, Buffer.concat([Buffer.from(head), bytes]))).to.match(/^HTTP\/1\.1 204 /);
    return read;
  }

  for (const { what, body, kind, type = 'application/json', encoding } of cases) {
    it(`give the same result for ${what}`, async () => {
      const bytes = Buffer.from(body as string);
      const headers = `Content-Type: ${type}\r\n${encoding === undefined ? '' : `Content-Encoding: ${encoding}\r\n`}`;
      const withLength = await readAs(`${headers}Content-Length: ${bytes.length}\r\n`, bytes);
      const chunked = await readAs(`${headers}Transfer-Encoding: chunked\r\n`, inChunks(bytes));
      expect(withLength?.kind).to.equal(kind);
      expect(chunked).to.deep.equal(withLength);
      expect(admission.bodies).to.equal(0);
      if (encoding !== undefined) return;
      const asText = await readAs(`Content-Type: text/plain\r\nContent-Length: ${bytes.length}\r\n`, bytes);
      expect(asText).to.deep.equal(withLength);
    });
  }

  it('give the same result for every method', async () => {
    for (const method of ['PUT', 'DELETE', 'GET', 'PATCH']) {
      const length = 'Content-Type: application/json\r\nContent-Length: 7\r\n';
      const chunks = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
      const expected = { kind: 'json', value: { a: 1 }, text: '{"a":1}' };
      expect(await readAs(length, Buffer.from('{"a":1}'), method)).to.deep.equal(expected);
      expect(await readAs(chunks, inChunks(Buffer.from('{"a":1}')), method)).to.deep.equal(expected);
    }
  });

  it('treat __proto__ as an ordinary key, not as a prototype', async () => {
    for (const headers of [`Content-Length: ${proto.length}\r\n`, 'Transfer-Encoding: chunked\r\n']) {
      const bytes = Buffer.from(proto);
      const body = await readAs(
        `Content-Type: application/json\r\n${headers}`,
        headers.startsWith('C') ? bytes : inChunks(bytes),
      );
      const value = body?.kind === 'json' ? (body.value as object) : {};
      expect(Object.keys(value)).to.deep.equal(['__proto__', 'a']);
      expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
      expect(value).not.to.have.property('admin');
    }
  });

  it('take a body of length 0 for a missing one', async () => {
    expect(await readAs('', Buffer.alloc(0))).to.deep.equal({ kind: 'absent' });
    expect(await readAs('Content-Type: application/json\r\n', Buffer.alloc(0))).to.deep.equal({ kind: 'absent' });
    expect(await readAs('Content-Length: 0\r\n', Buffer.alloc(0))).to.deep.equal({ kind: 'absent' });
    expect(await readAs('Content-Encoding: gzip\r\nContent-Length: 0\r\n', Buffer.alloc(0))).to.deep.equal({
      kind: 'absent',
    });
  });

  const PACKED = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunkOf = (bytes: Buffer) => `${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`;
  const nothing = gzipSync('');
  const sevenTimes = Buffer.concat(Array(7).fill(nothing));

  it('count the received bytes, and free them with the connection', async () => {
    const connection = await RawConnection.to(url);
    connection.write(PACKED + chunkOf(sevenTimes));
    await until(() => admission.bodies === sevenTimes.length + READING);
    connection.close();
    await until(() => admission.bodies === 0);
    expect(read).to.deep.equal({ kind: 'cut-short', problem: 'aborted' });
  });

  it('keep nothing of a compressed body beyond the limit, even if its content is empty', async () => {
    const connection = await RawConnection.to(url);
    const count = Math.ceil(LIMIT / nothing.length) + 1;
    connection.write(PACKED + chunkOf(Buffer.concat(Array(count - 2).fill(nothing))));
    await until(() => admission.bodies === (count - 2) * nothing.length + READING);
    connection.write(chunkOf(nothing) + chunkOf(nothing));
    await until(() => admission.bodies === 0);
    for (let sent = 0; !connection.isClosed && sent < 40 * LIMIT; sent += LIMIT) {
      connection.write(chunkOf(Buffer.concat(Array(count).fill(nothing))));
      expect(admission.bodies).to.equal(0);
    }
    expect(await connection.untilClosed()).to.match(/^HTTP\/1\.1 204 [\s\S]*\r\nConnection: close\r\n/);
    expect(read).to.deep.equal({ kind: 'too-large', limit: LIMIT });
  });
});
