// Queries: reading their text, repeated, unknown and undecodable parameters, and the forms of booleans.
import { expect } from 'chai';
import { parseQuery } from '../../../../server/engine/request/request.js';
import { ask } from '../../../support/worlds/ask.js';
import { expectRefused } from '../../../support/worlds/judge.js';

describe('parseQuery', () => {
  const cases: [text: string, ...pairs: [string, string][]][] = [
    [''],
    ['a=1&b=2', ['a', '1'], ['b', '2']],
    ['a=1&a=2', ['a', '1'], ['a', '2']],
    ['a', ['a', '']],
    ['=1', ['', '1']],
    ['a=b=c', ['a', 'b=c']],
    ['&&a=1&', ['a', '1']],
    ['a=x+y%20z%2B%2F', ['a', 'x y z+/']],
    ['%61=%C3%A9%F0%9F%98%80', ['a', 'é😀']],
    ['__proto__=1&constructor=2', ['__proto__', '1'], ['constructor', '2']],
  ];
  it('decodes names and values, in their order', () => {
    for (const [text, ...pairs] of cases) expect(parseQuery(text), text).to.deep.equal({ pairs });
  });

  it('reports the first that does not decode, and keeps what does', () => {
    for (const text of ['a=%', 'a=%ZZ', '%C3=a', 'a=%ED%A0%80']) {
      const pairs = ['x', 'y'].map((name, i) => [name, String(i + 1)]);
      expect(parseQuery(`x=1&${text}&y=2&z=%`)).to.deep.equal({ pairs, undecodable: text });
    }
  });
});

describe('parameters of an operation', () => {
  const id = 'spaces.is-unique';

  it('ignore a name in another case, and name it in the refusal', () => {
    expectRefused(ask(id, { query: 'spacekey=free&spaceName=Free' }), {
      status: 400,
      code: 'missing-parameter',
      message: /The query has "spacekey": did you mean "spaceKey"\?$/,
    });
  });

  it('refuse a query that does not decode, although the operation reads no parameters', () => {
    expect(ask(id, { query: 'spaceKey=%ZZ&spaceName=Free' }).refused).to.equal('query-undecodable');
    const asked = ask('groups.add-users', { query: 'x=%', json: { group: 'customers', users: [] } });
    expect(asked.refused).to.equal('query-undecodable');
  });

  const copy = (keep: string) =>
    ask('spaces.copy', {
      query: `sourceSpaceKey=tmpl&targetSpaceKey=X&targetSpaceTitle=&targetSpaceAdmin=&removeAdminPermissions=false&keepPagesMetadata=${keep}`,
    });
  it('accept true in any case as a boolean, and refuse other texts', () => {
    for (const text of ['TRUE', 'tRuE']) expect(copy(text).rules).to.include('spaces.copy-keep-metadata');
    for (const text of ['', '1', 'yes', 'null', '%20true', 'truee'])
      expect(copy(text), text).to.deep.include({ status: 400, refused: 'query-shape', facts: [] });
  });
});
