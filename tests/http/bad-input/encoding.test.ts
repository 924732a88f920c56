// Compressed bodies: valid, damaged, not compressed at all, decompression bombs, and unsupported encodings.
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { entriesIn, sendRaw, useServer } from '../../support/wire/server.js';
import { withBody } from '../../support/worlds/valid.js';
import { ask, freshSandbox, pathOf, type Refusal, refuses, type Sent, worldOf } from './wire.js';

const LIMIT = 1_048_576;
const joining = '{"group":"customers","users":["alice"]}';
const tooLarge: Refusal = { status: 413, code: 'body-too-large', message: `The body is larger than ${LIMIT} bytes.` };
const notUtf8: Refusal = {
  status: 400,
  code: 'body-not-utf8',
  message: /UTF-8/,
};
const cut = (encoding: string, why: string): Refusal => ({
  status: 400,
  code: 'body-cut-short',
  message: `The body could not be read completely: the ${encoding} data is incomplete or invalid (${why}).`,
});
const packed = (encoding: string, body: Buffer, framing: Sent['framing'] = 'length'): Sent => ({
  framing,
  body,
  headers: { 'content-encoding': encoding },
});

const brotli = (body: string | Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

/** Bytes that compress to about half, so that the compressed body is below the limit and its content above. */
function hexadecimal(bytes: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length: bytes }, () => {
      state = (state * 48271) % 2147483647;
      return 97 + (state % 16);
    }),
  );
}

describe('compressed bodies', () => {
  const server = useServer();

  for (const framing of ['length', 'chunked'] as const) {
    const good: ReadonlyArray<readonly [string, Buffer]> = [
      ['gzip', gzipSync(joining)],
      ['GZip', gzipSync(joining)],
      ['x-gzip', gzipSync(joining)],
      ['deflate', deflateSync(joining)],
      ['br', brotli(joining)],
      ['identity', Buffer.from(joining)],
      ['Identity', Buffer.from(joining)],
      ['', Buffer.from(joining)],
      ['gzip', Buffer.concat([gzipSync(joining.slice(0, 9)), gzipSync(joining.slice(9))])],
      ['gzip', gzipSync(`\ufeff${joining}`)],
    ];
    for (const [encoding, body] of good) {
      it(`in ${JSON.stringify(encoding)} are read (${framing}, ${body.length} bytes)`, async () => {
        const sandbox = await freshSandbox(server);
        expect(await ask(server, sandbox, packed(encoding, body, framing))).to.include({ status: 200, text: '{}' });
        expect(JSON.parse(await worldOf(server, sandbox)))
          .to.have.nested.property('groups.customers')
          .that.deep.equals(['alice']);
        expect((await entriesIn(server, sandbox)).at(-1)?.request.body).to.equal(joining);
      });
    }

    const garbled = gzipSync(joining);
    garbled[garbled.length - 6] = (garbled[garbled.length - 6] ?? 0) ^ 0xff;
    for (const [encoding, body, why] of [
      ['gzip', Buffer.from(joining), 'incorrect header check'],
      ['deflate', Buffer.from(joining), 'incorrect header check'],
      ['deflate', deflateRawSync(joining), 'incorrect header check'],
      ['br', Buffer.from(joining), 'Decompression failed'],
      ['gzip', gzipSync(joining).subarray(0, -9), 'unexpected end of file'],
      ['deflate', deflateSync(joining).subarray(0, 9), 'unexpected end of file'],
      ['gzip', garbled, 'incorrect data check'],
    ] as const)
      it(`in ${encoding} that do not decompress are refused with the reason: ${why} (${framing}, ${body.length} bytes)`, () =>
        refuses(server, packed(encoding, body, framing), cut(encoding, why)));

    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotli],
    ] as const) {
      it(`in ${encoding} that contain no UTF-8, no JSON or nothing (${framing})`, async () => {
        await refuses(server, packed(encoding, pack(Buffer.from([0x7b, 0xff, 0x7d])), framing), notUtf8);
        await refuses(server, packed(encoding, pack(Buffer.from([0x22, 0xff, 0x22])), framing), notUtf8);
        const sent = (text: string) => packed(encoding, pack(text), framing);
        await refuses(server, sent('{"group":'), {
          status: 400,
          code: 'body-not-json',
          message: /end of JSON input\.$/,
        });
        await refuses(server, sent(''), { status: 400, code: 'body-absent', message: /^The body is missing/ });
        const unknown: Refusal = { status: 404, code: 'unknown-group', message: /"\ufffd"/ };
        await refuses(server, sent('{"group":"\ufffd","users":[]}'), unknown);
      });

      it(`in ${encoding} may contain 1 MiB, and not a byte more (${framing})`, async () => {
        await refuses(server, packed(encoding, pack(`"${'a'.repeat(LIMIT - 2)}"`), framing), {
          status: 400,
          code: 'body-shape',
          message: /^The body must be an object, not "a{57}\.\.\."\.$/,
        });
        await refuses(server, packed(encoding, pack(`"${'a'.repeat(LIMIT - 1)}"`), framing), tooLarge);
      });

      it(`in ${encoding} that exceed the limit are stopped (${framing})`, async () => {
        await refuses(server, packed(encoding, pack(Buffer.alloc(16 * LIMIT, ' ')), framing), tooLarge);
        await refuses(server, packed(encoding, pack(hexadecimal(1_800_000)), framing), tooLarge);
      });
    }

    it(`that are too large even when compressed (${framing})`, async () => {
      await refuses(server, packed('gzip', gzipSync(hexadecimal(4 * LIMIT)), framing), tooLarge);
    });

    for (const encoding of ['compress', 'zstd', 'gzip, gzip', 'gzip, deflate', 'utf-8', 'constructor', '__proto__']) {
      it(`in ${encoding} are not read (${framing})`, async () => {
        const message = `Unsupported Content-Encoding: ${encoding}: send the body uncompressed, or with gzip, deflate or br.`;
        const expected: Refusal = { status: 415, code: 'body-encoding', message };
        await refuses(server, packed(encoding, Buffer.from(joining), framing), expected);
      });
    }
  }

  for (const id of withBody) {
    it(`are refused by ${id} if they are damaged`, async () => {
      await refuses(server, { id, ...packed('gzip', Buffer.from('{}')) }, cut('gzip', 'incorrect header check'));
      await refuses(
        server,
        { id, ...packed('zstd', Buffer.from('{}')) },
        { status: 415, code: 'body-encoding', message: /^Unsupported Content-Encoding: zstd: / },
      );
      await refuses(server, { id, ...packed('gzip', gzipSync(Buffer.alloc(2 * LIMIT))) }, tooLarge);
    });
  }

  it('that are too large may also be damaged: that ends nothing', async () => {
    const damaged = gzipSync(Buffer.alloc(LIMIT + 99, ' '));
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 255, damaged.length - 1);
    const chunks = [damaged.subarray(0, -4), damaged.subarray(-4), Buffer.alloc(0)].map(bytes => [
      Buffer.from(`${bytes.length.toString(16)}\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]);
    const head = 'Host: localhost\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n';
    const bytes = Buffer.concat([
      Buffer.from(`POST ${pathOf('groups.add-users')} HTTP/1.1\r\n${head}`),
      ...chunks.flat(),
    ]);
    expect(await sendRaw(server.url, bytes)).to.match(/^HTTP\/1\.1 413 /);
    await refuses(server, packed('gzip', gzipSync(Buffer.alloc(LIMIT + 99, ' '))), tooLarge);
  });
});
