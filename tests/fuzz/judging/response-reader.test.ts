// The strict response reader: what it accepts and rejects.
import { expect } from 'chai';
import { type ApiResponse, IllFormed, ResponseReader } from './response-reader.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;

/** Everything read from these bytes, all at once or one at a time, and then the end of the connection. */
function read(text: string, isHead = false, size = text.length): ApiResponse[] {
  const reader = new ResponseReader(() => isHead);
  const bytes = Buffer.from(text, 'latin1');
  const responses: ApiResponse[] = [];
  for (let at = 0; at < bytes.length; at += size) responses.push(...reader.take(bytes.subarray(at, at + size)));
  return [...responses, ...reader.end()];
}

describe('the response reader', () => {
  const right: ReadonlyArray<readonly [what: string, text: string, bodies: readonly string[], isHead?: boolean]> = [
    ['a length', `${OK}Content-Length: 2\r\nX: a\r\n\r\n{}`, ['{}']],
    ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nA\r\n0123456789\r\n0\r\n\r\n`, ['{}0123456789']],
    ['several, one after the other', `${EMPTY}HTTP/1.1 204 No Content\r\n\r\n${EMPTY}`, ['', '', '']],
    ['an interim answer', `HTTP/1.1 100 Continue\r\n\r\n${EMPTY}`, ['']],
    ['one to HEAD', `${OK}Content-Length: 2\r\n\r\n`, [''], true],
    ['a body until the end', `${OK}Connection: close\r\n\r\nabc`, ['abc']],
  ];
  for (const [what, text, bodies, isHead = false] of right) {
    it(`accepts ${what}, whole or byte by byte`, () => {
      for (const size of [text.length, 1]) {
        expect(read(text, isHead, size).map(({ body }) => body.toString())).to.deep.equal(bodies);
      }
    });
  }

  const wrong: ReadonlyArray<readonly [text: string, said: string]> = [
    ['HTTP/1.1 200\r\n\r\n', 'a status line that is none'],
    ['HTTP/1.0 200 OK\r\n\r\n', 'a status line that is none'],
    [`${OK}X : a\r\n\r\n`, 'a header that is none'],
    [`${OK}X: a\nY: b\r\n\r\n`, 'a header that is none'],
    [`${OK}X: a\r\n b\r\n\r\n`, 'a header that is none'],
    [`${OK}X: a\r\nx: b\r\n\r\n`, 'twice'],
    [`${OK}Content-Length: +2\r\n\r\n{}`, 'a length that is none'],
    [`${OK}Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n`, 'two framings'],
    [`${OK}\r\n{}`, 'without a length'],
    [`HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n`, 'that 204 has not'],
    [`${OK}Content-Length: 3\r\n\r\n{}`, 'ended within a response'],
    [`${OK}Content-Length: 1\r\n\r\n{}`, 'ended within a response'],
    [`${OK}Transfer-Encoding: chunked\r\n\r\nx\r\n`, 'a chunk that is none'],
    [`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`, 'longer than it says'],
    [`${OK}Connection: close\r\nContent-Length: 0\r\n\r\n${EMPTY}`, 'said that it is the last'],
    [`${OK}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{`, 'it is none'],
  ];
  for (const [text, said] of wrong) {
    it(`rejects ${JSON.stringify(text.slice(0, 90))}`, () => {
      expect(() => read(text)).to.throw(IllFormed, said);
    });
  }
});
