// Reading a body from bytes: JSON with its text, or the reason why it is none.
import { expect } from 'chai';
import { bodyFrom } from '../../../server/engine/request/body-bytes.js';

describe('bodyFrom', () => {
  it('reads JSON, and keeps its text', () => {
    expect(bodyFrom(Buffer.from('{"a": [1]}'))).to.deep.equal({ kind: 'json', value: { a: [1] }, text: '{"a": [1]}' });
    expect(bodyFrom(Buffer.from('null'))).to.deep.equal({ kind: 'json', value: null, text: 'null' });
  });

  it('drops a byte order mark', () => {
    expect(bodyFrom(Buffer.from('\ufeff[]'))).to.deep.equal({ kind: 'json', value: [], text: '[]' });
    expect(bodyFrom(Buffer.from('\ufeff'))).to.deep.equal({ kind: 'empty' });
  });

  it('distinguishes an empty body, one that is not JSON, and one that is not UTF-8', () => {
    expect(bodyFrom(Buffer.alloc(0))).to.deep.equal({ kind: 'empty' });
    expect(bodyFrom(Buffer.from('{')))
      .to.deep.include({ kind: 'not-json', text: '{' })
      .and.to.have.property('problem');
    expect(bodyFrom(Buffer.from([0x22, 0xff, 0x22]))).to.deep.equal({ kind: 'not-utf8' });
  });
});
