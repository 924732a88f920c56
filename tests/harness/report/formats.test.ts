// The values of `--report`, and the errors for invalid ones.
import { expect } from 'chai';
import { parseReports } from '../../../harness/report/formats.js';

describe('--report', () => {
  it('takes each format once, with a file of its own', () => {
    expect(parseReports('junit=report.xml')).to.deep.equal({
      files: [{ format: 'junit', file: 'report.xml' }],
      github: false,
    });
    expect(parseReports(' md = a b.md , github,ctrf=out/x=1.json,junit=../r.xml')).to.deep.equal({
      files: [
        { format: 'md', file: 'a b.md' },
        { format: 'ctrf', file: 'out/x=1.json' },
        { format: 'junit', file: '../r.xml' },
      ],
      github: true,
    });
    expect(parseReports('github')).to.deep.equal({ files: [], github: true });
  });

  const problems: Readonly<Record<string, string>> = {
    'junt=a.xml': 'there is no report format "junt" (did you mean "junit"?): use junit, ctrf, md or github',
    'report.xml': 'there is no report format "report.xml": use junit, ctrf, md or github',
    'constructor=a': 'there is no report format "constructor": use junit, ctrf, md or github',
    '=a.xml': 'there is no report format "": use junit, ctrf, md or github',
    'ctrf=': 'the report ctrf requires a file: write ctrf=report.json',
    'junit=out/': 'the report junit requires a file, but "out/" is a folder: write junit=out/report.xml',
    'github=a': 'the report github does not take a file: write only github',
    '': 'a report is missing: write junit=report.xml',
    'junit=a,': 'a report is missing: write junit=report.xml',
    'junit=a,junit=b': 'the report junit is given twice',
    'github,github': 'the report github is given twice',
    'junit=a,md=./a': 'the reports junit and md need separate files, but both name "./a"',
  };
  it('reports what is wrong', () => {
    for (const [text, problem] of Object.entries(problems)) expect(parseReports(text)).to.deep.equal({ problem });
  });
});
