// Messages of bytes for one connection: requests that the model knows, written in every equivalent way, and the same with mutations. Sends nothing.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { actions } from '../../server/control/actions.js';
import { authorization } from '../../server/derive/sending/call.js';
import type { ModelRequest } from '../model/operations/given.js';
import { requests } from '../model/requests.js';

/** Stand for names of sandboxes, which are as long. In the second one nothing is known. */
export const [SANDBOX, WILD] = ['SANDBOX0', 'WILDBOX0'];
export const MAX_BODY = 65_536;

export interface Message {
  /** One character for each byte. */
  readonly bytes: string;
  /** The requests that it consists of; absent: nobody knows. */
  readonly asked?: readonly ModelRequest[];
  readonly cut: number;
}

type Header = readonly [name: string, value: string];
const noises: readonly Header[] = [
  ['X-Noise', '\u00e9\u00ff\u0080'],
  ['X-Long', 'x'.repeat(6_000)],
  ['Accept-Encoding', 'gzip, br'],
  ['Upgrade', 'h2c, websocket'],
  ['Connection', 'x-a, X-Fake-Sandbox'],
  ['Cookie', '__proto__=1; a=b; a=c'],
  ['__proto__', 'x'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '*'],
];

/** How a request is written: it means the same in each way. */
const styles = fc.record({
  isInPath: fc.boolean(),
  isAbsolute: fc.constantFrom(...Array<boolean>(19).fill(false), true),
  cased: fc.constantFrom(
    (name: string) => name,
    (name: string) => name.toLowerCase(),
    (name: string) => name.toUpperCase(),
  ),
  blank: fc.constantFrom(' ', ' ', '', '\t'),
  coding: fc.constantFrom('', '', '', '', 'identity', 'gzip', 'x-gzip', 'GZIP', 'deflate', 'br'),
  /** 0: a Content-Length. */
  chunk: fc.constantFrom(0, 0, 0, 1, 7, 5_000, 70_000),
  noise: fc.subarray([...noises], { maxLength: 3 }),
});
type Style = typeof styles extends fc.Arbitrary<infer T> ? T : never;

const odd = [
  ...'null 0 "" [] {} [{}] "__proto__" NaN {}{} /**/{} \ufeff{} \ufeff \0 <a/>'.split(' '),
  ...['{"__proto__":{"admin":true},"group":"customers","users":["alice"]}', '{"length":2,"0":"a"}', '\u00a0{}'],
  ...['{"group":"customers","users":["alice"],"users":["carol"]}', '{"users":["alice"],"filters":[10500.0,1e21,-0]}'],
  ...['{"users":["\\ud800"],"filters":[10500]}', '{"users":["alice"],"filters":[9007199254740993]}', '{"a":1'],
  ...['{"group":"cus\\u0074omers","users":["\\u0000","\ufffd"]}', '[{"oldText":"$&","newText":"$1"}]', 'a=b&c'],
  `${'['.repeat(1_500)}1${']'.repeat(1_500)}`,
  `{"group":"customers","users":[${'"alice",'.repeat(3_000)}"alice"]}`,
  `${' '.repeat(MAX_BODY - 50)}{"group":"customers","users":["alice"]}`.padEnd(MAX_BODY, '\n'),
].map(readAs);

function readAs(sent: string): ModelRequest['body'] {
  const text = sent.replace(/^\ufeff/, '');
  if (text === '') return { kind: 'absent' };
  try {
    return { kind: 'json', value: JSON.parse(text), text };
  } catch {
    return { kind: 'not-json', text, problem: '' };
  }
}

const bodies = fc.oneof(
  fc.constantFrom(...odd),
  fc.constant<ModelRequest['body']>({ kind: 'not-utf8' }),
  fc.constant<ModelRequest['body']>({ kind: 'too-large', limit: MAX_BODY }),
);
const known = fc
  .tuple(requests, fc.option(bodies, { freq: 8 }), styles)
  .map(([request, body, style]) => written(request, body ?? undefined, style));

function written(request: ModelRequest, other: ModelRequest['body'] | undefined, style: Style) {
  const hasBody = request.method !== 'GET' && request.method !== 'OPTIONS';
  const body = hasBody && other !== undefined ? other : request.body;
  const bytes = bytesOf(body);
  const contentType = bytes === undefined ? '' : request.contentType;
  return { request: { ...request, body, contentType }, bytes: framed({ ...request, contentType }, bytes, style) };
}

function bytesOf(body: ModelRequest['body']): Buffer | undefined {
  if (body.kind === 'absent') return undefined;
  if (body.kind === 'not-utf8') return Buffer.from([0x22, 0xff, 0x22]);
  return body.kind === 'too-large' ? Buffer.alloc(MAX_BODY + 99, ' ') : Buffer.from('text' in body ? body.text : '');
}

function framed(
  { method, url, credentials, contentType, readings }: ModelRequest,
  body: Buffer | undefined,
  style: Style,
) {
  const { isInPath, isAbsolute, cased, blank, coding, chunk, noise } = style;
  const headers: Header[] = [['Host', 'localhost'], ...noise];
  if (credentials.kind === 'basic' || credentials.kind === 'bearer')
    headers.push(['Authorization', authorization(credentials)]);
  if (credentials.kind === 'unreadable') headers.push(['Authorization', 'Digest username="admin"']);
  if (contentType !== '') headers.push(['Content-Type', contentType]);
  if (readings !== undefined) headers.push(['X-Fake-Reading', readings]);
  if (!isInPath) headers.push(['X-Fake-Sandbox', SANDBOX]);
  let sent = '';
  if (body !== undefined) {
    const coded = codedBody(body, coding);
    if (coding !== '') headers.push(['Content-Encoding', coding]);
    headers.push(chunk === 0 ? ['Content-Length', String(coded.length)] : ['Transfer-Encoding', 'chunked']);
    sent = chunk === 0 ? coded.toString('latin1') : chunked(coded, Math.max(chunk, coded.length / 200));
  }
  const target = `${isAbsolute ? 'http://localhost' : ''}${isInPath ? `/~${SANDBOX}` : ''}${url}`;
  const lines = headers.map(([name, value]) => `${cased(name)}:${blank}${value}`);
  return [`${method} ${target} HTTP/1.1`, ...lines, '', sent].join('\r\n');
}

function codedBody(body: Buffer, coding: string): Buffer {
  if (coding === 'br') return brotliCompressSync(body);
  if (coding === 'deflate') return deflateSync(body);
  return /gzip/i.test(coding) ? gzipSync(body) : body;
}

function chunked(body: Buffer, size: number): string {
  const step = Math.ceil(size);
  const chunks: string[] = [];
  for (let at = 0; at < body.length; at += step) {
    const part = body.subarray(at, at + step);
    chunks.push(`00${part.length.toString(16).toUpperCase()};a="b"\r\n${part.toString('latin1')}\r\n`);
  }
  return `${chunks.join('')}0\r\nX-Trailer: a\r\n\r\n`;
}

/** Bytes and texts that have broken parsers. */
const tokens = [
  ...'\0\r\n \t:,;%/?#"\\{]\u00ff\u00e90',
  ...['\r\n', '\r\n\r\n', '\n\n', '\r\n ', '0\r\n\r\n', ' HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ...'%00 %2f %zz // /../ -1 18446744073709551616 ffffffffffffffff HTTP/1.0 HTTP/2.0 __proto__ NaN 1e999'.split(' '),
  ...`Content-Length: 0|Content-Length: 5|Transfer-Encoding: chunked|Transfer-Encoding : chunked|Connection: close
    Transfer-Encoding: identity, chunked|Connection: upgrade\r\nUpgrade: websocket|Expect: 100-continue|Expect: other
    Content-Encoding: gzip|Content-Encoding: br|X-Fake-Sandbox: ..|Content-Type: application/json; charset=utf-7
    Host: evil.example|Origin: http://evil.example|X-Fake-Reading: unknown-user=skip|X-Request-Id: a\u00ffb`
    .split(/\n {4}|\|/)
    .map(field => `\r\n${field}`),
  `\r\nX: ${'x'.repeat(20_000)}`,
];

const targets =
  String.raw`* / // ? /? /_fake /_fake/ /_fake/v1/ /_fake/v2/sandboxes /_fake/health?x localhost:80 javascript:alert(1)
  ///rest/cwx-ppf/latest/push //evil.example/rest/cwx-ppf/latest/push /rest/cwx-ppf/latest/../latest/push
  /rest/cwx-ppf/latest/push/ /rest/cwx-ppf/latest/push;x=1 /rest/cwx-ppf/latest/push?#? /rest/cwx-ppf/latest/%70ush
  /rest/cwx-ppf/latest/push%00 /rest/cwx-ppf/latest/push% /rest\cwx-ppf\latest\push /%2e%2e/%2e%2e/etc/passwd
  /../../etc/passwd /~/rest/cwx-ppf/latest/push /~../rest/cwx-ppf/latest/push /~a/~b/rest/cwx-ppf/latest/push
  /~__proto__/rest/cwx-ppf/latest/push /rest/cwxapiextension/latest/permissions/edit/%E0%A4%A http://localhost http://
  http://[::1 http://localhost:99999999/rest/cwx-ppf/latest/push http://user:secret@localhost/rest/cwx-ppf/latest/push
  /_fake/v1/sandboxes/%2e%2e/world /_fake/v1/sandboxes/__proto__/world`.split(/\s+/);
const methods = ['', 'PO ST', '\u00ff', ...'CONNECT TRACE PROPFIND QUERY PURGE BREW post POSTX PRI OPTIONS'.split(' ')];

type Mutation = (bytes: string, at: number) => string;
const mutations: ReadonlyArray<fc.Arbitrary<Mutation>> = [
  fc.constantFrom(...tokens).map(token => (bytes, at) => bytes.slice(0, at) + token + bytes.slice(at)),
  fc.constantFrom(...tokens).map(token => (bytes, at) => bytes.slice(0, at) + token + bytes.slice(at + token.length)),
  fc.nat(7).map(bit => (bytes, at) => {
    const flipped = String.fromCharCode((bytes.charCodeAt(at) || 0) ^ (1 << bit));
    return bytes.slice(0, at) + flipped + bytes.slice(at + 1);
  }),
  fc.integer({ min: 1, max: 20 }).map(length => (bytes, at) => bytes.slice(0, at) + bytes.slice(at + length)),
  fc.integer({ min: 1, max: 200 }).map(length => (bytes, at) => bytes.slice(0, at + length) + bytes.slice(at)),
  fc.constant((bytes, at) => bytes.slice(0, at)),
  fc.constantFrom(...targets).map(target => bytes => bytes.replace(/ \S*/, () => ` ${target}`)),
  fc.constantFrom(...methods).map(method => bytes => bytes.replace(/^\S*/, () => method)),
];
const mutation = fc.oneof(...mutations);

/** Most mutations hit the head: one parser reads a body, many read the head. */
const mutated = (bytes: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      bytes,
      fc.array(fc.tuple(mutation, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1, maxLength: 3 }),
    )
    .map(([whole, changes]) =>
      changes.reduce((now, [change, at]) => change(now, Math.floor(at * Math.min(now.length, 600))), whole),
    );

const controlling = fc
  .tuple(fc.constantFrom(...actions.filter(({ id }) => !id.startsWith('events'))), fc.json(), fc.nat(5))
  .map(([{ method, path }, json, without]) => {
    const body = without === 0 ? '' : json;
    const head = [
      `${method} /_fake/v1${path.replace('{s}', WILD).replace(/\{\w+\}/, '1')} HTTP/1.1`,
      'Host: localhost',
    ];
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    return [...head, 'Content-Type: application/json', length, '', Buffer.from(body).toString('latin1')].join('\r\n');
  });

/** What follows a body that is too large, or a last request, is lost. */
const together = fc.array(known, { minLength: 1, maxLength: 4 }).map(all => {
  const last = all.findIndex(({ request: { body } }) => body.kind === 'too-large');
  const sent = last === -1 ? all : all.slice(0, last + 1);
  return { bytes: sent.map(({ bytes }) => bytes).join(''), asked: sent.map(({ request }) => request) };
});

export const messages: fc.Arbitrary<Message> = fc
  .tuple(
    fc.oneof<Array<fc.WeightedArbitrary<Omit<Message, 'cut'>>>>(
      { weight: 5, arbitrary: together },
      { weight: 4, arbitrary: mutated(known.map(({ bytes }) => bytes)).map(bytes => ({ bytes })) },
      { weight: 1, arbitrary: fc.oneof(controlling, mutated(controlling)).map(bytes => ({ bytes })) },
    ),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([message, at]) => {
    const cut = Math.floor(at * message.bytes.length);
    const shown = `cut at ${cut}: ${JSON.stringify(message.bytes).slice(0, 2_000)}`;
    return { ...message, cut, [fc.toStringMethod]: () => shown };
  });
