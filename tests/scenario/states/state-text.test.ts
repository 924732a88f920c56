// Odd names of text parameters. Their conversion to the types of a state is tested over HTTP.
import { expect } from 'chai';
import { paramsFromText } from '../../../server/scenario/states/state-text.js';

describe('paramsFromText', () => {
  it('treats property names of objects as ordinary names, which no state has', () => {
    const read = paramsFromText('user exists', [
      ['__proto__', 'a'],
      ['constructor', '1'],
      ['constructor', '2'],
    ]);
    expect(JSON.stringify(read)).to.equal('{"params":{"__proto__":"a","constructor":["1","2"]}}');
  });
});
