// What HTTP cannot carry, and how the length of a body is told.
import { expect } from 'chai';
import {
  headerNameFlaw,
  headerValueFlaw,
  lengthHeader,
  methodFlaw,
  pathFlaw,
  unsendables,
} from '../../../server/derive/sending/sending.js';

describe('what can be sent', () => {
  it('are the methods that servers know, but not CONNECT', () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
    expect(methods.filter(method => methodFlaw(method) !== undefined)).to.deep.equal([]);
    for (const method of ['CONNECT', 'get', 'FOO', '', 'GET ', 'constructor'])
      expect(methodFlaw(method), method).to.be.a('string');
  });

  it('is a path of visible ASCII', () => {
    const all = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
    const taken = all.filter(char => pathFlaw(`/a${char}`) === undefined).join('');
    expect(taken).to.equal(all.slice(0x21, 0x7f).join(''));
    expect(pathFlaw('')).to.equal(undefined);
    expect(pathFlaw('/\ud83d')).to.equal('A path cannot hold "\\ud83d": write %EF%BF%BD for it.');
  });

  it('is a header of ASCII on one line', () => {
    const all = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));
    const taken = all.filter(char => headerValueFlaw(`a${char}`) === undefined).join('');
    expect(taken).to.equal(`\t${all.slice(0x20, 0x7f).join('')}`);
    expect(all.filter(char => headerNameFlaw(`a${char}`) === undefined).join('')).to.equal(
      "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~",
    );
    expect(headerNameFlaw('')).to.equal('"" is no name of a header.');
  });

  it('tells everything that cannot be, with its place', () => {
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
  it('is that of its bytes', () => {
    expect(lengthHeader({ method: 'PUT', body: 'aü😀' })).to.deep.equal({ 'Content-Length': '7' });
    expect(lengthHeader({ method: 'GET', body: new Uint8Array(3) })).to.deep.equal({ 'Content-Length': '3' });
    expect(lengthHeader({ method: 'DELETE', body: '' })).to.deep.equal({ 'Content-Length': '0' });
  });

  it('is none where there is no body, unless the method usually has one', () => {
    const said = (method: string) => lengthHeader({ method })['Content-Length'];
    expect(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map(said)).to.deep.equal([
      ...Array(5).fill(undefined),
      '0',
      '0',
    ]);
  });
});
