// Queries: reading their text, repeated, unknown and undecodable parameters, and the forms of booleans.
import { expect } from 'chai';
import { parseQuery } from '../../../../server/engine/request/request.js';
import { ask } from '../../../support/worlds/ask.js';
import { expectDone, expectRefused } from '../../../support/worlds/judge.js';

describe('parseQuery', () => {
  const cases: [text: string, ...pairs: [string, string][]][] = [
    [''],
    ['a=1', ['a', '1']],
    ['a=1&b=2', ['a', '1'], ['b', '2']],
    ['a=1&a=2', ['a', '1'], ['a', '2']],
    ['a', ['a', '']],
    ['a=', ['a', '']],
    ['=1', ['', '1']],
    ['a=b=c', ['a', 'b=c']],
    ['&&a=1&', ['a', '1']],
    ['a=x+y%20z%2B%2F', ['a', 'x y z+/']],
    ['%61=%C3%A9%F0%9F%98%80', ['a', 'é😀']],
    ['__proto__=1&constructor=2', ['__proto__', '1'], ['constructor', '2']],
    ['a=%26%3D', ['a', '&=']],
    ['a?b=c?d', ['a?b', 'c?d']],
  ];
  for (const [text, ...pairs] of cases) {
    it(`${JSON.stringify(text)}`, () => {
      expect(parseQuery(text)).to.deep.equal({ pairs });
    });
  }

  for (const text of ['a=%', 'a=%4', 'a=%ZZ', 'a=%FF', '%C3=a', 'a=%ED%A0%80']) {
    it(`reports that ${text} does not decode, and keeps what does`, () => {
      expect(parseQuery(`x=1&${text}&y=2&z=%`)).to.deep.equal({
        pairs: [
          ['x', '1'],
          ['y', '2'],
        ],
        undecodable: text,
      });
    });
  }
});

describe('parameters of an operation', () => {
  const id = 'spaces.is-unique';

  it('keep blanks, slashes, percent and plus signs in their names', () => {
    const asked = ask(id, { query: 'spaceKey=ds&spaceName=Demonstration+Space' });
    expectDone(asked, [], false);
    expect(asked.gaps).not.to.have.property('is-unique-match');
  });

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
  for (const text of ['true', 'TRUE', 'True', 'tRuE']) {
    it(`accept the boolean ${text}`, () => {
      expect(copy(text).rules).to.include('spaces.copy-keep-metadata');
    });
  }
  for (const text of ['', '1', '0', 'yes', 'on', 'null', '%20true', 'truee']) {
    it(`refuse the boolean ${JSON.stringify(text)}`, () => {
      const asked = copy(text);
      expect(asked.status).to.equal(400);
      expect(asked.refused).to.equal('query-shape');
      expect(asked.facts).to.deep.equal([]);
    });
  }
});
