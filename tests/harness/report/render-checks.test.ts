// The terminal output of a list of checks: one look for all commands.
import { expect } from 'chai';
import { checkLines, totalsLine } from '../../../harness/report/render-checks.js';
import type { Check } from '../../../harness/report/report.js';
import { painter } from '../../../server/process/colors.js';
import { check, runOf, small } from './runs.js';

const plain = painter(false);
const linesOf = (rest: Partial<Check>) => checkLines(check(rest), plain);

describe('a check in a terminal', () => {
  it('has the reason beside its name, and the evidence below', () => {
    expect(small.checks.slice(1, 3).map(one => checkLines(one, plain))).to.deep.equal([
      ['✘ removes · the status is 404, not 200', '    expected: 200', '    found: 404'],
      ['– waits · the target tells no facts'],
    ]);
  });

  it('is marked if it passed on a guess', () => {
    expect(linesOf({ warning: 'it rests on a guess' })).to.deep.equal(['! adds · it rests on a guess']);
    expect(linesOf({ warning: 'a guess', verdict: 'failed' })).to.deep.equal(['✘ adds · a guess']);
  });

  it('shows beside its name what the evidence leaves out, if given', () => {
    expect(linesOf({ message: 'all of it', remark: 'in short', details: 'all of it' })).to.deep.equal([
      '✔ adds · in short',
      '    all of it',
    ]);
  });

  it('shows control characters escaped, on their lines', () => {
    expect(linesOf({ name: 'a\nb', message: '\u001b[2J', details: 'c\r\n\u202ed' })).to.deep.equal([
      '✔ a\\nb · \\u{1b}[2J',
      '    c\\r',
      '    \\u{202e}d',
    ]);
  });

  it('has a coloured mark if colours are on', () => {
    expect(checkLines(check({ verdict: 'failed', message: 'no' }), painter(true))).to.deep.equal([
      '\u001b[31m✘\u001b[39m adds\u001b[2m · no\u001b[22m',
    ]);
  });
});

describe('the totals in a terminal', () => {
  const totals = (...verdicts: Check['verdict'][]) =>
    totalsLine(runOf(verdicts.map(verdict => check({ verdict }))), plain);

  it('count each verdict, marked by the worst', () => {
    expect(totals('passed', 'failed', 'undetermined')).to.equal('✘ Play: 1 passed, 1 failed, 1 undetermined');
    expect(totals('passed', 'passed', 'undetermined')).to.equal('✔ Play: 2 passed, 0 failed, 1 undetermined');
  });

  it('are no success if nothing passed, and show how many passed on a guess', () => {
    expect(totals('undetermined')).to.equal('– Play: 0 passed, 0 failed, 1 undetermined');
    expect(totalsLine(runOf([], { title: 'a\u001b[2J' }), plain)).to.match(/^– a\\u\{1b\}\[2J: 0 passed/);
    const report = runOf([check(), check({ warning: 'a guess' }), check({ verdict: 'failed', warning: 'another' })]);
    expect(totalsLine(report, plain)).to.equal('✘ Play: 1 passed, 1 warning, 1 failed, 0 undetermined');
  });
});
