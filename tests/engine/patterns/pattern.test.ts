// The patterns of `$match`: which are valid, the errors for the others, and that none takes long.
import { expect } from 'chai';
import { finds, patternError } from '../../../server/engine/patterns/pattern.js';
import { problemsIn } from '../../support/files/files.js';

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
  for (const [pattern, text, holds] of found) {
    it(`${JSON.stringify(pattern)} ${holds ? 'finds' : 'does not find'} something in ${JSON.stringify(text)}`, () => {
      expect(patternError(pattern)).to.equal(undefined);
      expect(finds(pattern, text)).to.equal(holds);
    });
  }

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
  for (const [pattern, why] of errors) {
    it(`${JSON.stringify(pattern)} is invalid, and the reason is reported`, () => {
      expect(patternError(pattern)).to.equal(`${JSON.stringify(pattern)} is not a valid regular expression: ${why}.`);
    });
  }

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
    expect(problemsIn('scenarios/mine.yaml', text)).to.deep.equal([
      '7:25: "(" is not a valid regular expression: missing closing ): `(`.',
      '8:31: "(a)\\\\1" is not a valid regular expression: backreferences (`\\1`) are not supported by RE2.',
      '9:43: "a**" is not a valid regular expression: invalid nested repetition operator: `**`.',
      '11:48: "(?=A)" is not a valid regular expression: lookaround (`(?=`) is not supported by RE2.',
    ]);
  });
});

describe('a pattern written to take long', () => {
  const LONG = 20_000;
  /** A backtracking engine would never end: it tries every way to split so many characters. */
  for (const [pattern, unit, end, holds] of [
    ['(a+)+$', 'a', 'b', false],
    ['^(.*){50}x$', 'a', '', false],
    ['^(a?){120}(a{0,150})*c', 'a', '', false],
  ] as const) {
    it(`${pattern} ends on ${LONG} characters`, () => {
      expect(patternError(pattern)).to.equal(undefined);
      expect(finds(pattern, unit.repeat(LONG) + end)).to.equal(holds);
    });
  }
});
