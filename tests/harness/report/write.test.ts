// Writes reports to disk: they replace old ones, or report a problem in one sentence; and to GitHub.
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Format } from '../../../harness/report/formats.js';
import { writeReports } from '../../../harness/report/write.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { small } from './runs.js';

describe('writing reports', () => {
  let folder: Scratch;
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => {
    chmodSync(folder.path, 0o700);
    folder.drop();
  });
  const at = (name: string) => join(folder.path, name);
  const outlets = { env: {}, print: () => expect.fail('nothing is printed') };
  const write = (files: Readonly<Partial<Record<Format, string>>>, run = small) => {
    const list = Object.entries(files).map(([format, file]) => ({ format: format as Format, file }));
    return writeReports(run, { files: list, github: false }, outlets);
  };

  it('reports a folder in the place of the file, and writes the others', () => {
    mkdirSync(at('report.xml'));
    expect(write({ junit: at('report.xml'), md: at('report.md') })).to.deep.equal([
      `The junit report cannot be written to ${JSON.stringify(at('report.xml'))}: illegal operation on a directory.`,
    ]);
    expect(readdirSync(folder.path)).to.deep.equal(['report.md', 'report.xml']);
  });

  it('reports that the summary for GitHub cannot be written', () => {
    const file = at('missing/summary.md');
    const problems = writeReports(
      small,
      { files: [], github: true },
      { env: { GITHUB_STEP_SUMMARY: file }, print: () => {} },
    );
    expect(problems).to.deep.equal([
      `The summary for GitHub cannot be written to ${JSON.stringify(file)}: no such file or directory.`,
    ]);
  });
});
