// Writes a request as bytes in all equivalent ways: framing, codings, order and case of headers, versions, targets.
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { authorization } from '../../../server/derive/sending/call.js';
import type { Asked } from './asked.js';
import type { Dice } from './dice.js';

export interface Framed {
  readonly bytes: Buffer;
  /** Whether the request declares itself the last of its connection. */
  readonly isLast: boolean;
}

/** Written as most clients would. */
export function plainly(asked: Asked, sandbox: string, dice: Dice): Framed {
  const { headers, target } = partsOf(asked, sandbox, dice.in100(50));
  const { bytes } = asked;
  if (bytes !== undefined) headers.push(['Content-Length', String(bytes.length)]);
  return { bytes: Buffer.concat([head(asked.request.method, target, '1.1', headers), bytes ?? none]), isLast: false };
}

/** Written unusually, with the same meaning. */
export function oddly(asked: Asked, sandbox: string, dice: Dice): Framed {
  const { headers, target } = partsOf(asked, sandbox, dice.in100(50));
  const body = codedBody(asked, dice, headers);
  const version = dice.in100(8) && !body.isChunked ? '1.0' : '1.1';
  const isClosing = dice.in100(8);
  if (isClosing) headers.push(['Connection', dice.pick(['close', 'Close', 'x-a, close', 'close,x-a'])]);
  else if (dice.in100(10))
    headers.push(['Connection', dice.pick(['keep-alive', 'x-a', ', ,', 'X-Fake-Sandbox', 'TE, x'])]);
  const isLast = isClosing || version === '1.0'; // may be kept, but need not
  for (const noise of dice.shuffled(noises).slice(0, dice.under(4))) headers.push(noise(dice));
  const isWaiting = body.bytes.length > 0 && version === '1.1' && dice.in100(5);
  if (isWaiting) headers.push(['Expect', dice.pick(['100-continue', '100-Continue'])]);
  const written = dice
    .shuffled(headers)
    .map(([name, value]) => [cased(name, dice), padded(name, value, dice)] as const);
  const from =
    target.startsWith('/') && dice.in100(5)
      ? `http://${dice.pick(['localhost', '127.0.0.1', 'LOCALHOST:1'])}${target}`
      : target;
  const blank = dice.in100(4) ? '\r\n' : '';
  const top = head(asked.request.method, from, version, written);
  return { bytes: Buffer.concat([Buffer.from(blank), top, body.bytes]), isLast };
}

type Header = readonly [name: string, value: string];
const none = Buffer.alloc(0);

/** The headers with a meaning, and the target. `isInPath`: how the sandbox is named. */
function partsOf({ request, bytes }: Asked, sandbox: string, isInPath: boolean): { headers: Header[]; target: string } {
  const { credentials, contentType, readings, url } = request;
  const headers: Header[] = [['Host', 'localhost']];
  if (credentials.kind === 'basic' || credentials.kind === 'bearer')
    headers.push(['Authorization', authorization(credentials)]);
  if (credentials.kind === 'unreadable') headers.push(['Authorization', 'Digest username="admin"']);
  if (bytes !== undefined && contentType !== '') headers.push(['Content-Type', contentType]);
  if (readings !== undefined) headers.push(['X-Fake-Reading', readings]);
  if (!isInPath) headers.push(['X-Fake-Sandbox', sandbox]);
  return { headers, target: isInPath ? `/~${sandbox}${url}` : url };
}

function head(method: string, target: string, version: string, headers: readonly Header[]): Buffer {
  const lines = headers.map(
    ([name, value]) => `${name}:${value.startsWith(' ') || value.startsWith('\t') ? '' : ' '}${value}`,
  );
  return Buffer.from([`${method} ${target} HTTP/${version}`, ...lines, '', ''].join('\r\n'), 'latin1');
}

interface Coded {
  readonly bytes: Buffer;
  readonly isChunked: boolean;
}

/** The body in some coding and framing, and the headers for them. */
function codedBody({ bytes }: Asked, dice: Dice, headers: Header[]): Coded {
  if (bytes === undefined) return { bytes: none, isChunked: false };
  let coded = bytes;
  if (bytes.length > 0 && dice.in100(30)) {
    const name = dice.pick(['gzip', 'deflate', 'br', 'GZIP', 'x-gzip', 'identity'] as const);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    if (name === 'br') coded = brotliCompressSync(bytes, quality);
    else if (name === 'deflate') coded = deflateSync(bytes, { level: 1 });
    else if (name !== 'identity') coded = gzipSync(bytes, { level: 1 });
    headers.push(['Content-Encoding', name]);
  }
  if (dice.in100(45)) {
    headers.push(['Transfer-Encoding', dice.pick(['chunked', 'Chunked'])]);
    return { bytes: chunked(coded, dice), isChunked: true };
  }
  headers.push(['Content-Length', `${dice.in100(5) ? '00' : ''}${coded.length}`]);
  return { bytes: coded, isChunked: false };
}

/** In chunks of any size, with everything else the framing allows: extensions, zeros before the length, trailers. */
export function chunked(bytes: Buffer, dice: Dice): Buffer {
  const parts: Buffer[] = [];
  const least = Math.ceil(bytes.length / 200); // many chunks, but not endlessly many
  for (let at = 0; at < bytes.length; ) {
    const size = Math.min(bytes.length - at, Math.max(least, dice.pick([1, 2, 7, 64, 5_000, 70_000])));
    const extension = dice.in100(8) ? dice.pick([';a', ';a=b', ';a="b"', ';x;y=1']) : '';
    const length = size.toString(16);
    const shown = `${dice.in100(10) ? '000' : ''}${dice.in100(50) ? length.toUpperCase() : length}`;
    parts.push(Buffer.from(`${shown}${extension}\r\n`), bytes.subarray(at, at + size), Buffer.from('\r\n'));
    at += size;
  }
  const trailers = dice.in100(15)
    ? dice.pick(['X-Trailer: a\r\n', 'X-Fake-Sandbox: other\r\n', 'Authorization: x\r\n'])
    : '';
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailers}\r\n`)]);
}

const noises: ReadonlyArray<(dice: Dice) => Header> = [
  dice => ['X-Noise', dice.word(0, 40)],
  () => ['X-Noise', '\u00e9\u00ff\u0080'],
  dice => ['X-Long', dice.name(1).repeat(dice.between(1, 6_000))],
  () => ['Accept', '*/*;q=0.1, application/json'],
  () => ['Accept-Encoding', 'gzip, br'],
  () => ['Upgrade', 'h2c, websocket'],
  () => ['TE', 'trailers, deflate;q=0.5'],
  () => ['Cookie', '__proto__=1; a=b; a=c'],
  () => ['__proto__', 'x'],
  () => ['constructor', '1'],
  () => ['X-Forwarded-Host', 'evil.example'],
  () => ['X-HTTP-Method-Override', 'DELETE'],
  () => ['Range', 'bytes=0-1'],
  () => ['If-None-Match', '*'],
  () => ['Max-Forwards', '0'],
  () => ['Referer', 'http://evil.example/'],
  () => ['Content-Language', 'x'],
];

function cased(name: string, dice: Dice): string {
  return dice.weighed([
    [6, name],
    [1, name.toLowerCase()],
    [1, name.toUpperCase()],
  ] as const);
}

/** Node's parser accepts no blanks after the value of a framing header. */
function padded(name: string, value: string, dice: Dice): string {
  if (dice.in100(90)) return value;
  const after = /^(?:content-length|transfer-encoding)$/i.test(name) ? '' : dice.pick(['', ' ', '\t ']);
  return `${dice.pick([' ', '\t', '   ', ' \t'])}${value}${after}`;
}
