// The patterns of `$match`: which are valid, the errors for the others, and that none takes long.
import { expect } from 'chai';
import { finds, patternError } from '../../../server/engine/patterns/pattern.js';
import { places, problemsIn } from '../../support/files/files.js';

describe('a pattern', () => {
  const found: ReadonlyArray<readonly [pattern: string, text: string, holds: boolean]> = [
    ['', '', true],
    ['^$', '', true],
    ['^b', 'abc', false],
    ['^\\d{4}-\\d\\d$', '2026-01', true],
    ['(?i)ADA', 'Ada', true],
    ['^.$', '😀', true],
    ['^\\p{Greek}+$', 'αβγ', true],
    ['\\x{e9}', 'é', true],
    ['(?P<year>\\d+)', '7', true],
  ];
  it('finds something in a text, or nothing', () => {
    for (const [pattern, text, holds] of found) {
      expect(patternError(pattern)).to.equal(undefined);
      expect(finds(pattern, text), pattern).to.equal(holds);
    }
  });

  const errors: ReadonlyArray<readonly [pattern: string, why: string]> = [
    ['(', 'missing closing ): `(`'],
    ['*a', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['\\p{Klingon}', 'invalid character class range: `\\p{Klingon}`'],
    ['(?=a)', 'lookaround (`(?=`) is not supported by RE2'],
    ['(?<=a)b', 'lookaround (`(?<=a)b`) is not supported by RE2'],
    ['(a)\\1', 'backreferences (`\\1`) are not supported by RE2'],
    ['a{1001}', 'invalid repeat count: `{1001}`: at most 1000, and nested counts multiply'],
    ['(a{100}){100}', 'invalid repeat count: `{100}`: at most 1000, and nested counts multiply'],
    ['\\u00e9', 'invalid escape sequence: `\\u`: write \\x{00e9} for \\u00e9'],
  ];
  it('is invalid, and the reason is reported', () => {
    for (const [pattern, why] of errors)
      expect(patternError(pattern)).to.equal(`${JSON.stringify(pattern)} is not a valid regular expression: ${why}.`);
  });

  it('has at most 1000 characters', () => {
    expect(patternError('a'.repeat(1000))).to.equal(undefined);
    expect(patternError('a'.repeat(1001))).to.equal('The pattern has 1001 characters, but at most 1000 are allowed.');
  });
});

describe('a pattern in a scenario', () => {
  it('is reported with its line and column if it is invalid, wherever it stands', () => {
    const text = [
      'title: Mine',
      'fixture: small-team',
      'steps:',
      '  - say: a',
      '    call: ppf.push',
      '    expect:',
      '      status: { $match: "(" }',
      '      headers: { X: { $match: "(a)\\\\1" } }',
      '      body: [{ a: { $contains: [{ $match: "a**" }] } }]',
      '    then:',
      '      users: { alice: { displayName: { $match: "(?=A)" } } }',
    ];
    expect(places(problemsIn('scenarios/mine.yaml', text))).to.equal('7:25, 8:31, 9:43, 11:48');
  });
});

describe('a pattern written to take long', () => {
  /** A backtracking engine would never end: it tries every way to split so many characters. */
  it('ends on 20,000 characters', () => {
    for (const pattern of ['(a+)+$', '^(.*){50}x$', '^(a?){120}(a{0,150})*c']) {
      expect(patternError(pattern)).to.equal(undefined);
      expect(finds(pattern, `${'a'.repeat(20_000)}b`)).to.equal(false);
    }
  });
});
