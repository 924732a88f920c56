// Requests whose end can be read in two ways (request smuggling): each is refused, or read in one way only.
import { expect } from 'chai';
import { RawConnection } from '../support/wire/raw-connection.js';
import { useServer } from '../support/wire/server.js';

/** Whoever reads the end of the first request elsewhere answers this one. */
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CHUNKS = `0\r\n\r\n${HIDDEN}`;
const LENGTH = `Content-Length: ${CHUNKS.length}\r\n`;

const refused: Record<string, [headers: string, body: string]> = {
  'a length before chunks': [`${LENGTH}Transfer-Encoding: chunked\r\n`, CHUNKS],
  'a length after chunks': [`Transfer-Encoding: chunked\r\n${LENGTH}`, CHUNKS],
  'two lengths': [`Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`, HIDDEN],
  'two lengths in one header': [`Content-Length: 0, ${HIDDEN.length}\r\n`, HIDDEN],
  'a length with a sign': [`Content-Length: +${HIDDEN.length}\r\n`, HIDDEN],
  'a blank before the colon of a length': [`Content-Length : ${HIDDEN.length}\r\n`, HIDDEN],
  'a blank before the colon of a coding': [`Transfer-Encoding : chunked\r\n${LENGTH}`, CHUNKS],
  'an unknown coding': [`Transfer-Encoding: xchunked\r\n${LENGTH}`, CHUNKS],
  'a coding after chunked': [`Transfer-Encoding: chunked, identity\r\n${LENGTH}`, CHUNKS],
  'a folded coding': [`Transfer-Encoding:\r\n chunked\r\n${LENGTH}`, CHUNKS],
  'a carriage return within a header': [`X-A: b\rTransfer-Encoding: chunked\r\n${LENGTH}`, CHUNKS],
  'a negative length': [`Content-Length: -${HIDDEN.length}\r\n`, HIDDEN],
  'a hexadecimal length': [`Content-Length: 0x${HIDDEN.length.toString(16)}\r\n`, HIDDEN],
  'a length in two parts': ['Content-Length: 3 9\r\n', HIDDEN],
  'a length beyond all numbers': [`Content-Length: ${'9'.repeat(23)}\r\n`, HIDDEN],
  'an empty length': ['Content-Length: \r\n', HIDDEN],
  'a coding before chunked': ['Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n', CHUNKS],
  'chunked twice': ['Transfer-Encoding: chunked, chunked\r\n', CHUNKS],
  'a coding behind a vertical tab': ['Transfer-Encoding:\u000bchunked\r\n', CHUNKS],
  'a chunk size that is no number': ['Transfer-Encoding: chunked\r\n', `zz\r\n${CHUNKS}`],
  'a negative chunk size': ['Transfer-Encoding: chunked\r\n', `-1\r\n${CHUNKS}`],
  'a chunk size beyond all numbers': ['Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n${CHUNKS}`],
  'chunks with line feeds alone': ['Transfer-Encoding: chunked\r\n', `0\n\n${HIDDEN}`],
  'a chunk size with 0x': ['Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${HIDDEN}`],
  'a chunk longer than its size': ['Transfer-Encoding: chunked\r\n', `1\r\nab${CHUNKS}`],
};

describe('a request that ends in two places', () => {
  const server = useServer();

  for (const [what, [headers, body]] of Object.entries(refused))
    it(`is refused, and nothing behind it is answered: ${what}`, async () => {
      const connection = await RawConnection.to(server.url);
      connection.write(`POST /_fake/health HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}${HIDDEN}`);
      const received = await connection.untilClosed();
      expect(received.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 400']);
      expect(received).not.to.include('hidden');
    });
});
