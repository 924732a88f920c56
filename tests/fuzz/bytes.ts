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

const noises = [
  ...['X-Noise: \u00e9\u00ff\u0080', `X-Long: ${'x'.repeat(6_000)}`, 'Cookie: __proto__=1; a=b; a=c', '__proto__: x'],
  ...['Accept-Encoding: gzip, br', 'Upgrade: h2c, websocket', 'Connection: x-a, X-Fake-Sandbox', 'Range: bytes=0-1'],
  ...['X-Forwarded-Host: evil.example', 'X-HTTP-Method-Override: DELETE', 'If-None-Match: *'],
];

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
/** How a request is written: it means the same in each way. */
const styles = fc.record({
  isInPath: fc.boolean(),
  isAbsolute: fc.constantFrom(...Array<boolean>(19).fill(false), true),
  cased: fc.constantFrom('toString', 'toLowerCase', 'toUpperCase'),
  blank: fc.constantFrom(' ', ' ', '', '\t'),
  coding: fc.constantFrom('', '', '', '', 'identity', 'gzip', 'x-gzip', 'GZIP', 'deflate', 'br'),
  /** 0: a Content-Length. */
  chunk: fc.constantFrom(0, 0, 0, 1, 7, 5_000, 70_000),
  noise: fc.subarray(noises, { maxLength: 3 }),
});
type Style = typeof styles extends fc.Arbitrary<infer T> ? T : never;

const odd = [
  ...'null 0 "" [] {} [{}] "__proto__" NaN {}{} /**/{} \0 <a/>'.split(' '),
  ...['', '{"__proto__":{"admin":true},"group":"customers","users":["alice"]}', '{"length":2,"0":"a"}', '\u00a0{}'],
  ...['{"group":"customers","users":["alice"],"users":["carol"]}', '{"users":["alice"],"filters":[10500.0,1e21,-0]}'],
  ...['{"users":["\\ud800"],"filters":[10500]}', '{"users":["alice"],"filters":[9007199254740993]}', '{"a":1'],
  ...['{"group":"cus\\u0074omers","users":["\\u0000","\ufffd"]}', '[{"oldText":"$&","newText":"$1"}]', 'a=b&c'],
  `${'['.repeat(1_500)}1${']'.repeat(1_500)}`,
  `{"group":"customers","users":[${'"alice",'.repeat(3_000)}"alice"]}`,
  `${' '.repeat(MAX_BODY - 50)}{"group":"customers","users":["alice"]}`.padEnd(MAX_BODY, '\n'),
].map(readAs);

function readAs(text: string): ModelRequest['body'] {
  if (text === '') return { kind: 'absent' };
  try {
    return { kind: 'json', value: JSON.parse(text), text };
  } catch {
    return { kind: 'not-json', text, problem: '' };
  }
}

const unread = fc.constantFrom<ModelRequest['body']>({ kind: 'not-utf8' }, { kind: 'too-large', limit: MAX_BODY });
const bodies = fc.oneof(fc.constantFrom(...odd), unread);
const known = fc.tuple(requests, fc.option(bodies, { freq: 8 }), styles).map(([asked, other, style]) => {
  const hasBody = asked.method !== 'GET' && asked.method !== 'OPTIONS';
  const body = hasBody && other !== null ? other : asked.body;
  const request = { ...asked, body, contentType: body.kind === 'absent' ? '' : asked.contentType };
  return { request, bytes: written(request, style) };
});

function bytesOf(body: ModelRequest['body']): Buffer {
  if (body.kind === 'not-utf8') return Buffer.from([0x22, 0xff, 0x22]);
  return body.kind === 'too-large' ? Buffer.alloc(MAX_BODY + 99, ' ') : Buffer.from('text' in body ? body.text : '');
}

function written({ method, url, credentials, contentType, readings, body }: ModelRequest, style: Style): string {
  const { isInPath, isAbsolute, cased, blank, coding, chunk, noise } = style;
  const fields = ['Host: localhost', ...noise];
  if (credentials.kind === 'basic' || credentials.kind === 'bearer')
    fields.push(`Authorization: ${authorization(credentials)}`);
  if (credentials.kind === 'unreadable') fields.push('Authorization: Digest username="admin"');
  if (contentType !== '') fields.push(`Content-Type: ${contentType}`);
  if (readings !== undefined) fields.push(`X-Fake-Reading: ${readings}`);
  if (!isInPath) fields.push(`X-Fake-Sandbox: ${SANDBOX}`);
  let sent = '';
  if (body.kind !== 'absent') {
    const coded = codedBody(bytesOf(body), coding).toString('latin1');
    if (coding !== '') fields.push(`Content-Encoding: ${coding}`);
    fields.push(chunk === 0 ? `Content-Length: ${coded.length}` : 'Transfer-Encoding: chunked');
    sent = chunk === 0 ? coded : chunked(coded, Math.max(chunk, coded.length / 200));
  }
  const target = `${isAbsolute ? 'http://localhost' : ''}${isInPath ? `/~${SANDBOX}` : ''}${url}`;
  const lines = fields.map(field => field.replace(/^([^:]+): /, (_, name: string) => `${name[cased]()}:${blank}`));
  return [`${method} ${target} HTTP/1.1`, ...lines, '', sent].join('\r\n');
}

function codedBody(body: Buffer, coding: string): Buffer {
  if (coding === 'br') return brotliCompressSync(body);
  if (coding === 'deflate') return deflateSync(body);
  return /gzip/i.test(coding) ? gzipSync(body) : body;
}

function chunked(bytes: string, size: number): string {
  const parts = bytes.match(new RegExp(`[^]{1,${Math.ceil(size)}}`, 'g')) ?? [];
  const chunks = parts.map(part => `00${part.length.toString(16).toUpperCase()};a="b"\r\n${part}\r\n`);
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

const edited = (all: string, at: number, length: number, text: string) =>
  all.slice(0, at) + text + all.slice(at + length);
const mutation = fc.oneof<Array<fc.Arbitrary<(bytes: string, at: number) => string>>>(
  fc.constantFrom(...tokens).map(token => (bytes, at) => edited(bytes, at, 0, token)),
  fc.constantFrom(...tokens).map(token => (bytes, at) => edited(bytes, at, token.length, token)),
  fc.constantFrom(1, 3, 20, Number.POSITIVE_INFINITY).map(length => (bytes, at) => edited(bytes, at, length, '')),
  fc.nat(200).map(length => (bytes, at) => edited(bytes, at, 0, bytes.slice(at, at + length))),
  fc.nat(7).map(bit => (bytes, at) => edited(bytes, at, 1, String.fromCharCode(bytes.charCodeAt(at) ^ (1 << bit)))),
  fc.constantFrom(...targets).map(target => bytes => bytes.replace(/ \S*/, () => ` ${target}`)),
  fc.constantFrom(...methods).map(method => bytes => bytes.replace(/^\S*/, () => method)),
);

/** Most mutations hit the head: one parser reads a body, many read the head. */
const mutated = (bytes: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(bytes, fc.array(fc.tuple(mutation, fraction), { minLength: 1, maxLength: 3 }))
    .map(([whole, changes]) =>
      changes.reduce((now, [change, at]) => change(now, Math.floor(at * Math.min(now.length, 600))), whole),
    );

const controlling = fc
  .tuple(fc.constantFrom(...actions.filter(({ id }) => !id.startsWith('events'))), fc.json(), styles)
  .map(([{ method, path }, text, style]) => {
    const url = `/_fake/v1${path.replace('{s}', WILD).replace(/\{\w+\}/, '1')}`;
    const body = readAs(method === 'GET' ? '' : text);
    const request: ModelRequest = { method, url, credentials: { kind: 'none' }, contentType: 'application/json', body };
    return written(request, { ...style, isInPath: false }).replaceAll(SANDBOX, WILD);
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
    fraction,
  )
  .map(([sent, at]) => {
    const cut = Math.floor(at * sent.bytes.length);
    return { ...sent, cut, [fc.toStringMethod]: () => `cut at ${cut}: ${JSON.stringify(sent.bytes).slice(0, 2_000)}` };
  });
