// Annotations: one line each, whatever a check contains, so that no text of a server can give GitHub a command.
import { expect } from 'chai';
import { annotations } from '../../../harness/report/annotations.js';
import { check, empty, guessing, hostile, hostileName, runOf, small } from './runs.js';

describe('annotations for GitHub', () => {
  it('are one for each failed check', () => {
    expect(annotations(small)).to.deep.equal([
      '::error file=scenarios/team.yaml,line=12,title=team › removes::the status is 404, not 200%0Aexpected: 200%0Afound: 404',
    ]);
    expect(annotations(empty)).to.deep.equal([]);
    const [line, unnamed, ...others] = annotations(hostile);
    expect(line).to.match(/^::error [^\r\n]*$/);
    expect(line).to.not.include('\u001b');
    expect(line).to.include('%0A````%0A::error::').and.to.include('red%0Anext%0D%0A');
    expect([unnamed, ...others]).to.deep.equal(['::error title=(unnamed) › (unnamed)::This check failed.']);
  });

  it('warn of checks that passed on a guess, after the failures', () => {
    expect(annotations(guessing)).to.deep.equal([
      '::error title=team › fails::This check failed.',
      '::warning file=pacts/web.json,line=7,title=team › adds::a=b is read as c%0Aguess a',
    ]);
    const [line, ...others] = annotations(runOf([check({ warning: hostileName })]));
    expect(others).to.deep.equal([]);
    expect(line).to.match(/^::warning title=team › adds::\]\]> <script>[^\r\n]*$/);
  });

  it('escape the percent sign and line ends, and in properties colons and commas too', () => {
    const failed = check({
      suite: 'a:b',
      name: 'c,d%0A',
      verdict: 'failed',
      message: '50%, a:b\r\nc',
      file: 'C:\\x,y',
    });
    expect(annotations(runOf([failed]))).to.deep.equal([
      '::error file=C%3A\\x%2Cy,title=a%3Ab › c%2Cd%250A::50%25, a:b%0D%0Ac',
    ]);
  });

  it('are short: longer evidence is cut', () => {
    const [line] = annotations(runOf([check({ verdict: 'failed', message: 'm', details: 'x'.repeat(5000) })]));
    expect(line).to.equal(`::error title=team › adds::m%0A${'x'.repeat(3997)}…`);
  });
});
