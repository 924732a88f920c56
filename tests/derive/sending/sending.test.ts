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
    expect(unsendables({ method: 'get', path: '/ ', headers }).map(({ at }) => at)).to.deep.equal([
      ['method'],
      ['path'],
      ['headers', 'Bad Name'],
      ['headers', 'Bad'],
      ['headers', 'Expect'],
    ]);
    expect(unsendables({ method: 'GET', path: '/', headers: { Host: 'x' } })).to.deep.equal([]);
  });
});

describe('the length of a body', () => {
  it('is the number of its bytes', () => {
    expect(lengthHeader({ method: 'PUT', body: 'aü😀' })).to.deep.equal({ 'Content-Length': '7' });
    expect(lengthHeader({ method: 'GET', body: new Uint8Array(3) })).to.deep.equal({ 'Content-Length': '3' });
    expect(lengthHeader({ method: 'DELETE', body: '' })).to.deep.equal({ 'Content-Length': '0' });
  });

  it('is left out without a body, unless the method usually has one', () => {
    const said = (method: string) => lengthHeader({ method })['Content-Length'];
    expect(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map(said)).to.deep.equal([
      ...Array(5).fill(undefined),
      '0',
      '0',
    ]);
  });
});
