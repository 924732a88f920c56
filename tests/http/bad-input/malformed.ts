// Requests that every server must refuse before any effect, each with the valid statuses; the connection closes after them.

interface Malformed {
  readonly bytes: Buffer;
  readonly statuses: readonly number[];
}

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const JOIN = '{"group":"customers","users":["alice"]}';
const CHUNKED = `${JOIN.length.toString(16)}\r\n${JOIN}\r\n0\r\n\r\n`;

export interface Shape {
  readonly line?: string;
  /** Instead of the usual ones. */
  readonly host?: string;
  /** Headers with their line ends; without one for the length if `body` has another framing. */
  readonly headers?: string;
  readonly length?: false;
  readonly body?: string;
  readonly statuses?: readonly number[];
}

const JUNK = 'x'.repeat(20_000);

export const shapes: readonly [Shape, ...Shape[]] = [
  { line: 'GARBAGE' },
  { line: 'PRI * HTTP/2.0' },
  { line: 'POST rest HTTP/1.1' },
  { line: `POST ${ADD} x HTTP/1.1` },
  { line: `POST ${ADD} SPDY/3` },
  { line: `POST ${ADD} HTTP/1.1 x` },
  { line: `POST ${ADD} HTTP/1.` },
  { line: `post ${ADD} HTTP/1.1` },
  { line: `BREW ${ADD} HTTP/1.1` },
  { line: `POST ${ADD}\u00e9 HTTP/1.1` },
  { line: `POST ${ADD}\0 HTTP/1.1` },
  { line: `POST /${JUNK} HTTP/1.1`, statuses: [414, 431] },
  { host: '' },
  { host: 'Host: evil.example\r\n', statuses: [421] },
  { host: 'Host: localhost.evil.example\r\n', statuses: [421] },
  { host: 'Host: \r\n', statuses: [400, 421] },
  { host: 'Host: localhost\r\nHost: evil.example\r\n' },
  { host: 'Host: localhost\r\nHost: localhost\r\n' },
  { headers: 'X: a\rb\r\n' },
  { headers: 'X: a\0b\r\n' },
  { headers: 'X: \u0001\r\n' },
  { headers: 'X : a\r\n' },
  { headers: ': a\r\n' },
  { headers: 'X\r\n' },
  { headers: 'X\u00e9: a\r\n' },
  { headers: 'X(y): a\r\n' },
  { headers: `X: ${JUNK}\r\n`, statuses: [431] },
  { headers: Array.from({ length: 3_000 }, (_, i) => `X${i}: a\r\n`).join(''), statuses: [431] },
  { headers: `Content-Length: ${JOIN.length}\r\n` },
  { headers: 'Content-Length: 0\r\n' },
  { headers: 'Transfer-Encoding: chunked\r\n' },
  { length: false, headers: 'Content-Length: -1\r\n' },
  { length: false, headers: 'Content-Length: +39\r\n' },
  { length: false, headers: 'Content-Length: 0x27\r\n' },
  { length: false, headers: 'Content-Length: 39, 39\r\n' },
  { length: false, headers: 'Content-Length: 3 9\r\n' },
  { length: false, headers: 'Content-Length: 99999999999999999999999\r\n' },
  { length: false, headers: 'Content-Length: \r\n', statuses: [400] },
  { length: false, headers: 'Transfer-Encoding: gzip\r\n', statuses: [400, 501] },
  { length: false, headers: 'Transfer-Encoding: chunked, gzip\r\n', body: CHUNKED },
  { length: false, headers: 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n', body: CHUNKED },
  { length: false, headers: 'Transfer-Encoding: chunked, chunked\r\n', body: CHUNKED },
  { length: false, headers: 'Transfer-Encoding: xchunked\r\n', body: CHUNKED, statuses: [400, 501] },
  { length: false, headers: 'Transfer-Encoding:\u000bchunked\r\n', body: CHUNKED },
  { length: false, headers: 'Transfer-Encoding: chunked\r\n', body: `zz\r\n${JOIN}\r\n0\r\n\r\n` },
  { length: false, headers: 'Transfer-Encoding: chunked\r\n', body: `-27\r\n${JOIN}\r\n0\r\n\r\n` },
  { length: false, headers: 'Transfer-Encoding: chunked\r\n', body: `0x27\r\n${JOIN}\r\n0\r\n\r\n` },
  { length: false, headers: 'Transfer-Encoding: chunked\r\n', body: `26\r\n${JOIN}\r\n0\r\n\r\n` },
  { length: false, headers: 'Transfer-Encoding: chunked\r\n', body: 'fffffffffffffffff\r\n' },
  { length: false, headers: 'Transfer-Encoding: chunked\r\n', body: `27\n${JOIN}\n0\n\n` },
  { length: false, headers: 'Transfer-Encoding: chunked\r\n', body: `27 \r\n${JOIN}\r\n0\r\n\r\n\0` },
  { headers: 'Expect: the-worst\r\n', statuses: [417] },
];

/** For a sandbox in which it must have no effect. */
export function malformedBy(shape: Shape, sandbox: string): Malformed {
  const {
    line = `POST ${ADD} HTTP/1.1`,
    host = 'Host: localhost\r\n',
    headers = '',
    body = JOIN,
    statuses = [400],
  } = shape;
  const named = `X-Fake-Sandbox: ${sandbox}\r\nAuthorization: Bearer admin-token\r\nContent-Type: application/json\r\n`;
  const length = (shape.length ?? true) ? `Content-Length: ${body.length}\r\n` : '';
  return { bytes: Buffer.from(`${line}\r\n${host}${named}${length}${headers}\r\n${body}`, 'latin1'), statuses };
}
