// Errors in matchers, in the forms of all versions, for which Pact's own program would give up a file.
import { expect } from 'chai';
import { matcherErrors } from '../../../../harness/verify/pacts/matchers.js';

const errorsIn = (rules: unknown) => matcherErrors(rules, '').map(({ pointer, message }) => `${pointer}: ${message}`);
const body = (matcher: unknown) => ({ body: { '$.a': { matchers: [matcher] } } });
const of = (matcher: unknown) => errorsIn(body(matcher));
const AT = '/body/$.a/matchers/0: the matcher of body $.a';

describe('the matchers of an interaction', () => {
  it('are valid in the forms of all versions', () => {
    const right: readonly unknown[] = [
      undefined,
      {},
      {
        '$.body.a': { match: 'type' },
        '$.body.b': { match: 'regex', regex: 'a+' },
        '$.body.c': { min: 1 },
        '$.header.X': { regex: '.' },
      },
      {
        status: { $: { matchers: [{ match: 'statusCode', status: 'success' }], combine: 'AND' } },
        method: { matchers: [{ match: 'equality' }] },
        path: { combine: 'AND', matchers: [{ match: 'type' }] },
      },
      {
        header: { X: { matchers: [{ match: 'include', value: 'a' }] } },
        query: { 'a[0]': { matchers: [] } },
        body: {},
      },
      body({ match: 'arrayContains', variants: [] }),
      body({ match: 'timestamp', format: 'yyyy' }),
    ];
    for (const rules of right) expect(errorsIn(rules), JSON.stringify(rules)).to.deep.equal([]);
    for (const match of ['integer', 'decimal', 'boolean', 'null', 'semver', 'eachKey', 'notEmpty', 'equality'])
      expect(of({ match }), match).to.deep.equal([]);
  });

  it('may have regexes that JavaScript writes differently', () => {
    for (const regex of ['(?i)abc', '(?P<name>a)', 'a++', '(?>a|b)', '\\A\\d+\\z', '(?i:a)b', '^\\w+\\[\\]$', ''])
      expect(of({ match: 'regex', regex }), regex).to.deep.equal([]);
  });

  it('are reported with what would be right', () => {
    expect(of({ match: 'tipe' })).to.deep.equal([
      `${AT} is the text "tipe", which is not a matcher of Pact (did you mean "type"?)`,
    ]);
    expect(of({ match: 'regex' })).to.deep.equal([`${AT} is "regex" and has no regex`]);
    expect(of({ match: 'regex', regex: 7 })).to.deep.equal([`${AT} has for its regex the number 7: expected a text`]);
    expect(of({ match: 'regex', regex: '[a' })).to.deep.equal([
      `${AT} has an invalid regex, "[a": unterminated character class`,
    ]);
    expect(of({ match: 'regex', regex: '*a' })).to.deep.equal([`${AT} has an invalid regex, "*a": nothing to repeat`]);
    expect(of({ match: 'include' })).to.deep.equal([`${AT} is "include" and has no value`]);
    expect(of({ a: 1 })).to.deep.equal([`${AT} has no kind: expected {"match": "type"} or another`]);
    expect(of('type')).to.deep.equal([`${AT} is the text "type": expected an object such as {"match": "type"}`]);
    expect(errorsIn({ body: { '$.a': { matchers: 'type' } } })).to.deep.equal([
      '/body/$.a: the matching rule of body $.a has for its matchers the text "type": expected {"matchers": [{"match": "type"}]}',
    ]);
    expect(errorsIn({ '$.body.a/b': { match: 'x' } })).to.deep.equal([
      '/$.body.a~1b: the matcher of $.body.a/b is the text "x", which is not a matcher of Pact',
    ]);
    expect(errorsIn([1])).to.deep.equal([': the matching rules are a list of 1: they take an object']);
  });
});
