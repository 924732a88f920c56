// What is taken out of texts before any format sees them.
import { expect } from 'chai';
import { plain, plainReport, shortened } from '../../server/report/plain.js';
import { check, ESC, guessing, hostileName, plainHostileName, runOf, small } from './runs.js';

describe('plain texts of a report', () => {
  it('lose the colours of a terminal, and its links', () => {
    expect(plain(`${ESC}[1;31mred${ESC}[0m ${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`)).to.equal('red link');
  });

  it('have U+FFFD for control characters, half characters and what is no character', () => {
    expect(plain(hostileName)).to.equal(plainHostileName);
    expect(plain('a\u0000b\u0008c\ud83dd\ude00e\ufffef')).to.equal('a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf');
  });

  it('keep tabs, line ends and whole characters', () => {
    expect(plain('a\tb\r\nc 😀 é')).to.equal('a\tb\r\nc 😀 é');
  });

  it('stay as they are in a report that has nothing of the kind', () => {
    for (const run of [small, guessing]) expect(plainReport(run)).to.deep.equal(run);
  });

  it('are never empty where they are names, and left out where they are empty', () => {
    const { title, checks } = plainReport(
      runOf([check({ suite: '', name: `${ESC}[0m`, message: '', details: '', file: '', line: 1, labels: [] })], {
        title: '',
      }),
    );
    expect(title).to.equal('(unnamed)');
    expect(checks).to.deep.equal([{ suite: '(unnamed)', name: '(unnamed)', verdict: 'passed', duration: 5 }]);
  });

  it('stand beside numbers that can be written', () => {
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

  it('are shortened without halving a character', () => {
    expect(shortened('abcd', 4)).to.equal('abcd');
    expect(shortened('abcde', 4)).to.equal('abc…');
    expect(shortened('ab😀cd', 4)).to.equal('ab…');
  });
});
