// Compressed bodies: valid, damaged, not compressed at all, decompression bombs, and unsupported encodings.
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { entriesIn, sendRaw, useServer } from '../../support/wire/server.js';
import { ask, freshSandbox, pathOf, type Refusal, refuses, type Sent, worldOf } from './wire.js';

const LIMIT = 1_048_576;
const joining = '{"group":"customers","users":["alice"]}';
const tooLarge: Refusal = { status: 413, code: 'body-too-large', message: `The body is larger than ${LIMIT} bytes.` };
const notUtf8: Refusal = { status: 400, code: 'body-not-utf8', message: /UTF-8/ };
const notJson: Refusal = { status: 400, code: 'body-not-json', message: /end of JSON input\.$/ };
const absent: Refusal = { status: 400, code: 'body-absent', message: /^The body is missing/ };
const isText: Refusal = { status: 400, code: 'body-shape', message: /must be an object, not "a{57}\.\.\."\.$/ };
const cut = (encoding: string, why: string): Refusal => ({
  status: 400,
  code: 'body-cut-short',
  message: `The body could not be read completely: the ${encoding} data is incomplete or invalid (${why}).`,
});
const unread = (encoding: string): Refusal => ({
  status: 415,
  code: 'body-encoding',
  message: `Unsupported Content-Encoding: ${encoding}: send the body uncompressed, or with gzip, deflate or br.`,
});
const packed = (encoding: string, body: Buffer): Sent => ({ body, headers: { 'content-encoding': encoding } });

const brotli = (body: string | Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
/** Bytes that compress to about half, so that the compressed body is below the limit and its content above. */
const hexadecimal = () =>
  Buffer.from(Array.from({ length: 900_000 }, (_, i) => (i * i * 48_271) % 251)).toString('hex');
const garbled = gzipSync(joining);
garbled[garbled.length - 6] = (garbled[garbled.length - 6] ?? 0) ^ 0xff;

describe('compressed bodies', () => {
  const server = useServer();

  const good: Readonly<Record<string, Sent>> = {
    'in gzip': packed('GZip', gzipSync(joining)),
    'in x-gzip': packed('x-gzip', gzipSync(joining)),
    'in deflate': packed('deflate', deflateSync(joining)),
    'in brotli': packed('br', brotli(joining)),
    'in brotli, in chunks': { ...packed('br', brotli(joining)), framing: 'chunked' },
    'in no coding': packed('Identity', Buffer.from(joining)),
    'in an empty coding': packed('', Buffer.from(joining)),
    'of two members': packed('gzip', Buffer.concat([gzipSync(joining.slice(0, 9)), gzipSync(joining.slice(9))])),
    'with a byte order mark': packed('gzip', gzipSync(`\ufeff${joining}`)),
  };
  for (const [what, sent] of Object.entries(good))
    it(`${what} are read`, async () => {
      const sandbox = await freshSandbox(server);
      expect(await ask(server, sandbox, sent)).to.include({ status: 200, text: '{}' });
      const { groups } = JSON.parse(await worldOf(server, sandbox)) as { groups: object };
      expect(groups).to.deep.include({ customers: ['alice'] });
      expect((await entriesIn(server, sandbox)).at(-1)?.request.body).to.equal(joining);
    });

  const bad: ReadonlyArray<readonly [what: string, sent: Sent, refusal: Refusal]> = [
    ['no gzip', packed('gzip', Buffer.from(joining)), cut('gzip', 'incorrect header check')],
    ['raw deflate', packed('deflate', deflateRawSync(joining)), cut('deflate', 'incorrect header check')],
    ['no brotli', packed('br', Buffer.from(joining)), cut('br', 'Decompression failed')],
    ['half of gzip', packed('gzip', gzipSync(joining).subarray(0, -9)), cut('gzip', 'unexpected end of file')],
    ['damaged gzip', packed('gzip', garbled), cut('gzip', 'incorrect data check')],
    ['no UTF-8', packed('gzip', gzipSync(Buffer.from([0x22, 0xff, 0x22]))), notUtf8],
    ['half of a JSON text', packed('br', brotli('{"group":')), notJson],
    ['nothing', packed('gzip', gzipSync('')), absent],
    ['1 MiB', packed('gzip', gzipSync(`"${'a'.repeat(LIMIT - 2)}"`)), isText],
    ['a byte more', packed('gzip', gzipSync(`"${'a'.repeat(LIMIT - 1)}"`)), tooLarge],
    ['16 MiB of blanks in gzip', packed('gzip', gzipSync(Buffer.alloc(16 * LIMIT, ' '))), tooLarge],
    ['16 MiB of blanks in deflate', packed('deflate', deflateSync(Buffer.alloc(16 * LIMIT, ' '))), tooLarge],
    ['16 MiB of blanks in brotli', packed('br', brotli(Buffer.alloc(16 * LIMIT, ' '))), tooLarge],
    ['twice its size', packed('gzip', gzipSync(hexadecimal())), tooLarge],
    ...['compress', 'zstd', 'gzip, gzip', 'utf-8', 'constructor', '__proto__'].map(
      coding => [`the coding ${coding}`, packed(coding, Buffer.from(joining)), unread(coding)] as const,
    ),
  ];
  for (const [what, sent, refusal] of bad)
    it(`with ${what} are refused (${refusal.status} ${refusal.code})`, () => refuses(server, sent, refusal));

  it('that are too large may also be damaged: that ends nothing', async () => {
    const damaged = gzipSync(Buffer.alloc(LIMIT + 99, ' '));
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 255, damaged.length - 1);
    const head = `POST ${pathOf('groups.add-users')} HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n`;
    const chunk = (bytes: Buffer) => `${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n`;
    const chunks = chunk(damaged.subarray(0, -4)) + chunk(damaged.subarray(-4)) + chunk(Buffer.alloc(0));
    const bytes = Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`, 'latin1');
    expect(await sendRaw(server.url, bytes)).to.match(/^HTTP\/1\.1 413 /);
    await refuses(server, packed('gzip', gzipSync(Buffer.alloc(LIMIT + 99, ' '))), tooLarge);
  });
});
