// Removes control sequences and invalid characters from texts before any format gets them.
import { expect } from 'chai';
import { plain, plainReport, shortened } from '../../../harness/report/plain.js';
import { check, ESC, guessing, hostileName, plainHostileName, runOf, small } from './runs.js';

describe('plain texts of a report', () => {
  it('lose the colours of a terminal, and its links', () => {
    expect(plain(`${ESC}[1;31mred${ESC}[0m ${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`)).to.equal('red link');
  });

  it('have U+FFFD for control characters, lone surrogates and noncharacters', () => {
    expect(plain(hostileName)).to.equal(plainHostileName);
    expect(plain('a\tb\r\nc 😀 é')).to.equal('a\tb\r\nc 😀 é');
    expect(plain('a\u0000b\u0008c\ud83dd\ude00e\ufffef')).to.equal('a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf');
  });

  it('stay unchanged in a report without such characters', () => {
    for (const run of [small, guessing]) expect(plainReport(run)).to.deep.equal(run);
  });

  it('are never empty as names, and left out if they are empty elsewhere', () => {
    const { title, checks } = plainReport(
      runOf([check({ suite: '', name: `${ESC}[0m`, message: '', details: '', file: '', line: 1, labels: [] })], {
        title: '',
      }),
    );
    expect(title).to.equal('(unnamed)');
    expect(checks).to.deep.equal([{ suite: '(unnamed)', name: '(unnamed)', verdict: 'passed', duration: 5 }]);
  });

  it('come with numbers that can be written', () => {
    const durations = [Number.NaN, -1, Number.POSITIVE_INFINITY, 1.5].map(duration => check({ duration }));
    expect(plainReport(runOf(durations)).checks.map(({ duration }) => duration)).to.deep.equal([0, 0, 0, 1.5]);
    const lines = [0, -1, 1.5, 7].map(line => check({ file: 'a.yaml', line }));
    expect(plainReport(runOf(lines)).checks.map(({ line }) => line)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      7,
    ]);
  });

  it('are shortened without splitting a character', () => {
    expect(shortened('abcd', 4)).to.equal('abcd');
    expect(shortened('abcde', 4)).to.equal('abc…');
    expect(shortened('ab😀cd', 4)).to.equal('ab…');
  });
});
