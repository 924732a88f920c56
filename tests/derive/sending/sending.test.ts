// What HTTP cannot carry, and how the length of a body is declared.
import { expect } from 'chai';
import {
  headerNameError,
  headerValueError,
  lengthHeader,
  methodError,
  pathError,
  unsendables,
} from '../../../server/derive/sending/sending.js';

describe('what can be sent', () => {
  it('are the methods that servers know, except CONNECT', () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
    expect(methods.filter(method => methodError(method) !== undefined)).to.deep.equal([]);
    for (const method of ['CONNECT', 'get', 'FOO', '', 'GET ', 'constructor'])
      expect(methodError(method), method).to.be.a('string');
  });

  it('is a path of visible ASCII', () => {
    const all = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
    const taken = all.filter(char => pathError(`/a${char}`) === undefined).join('');
    expect(taken).to.equal(all.slice(0x21, 0x7f).join(''));
    expect(pathError('')).to.equal(undefined);
    expect(pathError('/\ud83d')).to.equal('A path cannot contain "\\ud83d": write %EF%BF%BD instead.');
  });

  it('is a header of ASCII on one line', () => {
    const all = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
    const taken = all.filter(char => headerValueError(`a${char}`) === undefined).join('');
    expect(taken).to.equal(`\t${all.slice(0x20, 0x7f).join('')}`);
    expect(all.filter(char => headerNameError(`a${char}`) === undefined).join('')).to.equal(
      "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~",
    );
    expect(headerNameError('')).to.equal('"" is not a valid header name.');
  });

  it('lists every violation with its place', () => {
    const headers = { Good: 'x', 'Bad Name': 'x', Bad: '\r\n', Expect: '100-continue' };
    const places = unsendables({ method: 'get', path: '/ ', headers }).map(({ at }) => at.join('/'));
    expect(places).to.deep.equal(['method', 'path', 'headers/Bad Name', 'headers/Bad', 'headers/Expect']);
    expect(unsendables({ method: 'GET', path: '/', headers: { Host: 'x' } })).to.deep.equal([]);
  });
});

it('the length of a body is the number of its bytes, and left out without one unless the method usually has one', () => {
  for (const [method, body, length] of [
    ['PUT', 'aü😀', '7'],
    ['GET', new Uint8Array(3), '3'],
    ['DELETE', '', '0'],
    ['GET', undefined, undefined],
    ['PATCH', undefined, undefined],
    ['POST', undefined, '0'],
    ['PUT', undefined, '0'],
  ] as const)
    expect(lengthHeader({ method, ...(body !== undefined && { body }) })['Content-Length']).to.equal(length);
});
